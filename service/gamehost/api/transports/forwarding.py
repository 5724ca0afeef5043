"""Whose address counts: that of the connection or, behind a proxy of the operator's own, the one it tells.

Anyone can send `X-Forwarded-For`, so it is believed only on connections from configured networks. A proxy
appends the address that it saw, so the list is read from its end: the first address that is not a proxy's is
the caller's, and whatever stands before it was sent by the caller itself. `Forwarded` is not read.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from starlette.types import ASGIApp, Receive, Scope, Send

FORWARDED_FOR = "x-forwarded-for"
IPV6_SITE = 64  # bits of an IPv6 address that tell one site from another: a host chooses the rest at will
WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+")

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class Proxies:
    """The networks whose word is believed; without any, nobody's is."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)

    def caller(self, host: str, forwarded_for: Sequence[str]) -> str:
        """The address that a call comes from; `host` is that of the connection that sent these headers."""
        found = address_of(host) if self._networks and forwarded_for else None
        if found is None:
            return host
        told = [part for header in forwarded_for for part in header.split(",")]
        while self._trusts(found) and told:
            before = address_of(told.pop())
            if before is None:
                break
            found = before
        return str(found)

    def peer(self, connection: str, forwarded_for: Sequence[str]) -> str:
        """The same with a port, which is 0 where a proxy told the address: its connections say nothing."""
        host = connection.rpartition(":")[0]
        caller = self.caller(host, forwarded_for)
        return connection if caller == host else f"{caller}:0"

    def payer_of_connections(self, host: str) -> str | None:
        """Whose limit a connection counts for; None for a proxy, which has connections of many callers."""
        address = address_of(host) if self._networks else None
        return None if address is not None and self._trusts(address) else site(host)

    def _trusts(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._networks)


class ForwardedAddresses:
    """Puts the caller's address in the place of the proxy's, for everything behind it."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self.app, self.proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client"):
            host, _ = scope["client"]
            told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
            caller = self.proxies.caller(host, told)
            if caller != host:
                scope = {**scope, "client": (caller, 0)}
        await self.app(scope, receive, send)


def address_of(text: str) -> Address | None:
    """An address, also one with a port; IPv4 within IPv6 is the same as IPv4."""
    text = text.strip()
    if match := WITH_PORT.fullmatch(text):
        text = match[1] or match[2] or ""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def site(host: str) -> str:
    """Whose limits count for an address: its own for IPv4, those of its /64 for IPv6."""
    address = address_of(host)
    if not isinstance(address, IPv6Address):
        return str(address or host)
    return str(IPv6Network((int(address), IPV6_SITE), strict=False))
