"""What any process has to look at, and when; a look too many does no harm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from gamehost.play.ports.schedule import DueGame, ScheduleStore

CLOCKS, BOTS, ARCHIVE = "clocks", "bots", "archive"


class Schedule:
    """One list of games in the store, and a bell for whoever sees to it in this process."""

    def __init__(self, store: ScheduleStore, name: str, clock: Callable[[], int]) -> None:
        self._store, self.name, self._clock = store, name, clock
        self._soonest: int | None = None
        self._woken = asyncio.Event()

    async def schedule(self, game: str, at: int) -> None:
        await self._store.schedule(self.name, game, at)
        self._foresee(at)

    def _foresee(self, at: int) -> None:
        if self._soonest is None or at < self._soonest:
            self._soonest = at
            self._woken.set()

    async def due(self, *, limit: int, lease: int) -> Sequence[DueGame]:
        self._soonest = None
        return await self._store.due(self.name, self._clock(), limit=limit, lease=lease)

    async def settle(self, due: DueGame, at: int | None) -> bool:
        return await self._store.settle(self.name, due, at)

    def wake(self) -> None:
        """Let whoever rests look at once."""
        self._soonest = 0
        self._woken.set()

    async def wait(self, seconds: float) -> None:
        """Until something that was scheduled here comes up, or for so long: others schedule things too."""
        until = asyncio.get_running_loop().time() + seconds
        while (left := self._seconds_left(until)) > 0:
            self._woken.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._woken.wait()

    def _seconds_left(self, until: float) -> float:
        left = until - asyncio.get_running_loop().time()
        return left if self._soonest is None else min(left, (self._soonest - self._clock()) / 1e6)
