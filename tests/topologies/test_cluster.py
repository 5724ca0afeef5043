"""Tests of Redis Cluster under traffic: killed primaries, planned failovers, and moved slots."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from gamehost.play.ports.event_log import StoredEvent
from support.clusters import Cluster, cluster_of, slot_of
from support.waiting import PATIENCE, until
from topologies.traffic import Traffic, services, traffic, unpolled

REPLICATED = ("--durability", "replicated", "--replicas", "1")
TABLES = 6
MIDWAY = 0.1  # seconds for which a slot is half migrated
FOLLOWED = 12  # games, over all nodes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_of(tmp_path_factory.mktemp("cluster"), replicas=1) as found:
        yield found


@pytest.fixture(scope="module")
def addresses(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    arguments = ("--redis", cluster.url, *REPLICATED)
    with services(tmp_path_factory.mktemp("serve"), *arguments) as found:
        yield found


def busy_slot(playing: Traffic) -> int:
    """Returns the slot of a game that is being played."""
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
    assert playing.longest > 0.5, "moves did not stop while the primary was down"


async def test_a_planned_failover_costs_no_move(cluster: Cluster, addresses: list[str]) -> None:
    async with traffic(*addresses, tables=TABLES) as playing:
        slot = busy_slot(playing)
        before = cluster.owner(slot)
        promoted = await asyncio.to_thread(cluster.fail_over, slot)

    print(playing)
    assert before is not promoted


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


def subscriptions(cluster: Cluster) -> int:
    return sum(len(node.ask("PUBSUB SHARDCHANNELS", "shedu:{followed*")) for node in cluster.nodes)


async def test_followers_are_told_when_their_slots_have_another_node(cluster: Cluster) -> None:
    """After a failover, and after a slot was moved; the followers do not poll."""
    games = [f"followed{number}" for number in range(FOLLOWED)]
    async with unpolled(f"{cluster.url}?socket_timeout={PATIENCE}") as store, asyncio.timeout(PATIENCE):
        for game in games:
            await store.append(game, [b"a"], expected=0)
        followers = [store.follow(game, after=0) for game in games]
        for follower in followers:
            await anext(follower)
        await until(lambda: subscriptions(cluster) == FOLLOWED)
        for game, follower in zip(games, followers, strict=True):
            await store.append(game, [b"b"], expected=1)
            await anext(follower)  # a new subscription reads once without a notification

        first, *_, last = games
        await asyncio.to_thread(cluster.fail_over, slot_of(first))
        to = cluster.owner((slot_of(last) + 16384 // 3) % 16384)
        await asyncio.to_thread(cluster.reshard, slot_of(last), to)
        for game in games:
            await store.append(game, [b"c"], expected=2)

        assert [[StoredEvent(3, b"c")]] * FOLLOWED == [await anext(follower) for follower in followers]
