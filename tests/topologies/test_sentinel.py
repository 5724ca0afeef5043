"""Tests of Sentinel under traffic: a killed primary, and a planned failover."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from gamehost.play.ports.event_log import StaleVersion, StoredEvent
from gamehost.stores.redis.store import RedisEventStore
from support.sentinels import Replicated, replicated, role
from support.waiting import PATIENCE, until
from topologies.traffic import services, traffic, unpolled

REPLICATED = ("--durability", "replicated", "--replicas", "1")


@pytest.fixture(scope="module")
def topology(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    with replicated(tmp_path_factory.mktemp("sentinel")) as topology:
        yield topology


@pytest.fixture(scope="module")
def addresses(topology: Replicated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    arguments = ("--redis", topology.url, *REPLICATED)
    with services(tmp_path_factory.mktemp("serve"), *arguments) as found:
        yield found


async def test_a_primary_that_is_killed_takes_no_answered_move_along(
    topology: Replicated, addresses: list[str]
) -> None:
    async with traffic(*addresses) as playing:
        killed = await asyncio.to_thread(topology.kill_primary)
        promoted = await asyncio.to_thread(topology.promoted, killed)
        await asyncio.to_thread(topology.revive, killed)

    print(playing)
    assert promoted is not killed
    assert playing.longest > 0.5, "moves did not stop while the primary was down"


async def test_a_planned_failover_costs_no_move(topology: Replicated, addresses: list[str]) -> None:
    before = topology.primary
    async with traffic(*addresses) as playing:
        promoted = await asyncio.to_thread(topology.fail_over)

    print(playing)
    assert before is not promoted


async def test_nobody_stays_with_a_primary_that_has_handed_over(tmp_path: Path) -> None:
    with replicated(tmp_path, sentinels=1) as topology:
        async with unpolled(topology.url) as store, asyncio.timeout(PATIENCE):
            games = (f"g{number}" for number in count())
            while not await was_left_in_time(topology, store, next(games)):
                pass


async def was_left_in_time(topology: Replicated, store: RedisEventStore, game: str) -> bool:
    """Whether a follower got a move while the old primary did not know that it was replaced.

    Sentinel demotes it after 8 seconds; on a busy machine that may come first, and then nothing is shown.
    """
    await store.append(game, [b"a"], expected=0)
    follower = store.follow(game, after=0)
    await anext(follower)
    before = topology.primary
    await until(lambda: before.ask("PUBSUB SHARDCHANNELS", f"shedu:{{{game}}}:*"))
    await store.append(game, [b"b"], expected=1)
    await anext(follower)  # a new subscription reads once without a notification

    promoted = await asyncio.to_thread(topology.fail_over, told=False)
    probe = f"probe-{game}"
    while not promoted.ask("EXISTS", f"shedu:{{{probe}}}:events"):
        with suppress(StaleVersion):  # the version came from the old primary
            await store.append(probe, [b"x"], expected=await store.version(probe))
        await asyncio.sleep(0.1)
    await store.append(game, [b"c"], expected=2)

    assert [StoredEvent(3, b"c")] == await anext(follower)
    return role(before) == "master"
