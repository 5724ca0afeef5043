"""Tests of blocks that are limited by one timer for all of them."""

from __future__ import annotations

import asyncio

import pytest

from gamehost.play.interruption import TimeLimit

pytestmark = pytest.mark.asyncio
LONG = 3600.0


async def test_a_block_that_takes_too_long_raises_time_out_error() -> None:
    limit = TimeLimit(0.001)

    with pytest.raises(TimeoutError), limit.block():
        await asyncio.Event().wait()


async def test_every_block_has_the_whole_time_whenever_it_begins() -> None:
    limit, loop = TimeLimit(0.02), asyncio.get_running_loop()

    async def wait_for_the_end() -> float:
        began = loop.time()
        with pytest.raises(TimeoutError), limit.block():
            await asyncio.Event().wait()
        return loop.time() - began

    first = asyncio.create_task(wait_for_the_end())
    await asyncio.sleep(0.01)
    taken = await asyncio.gather(first, wait_for_the_end())

    assert min(taken) >= 0.019  # timers may be early by the resolution of the clock


async def test_a_block_that_ends_in_time_is_not_interrupted_later() -> None:
    limit = TimeLimit(0.001)

    with limit.block():
        pass  # no turn of the event loop, in which a slow machine would let the timer run out

    with pytest.raises(TimeoutError), limit.block():  # the timer of the first block runs out before
        await asyncio.Event().wait()


async def test_who_cancels_the_task_in_a_block_is_heard() -> None:
    limit = TimeLimit(LONG)

    async def wait() -> None:
        with limit.block():
            await asyncio.Event().wait()

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
