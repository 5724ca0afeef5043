"""The certificates of both ports: loading, checking, and reloading when their files change."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from gamehost.settings import Settings, content

FILES_CHECK_SECONDS = 2.0  # between two checks of the files
READ_ATTEMPTS = 5  # at reading files that are being replaced

log = structlog.get_logger("gamehost")


class BadCertificate(Exception):
    """A file cannot be used. The message starts with the name of the setting."""


@dataclass(frozen=True)
class Files:
    """The configured files."""

    certificate: Path
    key: Path
    client_ca: Path | None

    def read(self) -> Contents:
        try:
            return Contents(
                content(self.certificate, "tls_cert"),
                content(self.key, "tls_key"),
                content(self.client_ca, "tls_client_ca") if self.client_ca else None,
            )
        except ValueError as error:
            raise BadCertificate(str(error)) from None


@dataclass(frozen=True)
class Contents:
    """The contents of the files; the key is not shown in logs."""

    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None


@dataclass(frozen=True)
class Loaded:
    """A certificate with its key, in the form that each port needs."""

    contents: Contents
    expires: datetime
    http: ssl.SSLContext
    grpc: grpc.ServerCertificateConfiguration


def files_of(settings: Settings) -> Files | None:
    """Returns the configured files, or None if the service does not use TLS."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return Files(settings.tls_cert, settings.tls_key, settings.tls_client_ca)


def load(files: Files) -> Loaded:
    """Loads the certificate; raises BadCertificate if a file is invalid or the key does not match."""
    for _ in range(READ_ATTEMPTS):
        contents = files.read()
        expires = check_certificate_files(files, contents)
        context = http_context(files, contents)
        # `ssl` can load a key only from a file, so the files are read twice and may be replaced in between.
        # Both ports must present the same certificate: retry until nothing has changed.
        if files.read() == contents:
            pairs = [(contents.key, contents.certificate)]
            configuration = grpc.ssl_server_certificate_configuration(pairs, contents.client_ca)
            return Loaded(contents, expires, context, configuration)
    raise BadCertificate(f"tls_cert: {files.certificate} changed while it was read")


def check_certificate_files(files: Files, contents: Contents) -> datetime:
    """Returns when the certificate expires; raises BadCertificate if the files do not match."""
    certificate = parse_certificates(contents.certificate, files.certificate, "tls_cert")[0]
    if private_key(contents.key, files.key) != public_key(certificate, files.certificate):
        raise BadCertificate(f"tls_key: {files.key} is not the key of the certificate in {files.certificate}")
    if contents.client_ca is not None and files.client_ca is not None:
        parse_certificates(contents.client_ca, files.client_ca, "tls_client_ca")
    return certificate.not_valid_after_utc


def parse_certificates(pem: bytes, file: Path, setting: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        raise BadCertificate(f"{setting}: {file} contains no readable PEM certificate") from None


def public_key(certificate: x509.Certificate, file: Path) -> CertificatePublicKeyTypes:
    try:
        return certificate.public_key()
    except (ValueError, UnsupportedAlgorithm):
        raise BadCertificate(f"tls_cert: {file} has a key of a kind that is not supported") from None


def private_key(pem: bytes, file: Path) -> CertificatePublicKeyTypes:
    """Returns the public key of a private key; raises BadCertificate if the key has a password."""
    try:
        return load_pem_private_key(pem, None).public_key()  # type: ignore[return-value]
    except TypeError:
        raise BadCertificate(f"tls_key: {file} is encrypted; use a key without a password") from None
    except UnsupportedAlgorithm:  # neither a ValueError nor a TypeError
        raise BadCertificate(f"tls_key: {file} holds a key of a kind that is not supported") from None
    except ValueError:
        raise BadCertificate(f"tls_key: {file} contains no readable PEM private key") from None


def http_context(files: Files, contents: Contents) -> ssl.SSLContext:
    """Returns the TLS context of the HTTP port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # A client could make the server do one expensive handshake after another on the same connection.
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key, password=no_password)
    except (OSError, ValueError) as error:
        raise BadCertificate(f"tls_cert: {files.certificate} cannot be used: {error}") from None
    if contents.client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        # Trust an intermediate authority without its root. gRPC does so too, and both ports must agree.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(cadata=contents.client_ca.decode("ascii", "ignore"))
        except OSError as error:
            raise BadCertificate(f"tls_client_ca: {files.client_ca} cannot be used: {error}") from None
    return context


def no_password() -> str:
    """Prevents OpenSSL from asking for a password on the terminal."""
    raise ValueError("the key is encrypted")


class Certificates:
    """The certificates in use. If a new file is invalid, the last valid certificates stay in use."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.current = load(files)
        self._sent_to_grpc: grpc.ServerCertificateConfiguration | None = self.current.grpc
        self._problem = ""
        warn_of_expiry(self.current)

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """Returns credentials that always use the current certificates."""

        # gRPC calls this before each handshake. None means that nothing has changed.
        def fetch() -> grpc.ServerCertificateConfiguration | None:
            if self._sent_to_grpc is self.current.grpc:
                return None
            self._sent_to_grpc = self.current.grpc
            return self._sent_to_grpc

        mutual = self._files.client_ca is not None
        return grpc.dynamic_ssl_server_credentials(self.current.grpc, fetch, mutual)  # type: ignore[arg-type]

    async def watch(self, present: Callable[[ssl.SSLContext], None]) -> None:
        """Reloads the certificates when the files change; calls `present` with the new HTTP context."""
        # The contents are compared, not file times or notifications: Kubernetes replaces the directory that
        # the files are links into.
        while True:
            await asyncio.sleep(FILES_CHECK_SECONDS)
            if found := await asyncio.to_thread(self._load_if_changed):
                present(found.http)
                self.current = found
                log.info("the certificates were reloaded", expires=found.expires.isoformat())
                warn_of_expiry(found)

    def _load_if_changed(self) -> Loaded | None:
        """Returns the new certificates, or None if nothing has changed or the files are invalid."""
        try:
            if self._files.read() == self.current.contents:
                self._problem = ""
                return None
            found = load(self._files)
        except BadCertificate as error:
            self._warn(str(error))
            return None
        except Exception as error:
            # Nothing restarts the task that calls this: an error that is not caught would end reloading.
            self._warn(f"{type(error).__name__}: {error}")
            return None
        self._problem = ""
        return found

    def _warn(self, problem: str) -> None:
        """Logs a problem once, not at each check."""
        if problem != self._problem:
            self._problem = problem
            log.warning("the new certificates are invalid, the last valid ones stay in use", problem=problem)


def warn_of_expiry(loaded: Loaded) -> None:
    if loaded.expires < datetime.now(UTC):
        log.warning("the certificate has expired, clients will refuse it", expired=loaded.expires.isoformat())
