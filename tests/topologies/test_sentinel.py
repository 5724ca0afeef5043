"""Sentinel: a primary that dies, or hands over, under players and watchers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from gamehost.stores.redis import POLL
from support.sentinels import Replicated, replicated
from topologies.traffic import traffic, two_services

REPLICATED = ("--durability", "replicated", "--replicas", "1")


@pytest.fixture(scope="module")
def topology(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    with replicated(tmp_path_factory.mktemp("sentinel")) as topology:
        yield topology


@pytest.fixture(scope="module")
def addresses(topology: Replicated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    arguments = ("--redis", topology.url, *REPLICATED)
    with two_services(tmp_path_factory.mktemp("serve"), *arguments) as found:
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
    assert playing.longest > 0.5, "nobody moved while the primary was away"


async def test_a_planned_failover_costs_no_move(topology: Replicated, addresses: list[str]) -> None:
    before = topology.primary
    async with traffic(*addresses) as playing:
        promoted = await asyncio.to_thread(topology.fail_over)

    print(playing)
    assert before is not promoted
    assert playing.latest < POLL, "watchers were not woken"
