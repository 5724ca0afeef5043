"""The TLS checks of `shedu doctor`."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from cryptography import x509

from gamehost.settings import Settings
from gamehost.tls import BadCertificate, files_of, load

from .finding import Finding, good, problem, warning

SOON = timedelta(days=14)
RENEW = "Renew it: the service loads the new files by itself."


def check_tls_files(settings: Settings) -> Iterator[Finding]:
    """Check the files that the service loads at its start."""
    if files := files_of(settings):
        try:
            loaded = load(files)
        except BadCertificate as error:
            yield problem("tls", str(error), "Correct the file, or the setting: `shedu serve` refuses it.")
        else:
            yield expiry(f"the certificate in {files.certificate}", loaded.expires)


def expiry(what: str, expires: datetime) -> Finding:
    left = expires - datetime.now(UTC)
    if left < timedelta(0):
        return problem("tls", f"{what} expired on {expires:%Y-%m-%d}", RENEW)
    detail = f"{what} expires on {expires:%Y-%m-%d}"
    return warning("tls", detail, RENEW) if left < SOON else good("tls", detail)


def presents_its_certificate(host: str, settings: Settings, seconds: float) -> bool:
    """Whether the server at this address presents the configured certificate.

    This works without a client certificate, because the server's is sent before the client's is checked.
    """
    if settings.tls_cert is None:
        return False
    try:
        found = ssl.get_server_certificate((host.strip("[]"), settings.port), timeout=seconds)
        own = x509.load_pem_x509_certificate(settings.tls_cert.read_bytes())
        return x509.load_pem_x509_certificate(found.encode()) == own
    except (OSError, ValueError):
        return False
