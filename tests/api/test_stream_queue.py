"""The queue of new streams: many streams that start at once do not delay other calls."""

from __future__ import annotations

import asyncio

from gamehost.api.pipeline.stream_queue import MOST_PAUSES, StreamQueue
from support.fake_sleep import FakeSleep
from support.waiting import settle


async def test_one_begins_after_another_in_the_order_they_came():
    sleep, begun = FakeSleep(held=True), list[int]()
    line = StreamQueue(0.5, sleep)

    async def come(number: int) -> None:
        await line.wait_turn()
        begun.append(number)

    coming = [asyncio.create_task(come(number)) for number in range(3)]
    await settle()
    seen = []
    for _ in coming:
        seen.append((list(begun), line.waiting))
        await sleep.end()

    assert [([], 3), ([0], 2), ([0, 1], 1)] == seen
    assert [0, 1, 2] == begun
    assert [0.5] * 3 == sleep.begun


async def test_while_a_crowd_comes_nobody_begins_but_not_for_ever():
    sleep = FakeSleep(held=True)
    line = StreamQueue(0.5, sleep)
    first = asyncio.create_task(line.wait_turn())
    crowd = [first]
    await settle()

    for _ in range(MOST_PAUSES):
        assert not first.done()
        crowd += [asyncio.create_task(line.wait_turn()) for _ in range(10)]
        await settle()
        await sleep.end()

    assert first.done()
    for each in crowd:
        each.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    assert 0 == line.waiting


async def test_after_a_crowd_has_come_one_begins_with_each_rest():
    sleep = FakeSleep(held=True)
    line = StreamQueue(0.5, sleep)
    crowd = [asyncio.create_task(line.wait_turn()) for _ in range(50)]
    await settle()
    await sleep.end()
    assert not any(each.done() for each in crowd)

    for _ in range(3):
        await sleep.end()

    assert [True] * 3 + [False] * 47 == [each.done() for each in crowd]
    for each in crowd:
        each.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)


async def test_after_one_that_was_sent_away_the_next_begins_without_a_rest():
    sleep = FakeSleep(held=True)
    line = StreamQueue(0.5, sleep)
    coming = [asyncio.create_task(line.wait_turn()) for _ in range(2)]
    await settle()

    line.skip_next_pause()
    await sleep.end()

    assert [0.5, 0] == sleep.begun
    await sleep.end()
    await asyncio.gather(*coming)
