"""Checks where deliveries may be sent, so that nobody can reach networks that are not public.

A URL is checked when a webhook is created. The address that its host resolves to is checked before each
delivery, by whoever opens the connection, and the connection goes to that address: a name that resolves to
another address a moment later changes nothing.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from gamehost.play.errors import InvalidRequest

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?")
# For browsers and resolvers, a host whose last part looks like a number is an IPv4 address.
NUMERIC = re.compile(r"(.*\.)?(0x[0-9a-f]*|[0-9]+)\.?")
LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")
LOWEST_PORT = 1024  # lower ports than this are those of other protocols, such as mail
WEB_PORTS = {"https": 443, "http": 80}
NAT64 = ipaddress.ip_network("64:ff9b::/96")
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
SPECIAL: tuple[IpNetwork, ...] = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays to IPv6
        "168.63.129.16/32",  # the metadata service of Azure, which has a public address
        "2002::/16",  # IPv4 addresses of any kind in IPv6
    )
)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What the operator allows beside public https addresses: `networks`, and URLs with http."""

    networks: tuple[IpNetwork, ...] = ()
    http: bool = False

    def allows(self, address: str) -> bool:
        """Whether deliveries may go to an IP address, in any notation that `ipaddress` reads."""
        found = embedded_ipv4(ipaddress.ip_address(address.partition("%")[0]))
        if any(found in network for network in self.networks if network.version == found.version):
            return True
        special = any(found in network for network in SPECIAL if network.version == found.version)
        if special or found.is_multicast or not found.is_global:
            return False
        return found.version == 4 or found in GLOBAL_UNICAST

    def check_url(self, url: str) -> None:
        """Raise InvalidRequest for a URL that no delivery may be sent to."""
        parts, port = split_url(url)
        if parts.scheme != "https" and not (self.http and parts.scheme == "http"):
            raise InvalidRequest("url", "must begin with https://")
        if parts.username is not None or parts.password is not None:
            raise InvalidRequest("url", "must not contain a user name or a password")
        if parts.fragment:
            raise InvalidRequest("url", "must not contain a fragment")
        if port != WEB_PORTS[parts.scheme] and port < LOWEST_PORT and not self.networks:
            raise InvalidRequest("url", f"must have the port 443, or one of at least {LOWEST_PORT}")
        self._check_host(parts.hostname or "")

    def _check_host(self, host: str) -> None:
        try:
            public = self.allows(host)
        except ValueError:
            public = self._may_be_public(host)
        if not public:
            raise InvalidRequest("url", "must have a host with a public address")

    def _may_be_public(self, host: str) -> bool:
        """Whether a host name may resolve to an address that is allowed."""
        if not HOST.fullmatch(host) or len(host) > 253 or NUMERIC.fullmatch(host):
            return False
        name = host.rstrip(".")
        return bool(self.networks) or ("." in name and not name.endswith(LOCAL_NAMES))


def split_url(url: str) -> tuple[SplitResult, int]:
    """Return the parts of a URL and its port; raises InvalidRequest."""
    # urlsplit removes some control characters silently, so that it would check another URL than is requested.
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise InvalidRequest("url", "must consist of printable ASCII characters; encode all others")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidRequest("url", "is not a URL") from None
    return parts, WEB_PORTS.get(parts.scheme, 0) if port is None else port


def embedded_ipv4(address: IpAddress) -> IpAddress:
    """Return the IPv4 address that an IPv6 address stands for, or the address itself."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address
