"""The certificates that both ports present: loaded, checked, and loaded again when their files change."""

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
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from gamehost.settings import Settings, content

LOOK_SECONDS = 2.0  # between two looks at the files
ATTEMPTS = 5  # to read files that are being replaced

log = structlog.get_logger("gamehost")


class BadCertificate(Exception):
    """A file cannot be used; the message begins with the setting that names it."""


@dataclass(frozen=True)
class Files:
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
    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None


@dataclass(frozen=True)
class Loaded:
    """A certificate with its key, as either port needs it."""

    contents: Contents
    expires: datetime
    http: ssl.SSLContext
    grpc: grpc.ServerCertificateConfiguration


def files_of(settings: Settings) -> Files | None:
    """None where the service speaks no TLS."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    return Files(settings.tls_cert, settings.tls_key, settings.tls_client_ca)


def load(files: Files) -> Loaded:
    """BadCertificate where a file is missing or broken, or where the key belongs to another certificate."""
    for _ in range(ATTEMPTS):
        contents = files.read()
        expires = check(files, contents)
        context = http_context(files, contents)
        # The context reads the files itself. Both ports must present the same certificate.
        if files.read() == contents:
            pairs = [(contents.key, contents.certificate)]
            configuration = grpc.ssl_server_certificate_configuration(pairs, contents.client_ca)
            return Loaded(contents, expires, context, configuration)
    raise BadCertificate(f"tls_cert: {files.certificate} changes while it is read")


def check(files: Files, contents: Contents) -> datetime:
    """When the certificate expires; BadCertificate where the files do not belong together."""
    certificate = certificates(contents.certificate, files.certificate, "tls_cert")[0]
    if private_key(contents.key, files.key) != certificate.public_key():
        raise BadCertificate(f"tls_key: {files.key} is not the key of the certificate in {files.certificate}")
    if contents.client_ca is not None and files.client_ca is not None:
        certificates(contents.client_ca, files.client_ca, "tls_client_ca")
    return certificate.not_valid_after_utc


def certificates(pem: bytes, file: Path, setting: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        raise BadCertificate(f"{setting}: {file} holds no PEM certificate that can be read") from None


def private_key(pem: bytes, file: Path) -> CertificatePublicKeyTypes:
    """Its public half. A key with a password is refused: nobody is there to type it."""
    try:
        return load_pem_private_key(pem, None).public_key()  # type: ignore[return-value]
    except TypeError:
        raise BadCertificate(f"tls_key: {file} is encrypted; give a key without a password") from None
    except ValueError:
        raise BadCertificate(f"tls_key: {file} holds no PEM private key that can be read") from None


def http_context(files: Files, contents: Contents) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key, password=no_password)
    except (OSError, ValueError) as error:
        raise BadCertificate(f"tls_cert: {files.certificate} cannot be used: {error}") from None
    if contents.client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        # An intermediate authority alone is trusted too, as gRPC does.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(cadata=contents.client_ca.decode("ascii", "ignore"))
        except OSError as error:
            raise BadCertificate(f"tls_client_ca: {files.client_ca} cannot be used: {error}") from None
    return context


def no_password() -> str:
    """Keeps OpenSSL from asking for one on the terminal."""
    raise ValueError("the key is encrypted")


class Certificates:
    """What both ports present, followed from file to file; a broken file keeps the last good one in use."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.current = load(files)
        self._given: grpc.ServerCertificateConfiguration | None = self.current.grpc
        self._problem = ""
        warn_of_expiry(self.current)

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """gRPC asks before each handshake; None tells it that nothing has changed."""

        def fetch() -> grpc.ServerCertificateConfiguration | None:
            if self._given is self.current.grpc:
                return None
            self._given = self.current.grpc
            return self._given

        mutual = self._files.client_ca is not None
        return grpc.dynamic_ssl_server_credentials(self.current.grpc, fetch, mutual)  # type: ignore[arg-type]

    async def watch(self, present: Callable[[ssl.SSLContext], None]) -> None:
        """Looks at the contents of the files: Kubernetes replaces the folder that they are links into."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if found := await asyncio.to_thread(self._look):
                present(found.http)
                self.current = found
                log.info("the certificates were reloaded", expires=found.expires.isoformat())
                warn_of_expiry(found)

    def _look(self) -> Loaded | None:
        """What is new and can be used."""
        try:
            if self._files.read() == self.current.contents:
                self._problem = ""
                return None
            found = load(self._files)
        except BadCertificate as error:
            self._warn(str(error))
            return None
        self._problem = ""
        return found

    def _warn(self, problem: str) -> None:
        """Once, not at each look."""
        if problem != self._problem:
            self._problem = problem
            log.warning(
                "the new certificates cannot be used, the last good ones stay in use", problem=problem
            )


def warn_of_expiry(loaded: Loaded) -> None:
    if loaded.expires < datetime.now(UTC):
        log.warning("the certificate has expired: callers refuse it", expired=loaded.expires.isoformat())
