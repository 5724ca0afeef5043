"""Tests of the loop that checks due games: no error stops it, and no due game waits for long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvloop

from gamehost.play.background.schedule import Schedule
from gamehost.play.background.schedule_worker import CHECK_INTERVAL, ScheduleWorker
from gamehost.play.errors import Unreadable
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.schedule import DueGame
from gamehost.stores.memory import MemoryEventStore
from support.bots import BackgroundCounts
from support.clock import ManualClock
from support.waiting import PATIENCE, settle, until

LONG = 10 * PATIENCE  # seconds between polls of the schedule, where polling must not matter
SHORT = 0.005  # the same where polling is tested
LEASE = 60.0  # seconds on the clock of the test


class Asked(MemoryEventStore):
    """A store that counts reads of the due games; the first reads raise the given errors."""

    def __init__(self, *troubles: Exception) -> None:
        super().__init__()
        self.asked, self._troubles = 0, list(troubles)

    async def due(self, agenda: str, now: int, *, limit: int, lease: int) -> Any:
        self.asked += 1
        if self._troubles:
            raise self._troubles.pop(0)
        found: list[DueGame] = list(await super().due(agenda, now, limit=limit, lease=lease))
        return found


class Looks:
    """Records which games were checked; some checks last until the test ends them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.slow: dict[str, asyncio.Event] = {}

    async def __call__(self, game: str) -> int | None:
        self.begun.append(game)
        if game in self.slow:
            await self.slow[game].wait()
        if game.startswith("bad"):
            raise RuntimeError(game)
        if game == "unreadable":
            raise Unreadable(game)
        self.ended.append(game)
        return None


@asynccontextmanager
async def running(
    agenda: Schedule,
    looks: Looks,
    clock: ManualClock,
    counts: BackgroundCounts | None = None,
    poll: float = LONG,
) -> AsyncIterator[ScheduleWorker]:
    rounds = ScheduleWorker(
        agenda, looks, clock, counts or BackgroundCounts(), capacity=2, lease=LEASE, poll=poll
    )
    task = asyncio.create_task(rounds.run())
    await settle()
    try:
        yield rounds
    finally:
        rounds.stop()
        await asyncio.wait_for(task, PATIENCE)


async def test_what_this_process_foresees_does_not_wait_for_the_next_poll() -> None:
    looks, clock = Looks(), ManualClock()
    agenda = Schedule(MemoryEventStore(), "bots", clock)

    async with running(agenda, looks, clock):
        await agenda.schedule("later", clock() + int(LONG * 1e6))
        await agenda.schedule("soon", clock() + 50_000)
        await settle(20)
        early = list(looks.ended)
        clock.advance(0.05)
        await until(lambda: looks.ended)

    assert [] == early
    assert ["soon"] == looks.ended


async def test_what_another_process_foresaw_is_found() -> None:
    looks, store, clock = Looks(), MemoryEventStore(), ManualClock()

    async with running(Schedule(store, "bots", clock), looks, clock, poll=SHORT):
        await store.schedule("bots", "theirs", clock())
        await until(lambda: looks.ended)

    assert ["theirs"] == looks.ended


async def test_more_than_can_be_seen_to_waits_and_the_loop_goes_on() -> None:
    looks, clock = Looks(), ManualClock()
    agenda = Schedule(MemoryEventStore(), "bots", clock)
    looks.slow = {"a": asyncio.Event(), "b": asyncio.Event()}

    async with running(agenda, looks, clock):
        for game in "abc":
            await agenda.schedule(game, clock() - 10)
        await until(lambda: len(looks.begun) == 2)
        await agenda.schedule("d", clock())
        await settle(20)
        assert {"a", "b"} == set(looks.begun)
        looks.slow["a"].set()
        await until(lambda: len(looks.ended) == 3)
        looks.slow["b"].set()
        await until(lambda: len(looks.ended) == 4)

    assert 4 == len(looks.begun)


async def test_a_game_that_cannot_be_seen_to_comes_up_again_and_holds_nobody_up() -> None:
    looks, counts, store, clock = Looks(), BackgroundCounts(), Asked(), ManualClock()
    agenda = Schedule(store, "bots", clock)

    async with running(agenda, looks, clock, counts, poll=SHORT):
        await agenda.schedule("bad", clock())
        await agenda.schedule("good", clock())
        await until(lambda: counts.errors and looks.ended)
        await asked_again(store)
        before = list(looks.begun)
        clock.advance(LEASE)
        await until(lambda: len(counts.errors) == 2)

    assert ["bad", "good"] == sorted(before)
    assert ["good"] == looks.ended
    assert ["bad", "bad"] == [str(error) for error in counts.errors]


async def asked_again(store: Asked) -> None:
    """Waits until the loop has read the due games twice; the first read may have begun before."""
    before = store.asked
    await until(lambda: store.asked >= before + 2)


async def test_a_game_that_no_one_can_read_is_left_alone_for_a_while() -> None:
    looks, counts, store, clock = Looks(), BackgroundCounts(), Asked(), ManualClock()
    agenda = Schedule(store, "bots", clock)

    async with running(agenda, looks, clock, counts, poll=SHORT):
        await agenda.schedule("unreadable", clock())
        await until(lambda: counts.errors)
        await settle()
        clock.advance(CHECK_INTERVAL / 1e6 - 1)
        await asked_again(store)
        before = list(looks.begun)
        clock.advance(1)
        await until(lambda: len(looks.begun) == 2)

    assert ["unreadable"] == before


async def test_what_is_under_way_at_the_end_is_at_once_anothers() -> None:
    looks, store, clock = Looks(), MemoryEventStore(), ManualClock()
    looks.slow = {"a": asyncio.Event()}

    agenda = Schedule(store, "bots", clock)
    async with running(agenda, looks, clock):
        await agenda.schedule("a", clock())
        await until(lambda: looks.begun)

    found = await store.due("bots", clock(), limit=1, lease=1)
    assert ["a"] == [due.game for due in found]
    assert [] == looks.ended


async def test_a_store_that_is_away_or_damaged_is_asked_again() -> None:
    looks, counts, clock = Looks(), BackgroundCounts(), ManualClock()
    store = Asked(StoreUnavailable("away"), ValueError("damaged"))
    agenda = Schedule(store, "bots", clock)

    async with running(agenda, looks, clock, counts, poll=SHORT):
        await agenda.schedule("a", clock())
        await until(lambda: looks.ended)

    assert ["damaged"] == [str(error) for error in counts.errors]


def test_a_wait_does_not_spin_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the event loop of the service, whose timers end up to a millisecond early."""
    timers, timeout = list[float | None](), asyncio.timeout

    def counted(delay: float | None) -> asyncio.Timeout:
        timers.append(delay)
        return timeout(delay)

    async def wait_often() -> None:
        schedule = Schedule(MemoryEventStore(), "clocks", ManualClock())
        for number in range(20):
            await schedule.wait(0.01 + number / 20_000)

    monkeypatch.setattr(asyncio, "timeout", counted)
    uvloop.run(wait_often())

    assert 20 <= len(timers) <= 40
