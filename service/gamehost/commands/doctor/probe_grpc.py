"""The gRPC checks of `shedu doctor --probe`."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES
from gamehost.settings import is_loopback
from shedu.addresses import Address, Certificates, address_of
from shedu.v1.catalog_service_pb2 import ListTitlesRequest
from shedu.v1.catalog_service_pb2_grpc import CatalogServiceStub

from .finding import Finding, good, problem, warning
from .probe_http import PROBE_SECONDS, ClientTlsFiles

SERVICE = "shedu.v1.GameService"
LIST_TITLES = "/shedu.v1.CatalogService/ListTitles"
GARBAGE = b"\xff\xff\xff\xff"
CHANNEL_OPTIONS = [
    ("grpc.enable_http_proxy", 0)
]  # connect only to the given address, not to a proxy of the environment


class GrpcAddress:
    """A gRPC address. Raises ValueError if it is invalid or a file cannot be read."""

    def __init__(self, server: str, files: ClientTlsFiles) -> None:
        self._address = address_of(server, read_certificates(files, server))
        self.shown = self._address.target
        self._loopback = is_loopback(self.shown.rpartition(":")[0].strip("[]"))
        self.version = ""

    def findings(self) -> Iterator[Finding]:
        """Run all checks. Sets `version` if the server reports it."""
        if not self._address.tls and not self._loopback:
            action = "Use grpcs://, and set --tls-cert on the server."
            yield warning("tls", f"{self.shown} is called without TLS", action)
        with channel(self._address) as opened:
            try:
                yield health(opened)
                titles = CatalogServiceStub(opened).ListTitles(
                    ListTitlesRequest(page_size=1), timeout=PROBE_SECONDS
                )
                self.version = titles.server_version
            except grpc.RpcError as error:
                yield problem("grpc", f"{self.shown}: {error_reason(error)}", advice(error))
                return
            yield refuses(opened, LIST_TITLES, GARBAGE, grpc.StatusCode.INVALID_ARGUMENT, "garbage")
            large = b" " * (MAX_REQUEST_BYTES + 1)
            yield refuses(
                opened, LIST_TITLES, large, grpc.StatusCode.RESOURCE_EXHAUSTED, "too large a request"
            )
            unknown = f"/{SERVICE}/NoSuchMethod"
            yield refuses(opened, unknown, b"", grpc.StatusCode.UNIMPLEMENTED, "an unknown method")


def read_certificates(files: ClientTlsFiles, server: str) -> Certificates:
    """Read the files, unless the address is without TLS. Raises ValueError."""
    if not server.startswith(("grpcs://", "https://")):
        return Certificates()
    try:
        return Certificates(
            *(
                file.read_bytes() if file else None
                for file in (files.server_ca, files.client_cert, files.client_key)
            )
        )
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be read: {error.strerror}") from None


def channel(address: Address) -> grpc.Channel:
    if not address.tls:
        return grpc.insecure_channel(address.target, CHANNEL_OPTIONS)
    pem = address.certificates
    credentials = grpc.ssl_channel_credentials(pem.roots, pem.client_key, pem.client_cert)
    return grpc.secure_channel(address.target, credentials, CHANNEL_OPTIONS)


def health(opened: grpc.Channel) -> Finding:
    status = HealthStub(opened).Check(HealthCheckRequest(service=SERVICE), timeout=PROBE_SECONDS).status
    if status == HealthCheckResponse.SERVING:
        return good("grpc", f"{SERVICE} is healthy")
    return problem("grpc", f"{SERVICE} is not healthy", "Look at the log: the store may be unreachable.")


def refuses(opened: grpc.Channel, path: str, body: bytes, wanted: grpc.StatusCode, what: str) -> Finding:
    """Send raw bytes, which may be invalid, and check the status."""
    call = opened.unary_unary(path, request_serializer=bytes, response_deserializer=bytes)
    try:
        call(body, timeout=PROBE_SECONDS)
    except grpc.RpcError as error:
        if error.code() is wanted:
            return good("grpc", f"{what} is {wanted.name}")
        detail = f"{what} is {error.code().name}, not {wanted.name}"
    else:
        detail = f"{what} is answered, not {wanted.name}"
    return problem("grpc", detail, "Look for a proxy that answers in place of the service.")


def error_reason(error: grpc.RpcError) -> str:
    return f"{error.code().name}, {error.details()}"


def advice(error: grpc.RpcError) -> str:
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return "Check the address, and with grpcs:// --server-ca, --client-cert and --client-key."
    return "Check that this is the gRPC port of Shedu."
