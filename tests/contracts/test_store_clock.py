"""All processes go by the store's time, and none waits for it."""

from __future__ import annotations

import asyncio
import time

from gamehost.play.ports import StoreUnavailable
from gamehost.stores import clock
from gamehost.stores.clock import StoreClock
from gamehost.stores.memory import MemoryEventStore

HOUR = 3_600_000_000


class Elsewhere(MemoryEventStore):
    """A store whose clock can be set, and which can be away or slow."""

    ahead, away, slow = HOUR, False, 0.0

    async def time(self) -> int:
        await asyncio.sleep(self.slow)
        if self.away:
            raise StoreUnavailable("away")
        return await super().time() + self.ahead


def ahead(now: StoreClock) -> float:
    """Hours before this machine, to the nearest minute."""
    return round((now() - time.time_ns() // 1000) / HOUR, 2)


async def looked(now: StoreClock) -> float:
    """After another look at the store."""
    now._next_look = 0
    now()
    assert now._looking is not None
    await now._looking
    return ahead(now)


async def test_it_is_the_stores_time_from_the_first_moment() -> None:
    assert 1.0 == ahead(await StoreClock.of(Elsewhere()))


async def test_it_follows_the_store() -> None:
    store = Elsewhere()
    now = await StoreClock.of(store)

    store.ahead = 2 * HOUR

    assert 2.0 == await looked(now)


async def test_between_looks_it_goes_on_whatever_this_machines_clock_says(monkeypatch) -> None:
    now = await StoreClock.of(Elsewhere())
    before, real = now(), time.time_ns

    monkeypatch.setattr(time, "time_ns", lambda: real() + 10**13)

    assert 0 <= now() - before < 60_000_000


async def test_a_store_that_is_away_or_slow_changes_nothing(monkeypatch) -> None:
    store = Elsewhere()
    now = await StoreClock.of(store)
    store.ahead = 3 * HOUR

    store.away = True
    assert 1.0 == await looked(now)
    store.away, store.slow = False, 0.05
    monkeypatch.setattr(clock, "SLOW", 10_000)
    assert 1.0 == await looked(now)


async def test_what_the_way_there_and_back_takes_lets_no_time_jump() -> None:
    store = Elsewhere()
    now = await StoreClock.of(store)
    zero = now._zero

    store.ahead += 20_000
    await looked(now)

    assert zero == now._zero
