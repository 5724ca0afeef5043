"""The HTTP client of `shedu doctor --probe`: one address, no redirects, no proxies, bounded answers."""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gamehost.settings import is_loopback

PROBE_SECONDS = 5.0  # for each answer
MOST_RESPONSE_BYTES = 8 << 20  # of an answer
UNREACHABLE = (OSError, HTTPException)  # ssl.SSLError is an OSError


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    headers: Mapping[str, str]  # by lower-case names
    body: bytes

    def json(self) -> Any:
        """Return the parsed body, or None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class ClientTlsFiles:
    """PEM files: authorities to trust, and what to present where a server asks for a certificate."""

    server_ca: Path | None = None
    client_cert: Path | None = None
    client_key: Path | None = None


class HttpAddress:
    """An HTTP address. Raises ValueError if it is invalid or a file cannot be used."""

    def __init__(self, url: str, files: ClientTlsFiles) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("--probe needs an address such as https://play.example.org")
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("--probe needs the address of a server, without a path")
        self.tls, self.host = parts.scheme == "https", parts.hostname
        self.port = parts.port or (443 if self.tls else 80)
        self.loopback = is_loopback(self.host)
        self._context = client_context(files) if self.tls else None

    def connect(self) -> HTTPConnection:
        if self._context is None:
            return HTTPConnection(self.host, self.port, timeout=PROBE_SECONDS)
        return HTTPSConnection(self.host, self.port, timeout=PROBE_SECONDS, context=self._context)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> HttpAnswer:
        """Send a request on a new connection. Raises one of UNREACHABLE if there is no answer."""
        connection = self.connect()
        try:
            return ask(connection, method, path, body, headers)
        finally:
            connection.close()

    def session(self) -> tuple[str, str]:
        """Return the TLS version and the expiry of the certificate in the format of OpenSSL."""
        connection = self.connect()
        try:
            connection.connect()
            tls_socket = connection.sock
            assert isinstance(tls_socket, ssl.SSLSocket)
            return tls_socket.version() or "TLS", str((tls_socket.getpeercert() or {}).get("notAfter", ""))
        finally:
            connection.close()


def ask(
    connection: HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpAnswer:
    connection.request(method, path, body, dict(headers or {}))
    with connection.getresponse() as response:
        found = {name.lower(): value for name, value in response.getheaders()}
        # Bounded, because the address may be that of any server.
        return HttpAnswer(response.status, found, response.read(MOST_RESPONSE_BYTES))


def client_context(files: ClientTlsFiles) -> ssl.SSLContext:
    context = ssl.create_default_context()
    try:
        if files.server_ca:
            context = ssl.create_default_context(cafile=str(files.server_ca))
        if files.client_cert:
            context.load_cert_chain(files.client_cert, files.client_key)
    except OSError as error:
        raise ValueError(f"the certificates cannot be used: {error}") from None
    return context
