"""Cluster: primaries that die or hand over, and slots that move, under players and watchers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from gamehost.stores.redis import POLL
from support.clusters import Cluster, cluster_of, slot_of
from topologies.traffic import Traffic, traffic, two_services

REPLICATED = ("--durability", "replicated", "--replicas", "1")
TABLES = 6
MIDWAY = 0.1  # seconds for which a slot is half here, half there


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_of(tmp_path_factory.mktemp("cluster"), replicas=1) as found:
        yield found


@pytest.fixture(scope="module")
def addresses(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    arguments = ("--redis", cluster.url, *REPLICATED)
    with two_services(tmp_path_factory.mktemp("serve"), *arguments) as found:
        yield found


def busy_slot(playing: Traffic) -> int:
    """One whose game is being played."""
    return slot_of(playing.games[-1].game.id)


async def test_a_primary_that_is_killed_takes_no_answered_move_along(
    cluster: Cluster, addresses: list[str]
) -> None:
    async with traffic(*addresses, tables=TABLES) as playing:
        slot = busy_slot(playing)
        killed = await asyncio.to_thread(cluster.kill_primary, slot)
        promoted = await asyncio.to_thread(cluster.promoted, slot, killed)
        await asyncio.to_thread(cluster.revive, killed)

    print(playing)
    assert promoted is not killed
    assert playing.longest > 0.5, "nobody moved while the primary was away"


async def test_a_planned_failover_costs_no_move(cluster: Cluster, addresses: list[str]) -> None:
    async with traffic(*addresses, tables=TABLES) as playing:
        slot = busy_slot(playing)
        before = cluster.owner(slot)
        promoted = await asyncio.to_thread(cluster.fail_over, slot)

    print(playing)
    assert before is not promoted
    assert playing.latest < POLL, "watchers were not woken"


async def test_slots_that_move_under_traffic_cost_no_move(cluster: Cluster, addresses: list[str]) -> None:
    async with traffic(*addresses, tables=TABLES) as playing:
        games = [each.game.id for each in playing.games[-TABLES:]]
        for game in games:
            slot = slot_of(game)
            source = cluster.owner(slot)
            to = cluster.owner((slot + 16384 // 3) % 16384)
            await asyncio.to_thread(cluster.reshard, slot, to, lambda: time.sleep(MIDWAY))
            assert to is cluster.owner(slot) is not source

    print(playing)
    assert playing.latest < POLL, "watchers were not woken"
