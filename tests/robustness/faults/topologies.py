"""Who holds the games changes: by plan, or because a server dies."""

from __future__ import annotations

import asyncio
import time

from support.clusters import Cluster, slot_of
from support.sentinels import Replicated
from support.servers import RedisServer

from ..environment import World
from .fault import Fault

SENTINEL, CLUSTER = frozenset({"sentinel"}), frozenset({"cluster"})
SLOTS = 16384
MIDWAY = 0.1  # seconds for which a slot is half here, half there


class SentinelFailover(Fault):
    name, about = "sentinel_failover", "a planned failover by Sentinel"
    topologies = SENTINEL

    async def begin(self, world: World) -> None:
        promoted = await asyncio.to_thread(servers(world).fail_over)
        self.note = f"to port {promoted.port}"


class SentinelPrimaryKill(Fault):
    name, about = "sentinel_primary_kill", "kill -9 of the primary, a failover, and the old one comes back"
    topologies = SENTINEL

    async def begin(self, world: World) -> None:
        self._killed = await asyncio.to_thread(servers(world).kill_primary)
        promoted = await asyncio.to_thread(servers(world).promoted, self._killed)
        self.note = f"port {self._killed.port}, then {promoted.port}"

    async def end(self, world: World) -> None:
        await asyncio.to_thread(servers(world).revive, self._killed)


class SentinelPartition(Fault):
    """For a while there are two primaries: what only the last one has is lost when the lines are mended."""

    name, about = (
        "sentinel_partition",
        "replicas are cut off from a primary that clients reach, and one is promoted",
    )
    topologies = SENTINEL

    async def begin(self, world: World) -> None:
        alone = self.coin.uniform(1.0, 3.0)
        await asyncio.to_thread(servers(world).cut_off)
        await asyncio.sleep(alone)
        promoted = await asyncio.to_thread(servers(world).fail_over, told=False)
        self.note = f"{alone:.1f} s, then port {promoted.port}"

    async def end(self, world: World) -> None:
        await asyncio.to_thread(servers(world).reunite)


class ClusterFault(Fault):
    topologies = CLUSTER

    def busy_slot(self, world: World) -> int:
        """One whose game is being played."""
        games = list(world.history.games)[-20:]
        return slot_of(self.coin.choice(games)) if games else 0


class ClusterFailover(ClusterFault):
    name, about = "cluster_failover", "a planned failover of one primary of a cluster"

    async def begin(self, world: World) -> None:
        slot = self.busy_slot(world)
        await asyncio.to_thread(cluster(world).fail_over, slot)
        self.note = f"of slot {slot}"


class ClusterPrimaryKill(ClusterFault):
    name, about = "cluster_primary_kill", "kill -9 of a primary of a cluster, and it comes back as a replica"

    async def begin(self, world: World) -> None:
        slot = self.busy_slot(world)
        self._killed: RedisServer = await asyncio.to_thread(cluster(world).kill_primary, slot)
        await asyncio.to_thread(cluster(world).promoted, slot, self._killed)
        self.note = f"of slot {slot}"

    async def end(self, world: World) -> None:
        await asyncio.to_thread(cluster(world).revive, self._killed)


class Resharding(ClusterFault):
    name, about = "resharding", "slots with games that are being played move to another primary"
    seconds = (0.0, 0.5)

    async def begin(self, world: World) -> None:
        slots = {self.busy_slot(world) for _ in range(6)}
        for slot in slots:
            await asyncio.to_thread(self._move, cluster(world), slot)
        self.note = f"{len(slots)} slots"

    def _move(self, nodes: Cluster, slot: int) -> None:
        to = nodes.owner((slot + SLOTS // 3) % SLOTS)
        if to is not nodes.owner(slot):
            nodes.reshard(slot, to, lambda: time.sleep(MIDWAY))


def servers(world: World) -> Replicated:
    found: Replicated = world.store.servers
    return found


def cluster(world: World) -> Cluster:
    found: Cluster = world.store.servers
    return found
