"""Schedules of games that a background worker has to check; a superfluous check does no harm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from gamehost.play.ports.schedule import DueGame, ScheduleStore

CLOCKS, BOTS, ARCHIVE, WEBHOOKS = "clocks", "bots", "archive", "webhooks"
FINISHED_GAMES, POOLS = "finished", "pools"
# Seconds. The event loop of the service rounds times to it: a shorter wait ends at once, many times in a row.
TIMER_STEP = 0.001


class Schedule:
    """A schedule in the store, shared by all processes, and an event that wakes the worker of this process.

    What this process schedules wakes its own worker in time. What others schedule is found by polling.
    """

    def __init__(self, store: ScheduleStore, name: str, clock: Callable[[], int]) -> None:
        self._store, self.name, self._clock = store, name, clock
        self._soonest: int | None = None
        self._woken = asyncio.Event()

    async def schedule(self, game: str, at: int) -> None:
        """Have a game checked at a time, in microseconds since 1970, or earlier."""
        await self._store.schedule(self.name, game, at)
        self._expect(at)

    async def schedule_now(self, names: Sequence[str]) -> None:
        """Have these checked at once."""
        now = self._clock()
        await asyncio.gather(*(self.schedule(name, now) for name in names))

    def _expect(self, at: int) -> None:
        """Wake the worker if this is earlier than what it waits for."""
        if self._soonest is None or at < self._soonest:
            self._soonest = at
            self._woken.set()

    async def due(self, *, limit: int, lease: int) -> Sequence[DueGame]:
        """Lease the games that are due; they become due again after `lease` microseconds unless settled."""
        # Reset before the call, not after it: what is scheduled during the call must not be forgotten.
        self._soonest = None
        return await self._store.due(self.name, self._clock(), limit=limit, lease=lease)

    async def settle(self, due: DueGame, at: int | None) -> bool:
        """End a lease and set the next check; False if the game was scheduled again in the meantime."""
        return await self._store.settle(self.name, due, at)

    def wake(self) -> None:
        """End the current `wait` at once."""
        self._soonest = 0
        self._woken.set()

    async def wait(self, seconds: float) -> None:
        """Wait until something that this process scheduled is due, at most so many seconds."""
        until = asyncio.get_running_loop().time() + seconds
        while (left := self._seconds_left(until)) > 0:
            self._woken.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(max(left, TIMER_STEP)):
                    await self._woken.wait()

    def _seconds_left(self, until: float) -> float:
        left = until - asyncio.get_running_loop().time()
        return left if self._soonest is None else min(left, (self._soonest - self._clock()) / 1e6)
