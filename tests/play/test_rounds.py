"""Looking at what is due, again and again: nothing stops it, and nothing that is due waits for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from gamehost.play.agenda import Agenda
from gamehost.play.errors import Unreadable
from gamehost.play.ports import Due, StoreUnavailable
from gamehost.play.rounds import Rounds
from gamehost.stores.memory import MemoryEventStore
from support.bots import Counted

LONG = 60.0  # seconds between looks at what others have foreseen, where that must not matter
PATIENCE = 10.0


def now() -> int:
    return time.time_ns() // 1000


class Looks:
    """Remembers what was looked at; some looks last until they are told to end."""

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
    agenda: Agenda, looks: Looks, tally: Counted | None = None, **settings: Any
) -> AsyncIterator[Rounds]:
    settings = {"capacity": 2, "lease": LONG, "poll": LONG, **settings}
    rounds = Rounds(agenda, looks, now, tally or Counted(), **settings)
    task = asyncio.create_task(rounds.run())
    await asyncio.sleep(0.01)
    try:
        yield rounds
    finally:
        rounds.stop()
        await asyncio.wait_for(task, PATIENCE)


async def until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


async def test_what_this_process_foresees_does_not_wait_for_the_next_poll() -> None:
    looks, agenda = Looks(), Agenda(MemoryEventStore(), "bots", now)

    async with running(agenda, looks):
        await agenda.schedule("later", now() + int(LONG * 1e6))
        await agenda.schedule("soon", now() + 50_000)
        await until(lambda: looks.ended)

    assert ["soon"] == looks.ended


async def test_what_another_process_foresaw_is_found() -> None:
    looks, store = Looks(), MemoryEventStore()

    async with running(Agenda(store, "bots", now), looks, poll=0.02):
        await store.schedule("bots", "theirs", now())
        await until(lambda: looks.ended)

    assert ["theirs"] == looks.ended


async def test_more_than_can_be_seen_to_waits_and_the_loop_goes_on() -> None:
    looks, agenda = Looks(), Agenda(MemoryEventStore(), "bots", now)
    looks.slow = {"a": asyncio.Event(), "b": asyncio.Event()}

    async with running(agenda, looks):
        for game in "abc":
            await agenda.schedule(game, now() - 10)
        await until(lambda: len(looks.begun) == 2)
        await agenda.schedule("d", now())
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert {"a", "b"} == set(looks.begun)
        looks.slow["a"].set()
        await until(lambda: len(looks.ended) == 3)
        looks.slow["b"].set()
        await until(lambda: len(looks.ended) == 4)

    assert 4 == len(looks.begun)


async def test_a_game_that_cannot_be_seen_to_comes_up_again_and_holds_nobody_up() -> None:
    looks, tally, agenda = Looks(), Counted(), Agenda(MemoryEventStore(), "bots", now)

    async with running(agenda, looks, tally, lease=0.1, poll=0.02):
        await agenda.schedule("bad", now())
        await agenda.schedule("good", now())
        await until(lambda: looks.begun.count("bad") == 2)

    assert ["good"] == looks.ended
    assert ["bad", "bad"] == [str(error) for error in tally.errors]


async def test_a_game_that_no_one_can_read_is_left_alone_for_a_while() -> None:
    looks, tally, store = Looks(), Counted(), MemoryEventStore()
    agenda = Agenda(store, "bots", now)

    async with running(agenda, looks, tally, lease=0.02, poll=0.02):
        await agenda.schedule("unreadable", now())
        await until(lambda: tally.errors)
        await asyncio.sleep(0.2)

    assert ["unreadable"] == looks.begun


async def test_what_is_under_way_at_the_end_is_at_once_anothers() -> None:
    looks, store = Looks(), MemoryEventStore()
    looks.slow = {"a": asyncio.Event()}

    agenda = Agenda(store, "bots", now)
    async with running(agenda, looks):
        await agenda.schedule("a", now())
        await until(lambda: looks.begun)

    found = await store.due("bots", now(), limit=1, lease=1)
    assert ["a"] == [due.game for due in found]
    assert [] == looks.ended


class Flaky(MemoryEventStore):
    """Away at first."""

    def __init__(self, *troubles: Exception) -> None:
        super().__init__()
        self._troubles = list(troubles)

    async def due(self, agenda: str, now: int, *, limit: int, lease: int) -> Any:
        if self._troubles:
            raise self._troubles.pop(0)
        found: list[Due] = list(await super().due(agenda, now, limit=limit, lease=lease))
        return found


async def test_a_store_that_is_away_or_damaged_is_asked_again() -> None:
    looks, tally = Looks(), Counted()
    store = Flaky(StoreUnavailable("away"), ValueError("damaged"))
    agenda = Agenda(store, "bots", now)

    async with running(agenda, looks, tally, poll=0.02):
        await agenda.schedule("a", now())
        await until(lambda: looks.ended)

    assert ["damaged"] == [str(error) for error in tally.errors]
