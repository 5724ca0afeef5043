"""Sentinel: a primary that dies, or hands over, under players and watchers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from support.process import Serve
from support.sentinels import Replicated, replicated
from topologies.traffic import traffic

REPLICATED = ("--durability", "replicated", "--replicas", "1")


@pytest.fixture(scope="module")
def topology(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    with replicated(tmp_path_factory.mktemp("sentinel")) as topology:
        yield topology


@pytest.fixture(scope="module")
def addresses(topology: Replicated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Two processes of the service."""
    with ExitStack() as stack:
        started = [
            stack.enter_context(Serve(tmp_path_factory.mktemp("serve"), "--redis", topology.url, *REPLICATED))
            for _ in range(2)
        ]
        yield [f"127.0.0.1:{serve.grpc_port}" for serve in started]


async def test_a_primary_that_is_killed_takes_no_answered_move_along(
    topology: Replicated, addresses: list[str]
) -> None:
    async with traffic(*addresses) as playing:
        killed = await asyncio.to_thread(topology.kill_primary)
        promoted = await asyncio.to_thread(topology.promoted, killed)
        await asyncio.to_thread(topology.revive, killed)

    print(f"{playing.moves} moves, the slowest took {playing.slowest:.1f} s")
    assert promoted is not killed
    assert playing.slowest > 0.5, "nobody moved while the primary was away"


async def test_a_planned_failover_costs_no_move(topology: Replicated, addresses: list[str]) -> None:
    before = topology.primary
    async with traffic(*addresses) as playing:
        promoted = await asyncio.to_thread(topology.fail_over)

    print(f"{playing.moves} moves, the slowest took {playing.slowest:.1f} s")
    assert before is not promoted
