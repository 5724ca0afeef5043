"""The caller's address: that of the connection or, behind a trusted proxy, the one in X-Forwarded-For.

Anyone can send `X-Forwarded-For`, so it is trusted only on connections from configured networks. A proxy
appends the address that it saw, so the list is read from its end: the first address that is not a proxy's is
the caller's, and the addresses before it were sent by the caller and prove nothing. `Forwarded` is not read.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from starlette.types import ASGIApp, Receive, Scope, Send

FORWARDED_FOR = "x-forwarded-for"
# Prefix length under which IPv6 addresses share limits. A host chooses the other 64 bits freely, so it could
# evade a limit per address by using a new address for every connection.
IPV6_SITE = 64
WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+")

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class Proxies:
    """The networks of trusted proxies; without any, X-Forwarded-For is ignored."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)

    @property
    def known(self) -> bool:
        """Whether any proxies are configured."""
        return bool(self._networks)

    def caller(self, host: str, forwarded_for: Sequence[str]) -> str:
        """Returns the caller's address; `host` is the address of the connection that sent these headers."""
        found = address_of(host) if self._networks and forwarded_for else None
        if found is None:
            return host
        hops = [part for header in forwarded_for for part in header.split(",")]
        while self._trusts(found) and hops:
            before = address_of(hops.pop())
            if before is None:  # malformed: the last proxy that could be verified counts as the caller
                break
            found = before
        return str(found)

    def peer(self, connection: str, forwarded_for: Sequence[str]) -> str:
        """Returns the caller's address with a port.

        The port is 0 if the address comes from a proxy: the proxy shares its connections between callers.
        """
        host = connection.rpartition(":")[0]
        caller = self.caller(host, forwarded_for)
        return connection if caller == host else f"{caller}:0"

    def limited_address(self, host: str) -> str | None:
        """Returns the address whose connection limit applies.

        None for a proxy, whose connections belong to many callers.
        """
        address = address_of(host) if self._networks else None
        return None if address is not None and self._trusts(address) else limit_key(host)

    def _trusts(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._networks)


class ForwardedAddresses:
    """Middleware that replaces a trusted proxy's address in the scope by the caller's."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app, self.proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope_with_caller(scope, self.proxies), receive, send)


def scope_with_caller(scope: Scope, proxies: Proxies) -> Scope:
    """Returns the scope with the caller's address in place of a trusted proxy's."""
    if scope["type"] != "http" or not scope.get("client") or not proxies.known:
        return scope
    host, _ = scope["client"]
    forwarded_for = [
        value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"
    ]
    caller = proxies.caller(host, forwarded_for)
    return scope if caller == host else {**scope, "client": (caller, 0)}


def address_of(text: str) -> Address | None:
    """Parses an address with or without a port; returns None if it is invalid.

    An IPv4 address that is mapped into IPv6 is returned as IPv4, so that both forms share their limits.
    """
    text = text.strip()
    if match := WITH_PORT.fullmatch(text):
        text = match[1] or match[2] or ""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


@lru_cache(4096)
def limit_key(host: str) -> str:
    """Returns what limits per address are keyed by: the address for IPv4, its /64 network for IPv6.

    Cached, because parsing an address takes 6 µs and every call needs it twice.
    """
    address = address_of(host)
    if not isinstance(address, IPv6Address):
        return str(address or host)
    return str(IPv6Network((int(address), IPV6_SITE), strict=False))
