"""Reads from a server how durable acknowledged writes are: its settings, and the replicas that follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import NoPermissionError

from .batching import Client
from .client import InvalidUrl, RedisAddress, close_client
from .errors import NO_DATABASE, as_store_error

SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy", "save")
SECTIONS = ("server", "memory", "persistence", "replication")
FSYNC = {
    "always": "durable: append-only file, fsync always",
    "everysec": "append-only file, fsync every second: "
    "up to a second of acknowledged moves may be lost on a crash",
    "no": "append-only file, fsync left to the system: acknowledged moves may be lost on a crash",
}


class EvictingServer(Exception):
    """The server is configured to evict keys, so it may drop games when memory runs short."""


class WeakServer(Exception):
    """The server is less durable than the configured mode requires."""


class TooFewReplicas(WeakServer):
    """Fewer replicas follow the server than are required."""


@dataclass(frozen=True, slots=True)
class Durability:
    """The durability of writes to a server. A field is None if the server does not permit to read it."""

    server: str
    policy: str | None
    append_only: bool | None
    fsync: str | None
    snapshots: bool | None
    replicas: int | None
    # The primaries of a cluster. The other fields are then those of the weakest of them.
    servers: tuple[Durability, ...] = ()

    @property
    def durable(self) -> bool:
        """Whether an acknowledged move survives a crash of the server and a power cut."""
        return bool(self.append_only and self.fsync == "always")

    def demand(self, mode: str | None, replicas: int = 0) -> None:
        """Raises WeakServer if a server is known to be weaker than a mode requires; unknown fields pass."""
        if mode not in ("durable", "replicated"):
            return
        for server in self.servers or (self,):
            server._demand_log(mode)
        for server in self.servers or (self,):
            if mode == "replicated" and server.replicas is not None:
                server._demand_replicas(server.replicas, replicas)

    def _demand_log(self, mode: str) -> None:
        if self.append_only is False or self.fsync not in (None, "always"):
            raise WeakServer(
                f"durability {mode} was asked for, but {self.server} is: {self.text}; "
                "set appendonly yes and appendfsync always"
            )

    def _demand_replicas(self, found: int, wanted: int) -> None:
        """Requires exactly the wanted number of replicas.

        More are refused as well: WAIT counts the replicas that are first to have a write, and a failover may
        promote one that was not among them.
        """
        text = f"durability replicated was asked for with {wanted} replicas, but {self.server} has {found}"
        if found < wanted:
            raise TooFewReplicas(text)
        if found > wanted:
            raise WeakServer(
                f"{text}, and any {wanted} of them would do for an answer; ask for {found}, "
                "or let those that are never promoted follow a replica instead"
            )

    @property
    def text(self) -> str:
        """A description in one line for the log at start."""
        if self.append_only is None:
            return "unknown (CONFIG and INFO are not permitted)"
        if self.append_only:
            return FSYNC.get(self.fsync or "", "append-only file, fsync unknown (CONFIG is not permitted)")
        if self.snapshots:
            return "snapshots only: everything after the last snapshot is lost on a crash"
        if self.snapshots is None:
            return "no append-only file, snapshots unknown (CONFIG is not permitted)"
        return "memory only: everything is lost on restart"


async def inspect_server(address: RedisAddress, timeout: float) -> Durability:
    """Inspects a server on a new connection; an existing one may lead to a former primary."""
    client = address.client("shedu-look", timeout=timeout)
    try:
        return await inspect(client)
    finally:
        await close_client(client)


async def inspect(client: Client) -> Durability:
    """Returns the durability of the weakest primary. Raises EvictingServer if one of them may evict keys."""
    try:
        nodes = await primaries(client)
        found = [durability_of_node(node, await config(node), await info(node)) for node in nodes]
    except Exception as error:
        if str(error).startswith(NO_DATABASE):
            raise InvalidUrl(
                "the server has no database of that number: see its setting `databases`"
            ) from None
        raise as_store_error(error) from error
    for server in found:
        if server.policy not in (None, "noeviction"):
            raise EvictingServer(
                f"{server.server} has maxmemory-policy {server.policy} and would drop games "
                "when memory runs short; set maxmemory-policy noeviction"
            )
    weakest = min(found, key=lambda server: (bool(server.append_only), server.durable))
    return weakest if len(found) == 1 else replace(weakest, servers=tuple(found))


async def primaries(client: Client) -> list[Any]:
    if not isinstance(client, RedisCluster):
        return [client]
    await client.initialize()
    return list(client.get_primaries())


async def config(node: Any) -> dict[str, str]:
    try:
        answers: dict[str, str] = await node.execute_command("CONFIG GET", *SETTINGS)
    except NoPermissionError:
        return {}
    return answers


async def info(node: Any) -> dict[str, Any]:
    try:
        answers: dict[str, Any] = await node.execute_command("INFO", *SECTIONS)
    except NoPermissionError:
        return {}
    return answers


def durability_of_node(node: Any, settings: Mapping[str, str], facts: Mapping[str, Any]) -> Durability:
    """Combines the answers of CONFIG GET and INFO; managed services often permit only INFO."""
    append_only = settings["appendonly"] == "yes" if "appendonly" in settings else None
    if append_only is None and "aof_enabled" in facts:
        append_only = facts["aof_enabled"] == 1
    return Durability(
        server=server_of(facts) + (f" at {node.name}" if isinstance(node, ClusterNode) else ""),
        policy=settings.get("maxmemory-policy") or facts.get("maxmemory_policy"),
        append_only=append_only,
        fsync=settings.get("appendfsync"),
        snapshots=bool(settings["save"]) if "save" in settings else None,
        replicas=facts.get("connected_slaves"),
    )


def server_of(facts: Mapping[str, Any]) -> str:
    name = facts.get("server_name", "redis")
    version = facts.get(f"{name}_version") or facts.get("redis_version")
    return f"{name} {version}" if version else "an unknown server"
