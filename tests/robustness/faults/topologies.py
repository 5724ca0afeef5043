"""Faults that move games to another Redis server: planned failovers, killed primaries, resharding."""

from __future__ import annotations

import asyncio
import time

from support.clusters import Cluster, slot_of
from support.sentinels import Replicated
from support.servers import RedisServer

from ..environment import Environment
from .fault import Fault

SENTINEL, CLUSTER = frozenset({"sentinel"}), frozenset({"cluster"})
SLOTS = 16384
MIDWAY = 0.1  # seconds for which a slot is half migrated


class SentinelFailover(Fault):
    name, about = "sentinel_failover", "a planned failover by Sentinel"
    topologies = SENTINEL

    async def begin(self, environment: Environment) -> None:
        promoted = await asyncio.to_thread(servers(environment).fail_over)
        self.note = f"to port {promoted.port}"


class SentinelPrimaryKill(Fault):
    name, about = "sentinel_primary_kill", "kill -9 of the primary, a failover, and the old one comes back"
    topologies = SENTINEL

    async def begin(self, environment: Environment) -> None:
        self._killed = await asyncio.to_thread(servers(environment).kill_primary)
        promoted = await asyncio.to_thread(servers(environment).promoted, self._killed)
        self.note = f"port {self._killed.port}, then {promoted.port}"

    async def end(self, environment: Environment) -> None:
        await asyncio.to_thread(servers(environment).revive, self._killed)


class SentinelPartition(Fault):
    """Creates two primaries for a while; writes that only the old one has are lost when it rejoins."""

    name, about = (
        "sentinel_partition",
        "replicas are cut off from a primary that clients reach, and one is promoted",
    )
    topologies = SENTINEL

    async def begin(self, environment: Environment) -> None:
        alone = self.coin.uniform(1.0, 3.0)
        await asyncio.to_thread(servers(environment).cut_off)
        await asyncio.sleep(alone)
        promoted = await asyncio.to_thread(servers(environment).fail_over, told=False)
        self.note = f"{alone:.1f} s, then port {promoted.port}"

    async def end(self, environment: Environment) -> None:
        await asyncio.to_thread(servers(environment).reunite)


class ClusterFault(Fault):
    topologies = CLUSTER

    def busy_slot(self, environment: Environment) -> int:
        """Returns the slot of one of the newest games."""
        games = list(environment.history.games)[-20:]
        return slot_of(self.coin.choice(games)) if games else 0


class ClusterFailover(ClusterFault):
    name, about = "cluster_failover", "a planned failover of one primary of a cluster"

    async def begin(self, environment: Environment) -> None:
        slot = self.busy_slot(environment)
        await asyncio.to_thread(cluster(environment).fail_over, slot)
        self.note = f"of slot {slot}"


class ClusterPrimaryKill(ClusterFault):
    name, about = "cluster_primary_kill", "kill -9 of a primary of a cluster, and it comes back as a replica"

    async def begin(self, environment: Environment) -> None:
        slot = self.busy_slot(environment)
        self._killed: RedisServer = await asyncio.to_thread(cluster(environment).kill_primary, slot)
        await asyncio.to_thread(cluster(environment).promoted, slot, self._killed)
        self.note = f"of slot {slot}"

    async def end(self, environment: Environment) -> None:
        await asyncio.to_thread(cluster(environment).revive, self._killed)


class Resharding(ClusterFault):
    name, about = "resharding", "slots with games that are being played move to another primary"
    seconds = (0.0, 0.5)

    async def begin(self, environment: Environment) -> None:
        slots = {self.busy_slot(environment) for _ in range(6)}
        for slot in slots:
            await asyncio.to_thread(self._move, cluster(environment), slot)
        self.note = f"{len(slots)} slots"

    def _move(self, nodes: Cluster, slot: int) -> None:
        to = nodes.owner((slot + SLOTS // 3) % SLOTS)
        if to is not nodes.owner(slot):
            nodes.reshard(slot, to, lambda: time.sleep(MIDWAY))


def servers(environment: Environment) -> Replicated:
    found: Replicated = environment.store.servers
    return found


def cluster(environment: Environment) -> Cluster:
    found: Cluster = environment.store.servers
    return found
