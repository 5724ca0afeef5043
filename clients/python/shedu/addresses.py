"""The address of a server, with its TLS settings."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

PLAIN, TLS = ("", "grpc", "http"), ("grpcs", "https")
PLAIN_PORT, TLS_PORT = 50051, 443
HERE = "localhost:50051"
NAME = re.compile(r"[^\s.]+(\.[^\s.]+)*\.?")

# Detects a dead connection within 20 seconds, and reconnects within two.
CHANNEL_OPTIONS = [
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 64 << 20),
]


@dataclass(frozen=True, slots=True)
class Certificates:
    """PEM: the authorities to trust instead of those of gRPC, and the certificate of the client."""

    roots: bytes | None = field(default=None, repr=False)
    client_cert: bytes | None = field(default=None, repr=False)
    client_key: bytes | None = field(default=None, repr=False)


NO_CERTIFICATES = Certificates()


@dataclass(frozen=True, slots=True)
class Address:
    target: str
    tls: bool = False
    certificates: Certificates = NO_CERTIFICATES


def address_of(server: str = "", certificates: Certificates = NO_CERTIFICATES) -> Address:
    """Parses `host:port`, `grpc://…` or, with TLS, `grpcs://…`; the default is SHEDU_SERVER or localhost."""
    wanted = server or os.environ.get("SHEDU_SERVER", "") or HERE
    try:
        parts = urlsplit(wanted if "://" in wanted else f"//{wanted}")
        port = parts.port
    except ValueError:
        raise _not_an_address(wanted) from None
    if parts.scheme not in PLAIN + TLS or "@" in parts.netloc or not NAME.fullmatch(parts.hostname or ""):
        raise _not_an_address(wanted)
    if port == 0 or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _not_an_address(wanted)
    tls = parts.scheme in TLS
    target = parts.netloc if port else f"{parts.netloc.rstrip(':')}:{TLS_PORT if tls else PLAIN_PORT}"
    if certificates.client_cert and not tls:
        raise ValueError(f"{target} would get no certificate: an address with TLS begins with grpcs://")
    return Address(target, tls, complete(certificates) if tls else certificates)


def complete(given: Certificates) -> Certificates:
    """Reads settings that are not given from the files that the environment names."""
    roots = given.roots or _file("SHEDU_SERVER_CA")
    if given.client_cert or given.client_key:
        found = Certificates(roots, given.client_cert, given.client_key)
    else:
        found = Certificates(roots, _file("SHEDU_CLIENT_CERT"), _file("SHEDU_CLIENT_KEY"))
    if (found.client_cert is None) != (found.client_key is None):
        raise ValueError("a client certificate needs its key, and a key its certificate")
    return found


def _file(variable: str) -> bytes | None:
    name = os.environ.get(variable, "")
    if not name:
        return None
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise ValueError(f"{variable}: {name} cannot be read: {error.strerror}") from None


def _not_an_address(server: str) -> ValueError:
    shown = "This" if "@" in server else server  # the part before it may be a password
    return ValueError(
        f"{shown} is not an address of a server, such as localhost:50051 or grpcs://play.example.org"
    )


def token_of(token: str | None) -> str:
    """Returns a seat token, an API key or a JWT, by default SHEDU_TOKEN. It is never part of a message."""
    found = os.environ.get("SHEDU_TOKEN", "") if token is None else token
    if not found.strip().isascii() or not found.strip().isprintable():
        raise ValueError("a token has only printable ASCII characters")
    return found.strip()


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()
