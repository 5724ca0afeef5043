"""Tests that concurrent readiness probes share one ping of the store."""

from __future__ import annotations

import asyncio

import pytest

from gamehost.api.transports.recent_check import RecentCheck
from gamehost.settings import Settings
from gamehost.worker import Worker
from support.clock import ManualClock


class Store:
    """A store that answers a ping when `answers` is set."""

    def __init__(self) -> None:
        self.pings, self.good, self.answers = 0, True, asyncio.Event()
        self.answers.set()

    async def ping(self) -> bool:
        self.pings += 1
        await self.answers.wait()
        return self.good


def recent(store: Store, clock: ManualClock) -> RecentCheck:
    return RecentCheck(store.ping, lambda: clock() / 1e6)


async def test_a_result_is_used_for_a_second() -> None:
    store, clock = Store(), ManualClock()
    ready = recent(store, clock)

    first = await ready()
    store.good = False
    clock.advance(0.9)
    second = await ready()
    clock.advance(0.1)
    third = await ready()

    assert (True, True, False) == (first, second, third)
    assert 2 == store.pings


async def test_callers_at_the_same_time_share_a_check_and_one_that_leaves_does_not_end_it() -> None:
    store = Store()
    store.answers.clear()
    ready = recent(store, ManualClock())

    callers = [asyncio.create_task(ready()) for _ in range(100)]
    await asyncio.sleep(0)
    callers[0].cancel()
    await asyncio.sleep(0)
    store.answers.set()
    results = await asyncio.gather(*callers, return_exceptions=True)

    assert isinstance(results[0], asyncio.CancelledError)
    assert [True] * 99 == results[1:]
    assert 1 == store.pings


async def test_a_check_that_fails_is_made_again() -> None:
    async def fail() -> bool:
        raise RuntimeError

    ready = RecentCheck(fail)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            await ready()


async def test_the_readiness_of_a_worker_pings_the_store_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    worker = Worker(Settings(), "redis://127.0.0.1:1")
    monkeypatch.setattr(worker, "_may_serve", lambda: True)
    monkeypatch.setattr(worker, "_store", store)

    results = [await worker._ready() for _ in range(5)]
    worker._draining = True

    assert [True] * 5 == results
    assert 1 == store.pings
    assert not await worker._ready()
