"""Parses Redis URLs (one server, Sentinel, Cluster) and makes clients for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

from redis.asyncio import Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import URL_QUERY_ARGUMENT_PARSERS, ConnectionPool, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff

from .batching import Client

URL_FORMS = (
    "redis://, rediss://, unix://, redis+sentinel://host:port,host:port/service[/db] "
    "or redis+cluster://host:port,host:port (rediss+... for TLS)"
)
# Options that a URL must not change, because the store depends on bytes and on plain responses.
FORCED = {"legacy_responses": False, "decode_responses": False}
URL_OPTIONS = URL_QUERY_ARGUMENT_PARSERS.keys() | {
    *("username", "password", "sentinel_username", "sentinel_password"),
    *("host", "port", "db", "path", "connection_class"),
}
PORTS = {"single": 6379, "sentinel": 26379, "cluster": 6379}


class InvalidUrl(ValueError):
    """The URL cannot be used. The message never contains the URL, which may hold a password."""


class PrimaryPool(SentinelConnectionPool):
    """A pool that calls `on_primary` each time the sentinels have named the primary."""

    on_primary: Callable[[tuple[str, int]], None] | None = None

    async def get_master_address(self) -> tuple[str, int]:
        found: tuple[str, int] = await super().get_master_address()  # type: ignore[no-untyped-call]
        if self.on_primary:
            self.on_primary(found)
        return found


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """A parsed URL."""

    kind: str  # single, sentinel or cluster
    hosts: tuple[tuple[str, int], ...]  # empty for a unix socket
    service: str = ""
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def secure(self) -> bool:
        return self.options.get("connection_class") is SSLConnection

    def client(self, name: str, *, timeout: float | None, connect_timeout: float = 3.0) -> Client:
        """Makes a client that never retries: only the caller knows which commands are safe to repeat."""
        defaults = {"socket_timeout": timeout, "socket_connect_timeout": connect_timeout}
        settings = {**defaults, **self.options, **FORCED, "client_name": name}
        if timeout is None:
            settings["socket_timeout"] = None
        if self.kind == "cluster":
            return self._cluster(settings)
        settings["retry"] = Retry(NoBackoff(), 0)
        return self._sentinel(settings) if self.kind == "sentinel" else self._single(settings)

    def node(self, host: str, port: int, name: str, *, timeout: float | None) -> Redis:
        """Makes a client of one node of a cluster."""
        address = RedisAddress(
            "single", ((host, port),), options={**self.options, "host": host, "port": port}
        )
        client = address.client(name, timeout=timeout)
        assert isinstance(client, Redis)
        return client

    def _single(self, settings: dict[str, Any]) -> Redis:
        return Redis.from_pool(ConnectionPool(**settings))

    def _cluster(self, settings: dict[str, Any]) -> RedisCluster:
        options = {k: v for k, v in settings.items() if k not in ("connection_class", "host", "port", "db")}
        # The cluster client reads a changed layout only when it retries, so it needs retries.
        retry = Retry(NoBackoff(), 2)
        nodes = [ClusterNode(host, port) for host, port in self.hosts]
        return RedisCluster(startup_nodes=nodes, ssl=self.secure, retry=retry, **options)

    def _sentinel(self, settings: dict[str, Any]) -> Redis:
        sockets = {k: v for k, v in settings.items() if k.startswith(("socket_", "ssl_"))} | FORCED
        sockets["retry"] = settings["retry"]
        login = {k: settings.pop(f"sentinel_{k}", None) for k in ("username", "password")}
        options = {k: v for k, v in settings.items() if k not in ("connection_class", "host", "port")}
        make_sentinel: Any = Sentinel  # its constructor has no types
        sentinel = make_sentinel(
            self.hosts, sentinel_kwargs={**sockets, **login, "ssl": self.secure}, ssl=self.secure, **options
        )
        master: Redis = sentinel.master_for(self.service, connection_pool_class=PrimaryPool)
        return master


async def close_client(client: Client) -> None:
    await client.aclose()
    if isinstance(client, RedisCluster):
        # aclose() does nothing after it was called to read a changed layout again, but commands that were
        # under way at that time may have opened connections since.
        await asyncio.gather(*(node.disconnect() for node in client.get_nodes()), return_exceptions=True)
    # redis-py does not close the connections to the sentinels with the client that uses them.
    sentinel = getattr(getattr(client, "connection_pool", None), "sentinel_manager", None)
    if sentinel is not None:
        await sentinel.aclose()


def parse_redis_url(url: str) -> RedisAddress:
    """Parses a URL. Raises InvalidUrl."""
    parts = split(url)
    if parts.scheme == "unix":
        if not parts.path.strip("/"):
            raise InvalidUrl("a unix:// URL must name the socket, as in unix:///run/redis.sock")
        return RedisAddress("single", (), options=client_options(url))
    scheme, _, kind = parts.scheme.partition("+")
    if scheme not in ("redis", "rediss") or kind not in ("", "sentinel", "cluster"):
        raise InvalidUrl(f"a Redis URL must be {URL_FORMS}")
    return parse_hosts(parts, scheme, kind or "single")


def parse_hosts(parts: SplitResult, scheme: str, kind: str) -> RedisAddress:
    """Parses a URL with one or more hosts. For the options redis-py gets a URL with the first host only."""
    login, at, hosts = parts.netloc.rpartition("@")
    addresses = tuple(host_and_port(host, PORTS[kind]) for host in hosts.split(","))
    if kind == "single" and len(addresses) > 1:
        raise InvalidUrl("several hosts need redis+sentinel:// or redis+cluster://")
    service, database = path_of(parts.path, kind)
    query = f"?{parts.query}" if parts.query else ""
    first = hosts.split(",")[0]
    return RedisAddress(
        kind, addresses, service, client_options(f"{scheme}://{login}{at}{first}/{database}{query}")
    )


def path_of(path: str, kind: str) -> tuple[str, int]:
    """The name of the Sentinel service and the number of the database."""
    steps = path.strip("/").split("/")
    service = steps.pop(0) if kind == "sentinel" else ""
    if kind == "sentinel" and not service:
        raise InvalidUrl("a sentinel URL must name the service, as in redis+sentinel://host:26379/mymaster")
    database = steps[0] if steps and steps[0] else "0"
    if len(steps) > 1 or not database.isdecimal():
        raise InvalidUrl("the database of a Redis URL must be a number")
    if kind == "cluster" and int(database):
        raise InvalidUrl("a cluster has only database 0")
    return service, int(database)


def host_and_port(text: str, default: int) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidUrl("the port of a Redis URL must be a number below 65536") from None
    if not host:
        raise InvalidUrl("a Redis URL must name a host")
    return host, default if port is None else port


def split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise InvalidUrl(f"a Redis URL must be {URL_FORMS}") from None


def client_options(url: str) -> dict[str, Any]:
    """The options of the client; the query may name options of redis-py, such as `socket_timeout`."""
    try:
        found = dict(parse_url(url))
    except ValueError:
        raise InvalidUrl("an option of the Redis URL has an invalid value") from None
    for name in found.keys() - URL_OPTIONS:
        if not name.startswith("ssl_"):
            raise InvalidUrl(f"a Redis URL has no option {name}")
    return found
