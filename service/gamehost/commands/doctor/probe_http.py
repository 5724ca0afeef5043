"""How `shedu doctor --probe` asks over HTTP: one address, no redirects, no proxies, bounded answers."""

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

SECONDS = 5.0  # for each answer
MOST_BYTES = 8 << 20  # of an answer
UNREACHABLE = (OSError, HTTPException)  # ssl.SSLError is an OSError


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]  # by names in small letters
    body: bytes

    def json(self) -> Any:
        """None where it is no JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class Files:
    """PEM files: authorities to trust, and what to present where a server asks for a certificate."""

    server_ca: Path | None = None
    client_cert: Path | None = None
    client_key: Path | None = None


class HttpAddress:
    """The address that was given. ValueError where it is none, or where a file cannot be used."""

    def __init__(self, url: str, files: Files) -> None:
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
            return HTTPConnection(self.host, self.port, timeout=SECONDS)
        return HTTPSConnection(self.host, self.port, timeout=SECONDS, context=self._context)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """On a connection of its own. UNREACHABLE where no answer comes."""
        connection = self.connect()
        try:
            return ask(connection, method, path, body, headers)
        finally:
            connection.close()

    def session(self) -> tuple[str, str]:
        """With TLS: its version, and when the certificate expires, as OpenSSL writes it."""
        connection = self.connect()
        try:
            connection.connect()
            line = connection.sock
            assert isinstance(line, ssl.SSLSocket)
            return line.version() or "TLS", str((line.getpeercert() or {}).get("notAfter", ""))
        finally:
            connection.close()


def ask(
    connection: HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    connection.request(method, path, body, dict(headers or {}))
    with connection.getresponse() as response:
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, found, response.read(MOST_BYTES))


def client_context(files: Files) -> ssl.SSLContext:
    context = ssl.create_default_context()
    try:
        if files.server_ca:
            context = ssl.create_default_context(cafile=str(files.server_ca))
        if files.client_cert:
            context.load_cert_chain(files.client_cert, files.client_key)
    except OSError as error:
        raise ValueError(f"the certificates cannot be used: {error}") from None
    return context
