"""The summary that `shedu serve` prints at its start."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from gamehost import __version__
from gamehost.rules.catalog import CATALOG
from gamehost.settings import IdentityMode, Settings
from gamehost.stores.redis.durability import Durability

WAITING = "unknown: the store does not answer. The service waits for it; calls fail with UNAVAILABLE"


def show_banner(console: Console, settings: Settings, durability: Durability | None) -> None:
    """Print the addresses and settings. `durability` is None if the store has not answered yet."""
    scheme = "https" if settings.tls_cert else "http"
    place = "the given Redis" if settings.redis else str(settings.data_dir)
    console.print(f"[bold]Shedu {__version__}[/] serves {', '.join(sorted(CATALOG))}")
    for name, text in (
        ("REST, Connect", f"{scheme}://{settings.host}:{settings.port}  (play there, read /docs)"),
        ("gRPC", f"{'grpcs://' if settings.tls_cert else ''}{settings.host}:{settings.grpc_port}"),
        ("TLS", tls_text(settings)),
        ("games in", f"{place}  ({durability.server})" if durability else place),
        ("durability", durability_text(settings, durability) if durability else WAITING),
        ("identity", identity(settings)),
    ):
        console.print(f"  {name:<15}", text, sep="", highlight=False, markup=False)
    for warning in warnings(settings):
        console.print("[bold yellow]  WARNING[/]       ", warning, highlight=False)


def durability_text(settings: Settings, durability: Durability) -> str:
    """Describe the durability that was requested and the one that the server reports."""
    if settings.durability is None:
        return durability.text
    waits = (
        f", every write on {settings.replicas} replicas before it is answered" if settings.replicas else ""
    )
    return (
        f"{settings.durability} (requested); the server: {durability.text.removeprefix('durable: ')}{waits}"
    )


def tls_text(settings: Settings) -> str:
    if settings.tls_client_ca:
        return f"{settings.tls_cert}; callers need a certificate of {settings.tls_client_ca}"
    return str(settings.tls_cert) if settings.tls_cert else "none"


def identity(settings: Settings) -> str:
    if settings.identity is IdentityMode.KEYS:
        return "keys: callers need an API key, as `shedu keys create` makes them"
    if settings.identity is IdentityMode.OPEN:
        return "open: callers need no identity; seat tokens protect the seats"
    named = (
        f"issuer {settings.jwt_issuer or 'not checked'}, audience {settings.jwt_audience or 'not checked'}"
    )
    return f"jwt: callers need a token signed by {settings.jwt_keys_file or settings.jwt_jwks_url}; {named}"


def warnings(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each insecure setting."""
    if settings.identity is IdentityMode.OPEN and not settings.loopback and not settings.tls_client_ca:
        yield (
            f"OPEN TO ALL: anyone who reaches {settings.host} may create, watch and join games, "
            "without an identity. Use --identity keys or jwt, or --host 127.0.0.1."
        )
    if settings.identity is IdentityMode.JWT and not settings.jwt_audience:
        yield "ANY AUDIENCE: tokens that the issuer made for other services are accepted; use --jwt-audience."
    if not settings.loopback and not settings.tls_cert:
        yield (
            "NO TLS: keys, seat tokens and hidden cards travel in clear text; "
            "use --tls-cert and --tls-key, or put a proxy with TLS in front."
        )
