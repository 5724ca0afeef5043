"""Tests that all processes use the time of the store, and that none waits for it."""

from __future__ import annotations

import time

import pytest

from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.stores import clock
from gamehost.stores.clock import SKEW_TOLERANCE, SLOW_ANSWER, SYNC_INTERVAL, StoreClock
from gamehost.stores.memory import MemoryEventStore
from support.clock import ManualClock
from support.waiting import settle

HOUR = 3_600_000_000
BEGAN = 1_800_000_000_000_000


class Elsewhere(MemoryEventStore):
    """A store whose clock can be set, and which can be unavailable or slow."""

    def __init__(self, steady: ManualClock) -> None:
        super().__init__()
        self._steady = steady
        self.ahead, self.away, self.slow = HOUR, False, 0

    async def time(self) -> int:
        self._steady.now += self.slow
        if self.away:
            raise StoreUnavailable("away")
        return BEGAN + self._steady.now + self.ahead


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    found = ManualClock(1_000_000)
    monkeypatch.setattr(clock, "monotonic", found)
    return found


@pytest.fixture
def store(steady: ManualClock) -> Elsewhere:
    return Elsewhere(steady)


def ahead(now: StoreClock, steady: ManualClock) -> int:
    return now() - BEGAN - steady.now


async def looked(now: StoreClock, steady: ManualClock) -> int:
    """Returns how far the clock is ahead after another synchronization with the store."""
    steady.now += SYNC_INTERVAL
    now()
    await settle()
    return ahead(now, steady)


async def test_it_is_the_stores_time_from_the_first_moment(store: Elsewhere, steady: ManualClock) -> None:
    assert HOUR == ahead(await StoreClock.of(store), steady)


async def test_it_follows_the_store_from_one_look_to_the_next(store: Elsewhere, steady: ManualClock) -> None:
    now = await StoreClock.of(store)
    await looked(now, steady)

    store.ahead = 2 * HOUR
    steady.now += SYNC_INTERVAL - 1
    now()
    await settle()

    assert HOUR == ahead(now, steady)
    assert 2 * HOUR == await looked(now, steady)


async def test_nobody_waits_for_the_store(store: Elsewhere, steady: ManualClock) -> None:
    now = await StoreClock.of(store)
    store.ahead = 2 * HOUR
    steady.now += SYNC_INTERVAL

    assert HOUR == ahead(now, steady)


async def test_between_looks_it_goes_on_whatever_this_machines_clock_says(
    store: Elsewhere, steady: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = await StoreClock.of(store)
    before, real = now(), time.time_ns

    monkeypatch.setattr(time, "time_ns", lambda: real() + 10**13)
    steady.now += 7_000_000

    assert 7_000_000 == now() - before


async def test_a_store_that_is_away_or_slow_changes_nothing(store: Elsewhere, steady: ManualClock) -> None:
    now = await StoreClock.of(store)
    store.ahead = 3 * HOUR

    store.away = True
    assert HOUR == await looked(now, steady)
    store.away, store.slow = False, SLOW_ANSWER + 1
    assert HOUR == await looked(now, steady)
    store.slow = 0
    assert 3 * HOUR == await looked(now, steady)


async def test_what_the_way_there_and_back_takes_lets_no_time_jump(
    store: Elsewhere, steady: ManualClock
) -> None:
    now = await StoreClock.of(store)

    store.ahead += SKEW_TOLERANCE

    assert HOUR == await looked(now, steady)
