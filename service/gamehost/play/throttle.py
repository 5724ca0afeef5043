"""Long work in short turns."""

from __future__ import annotations

import asyncio
from time import perf_counter

SLICE = 0.002  # seconds of work in one turn of the event loop


class Throttle:
    """Lets few go on at a time, and others between them, so that a crowd holds up nobody's move.

    The next ones go on in the next turn of the event loop, or after a `rest` of some seconds.
    """

    def __init__(self, at_once: int, rest: float = 0.0) -> None:
        self._gate, self._rest = asyncio.Semaphore(at_once), rest

    async def wait_turn(self) -> None:
        async with self._gate:
            await asyncio.sleep(self._rest)

    def hurry(self) -> None:
        """Rest no more: whoever waits for a turn has to be told soon that there is none."""
        self._rest = 0.0

    def slices(self, *, at_once: bool = True) -> Slices:
        """For one loop; each loop has its own. Unless `at_once`, its first item waits for a turn, too."""
        return Slices(self, at_once=at_once)


class Slices:
    """Counts by time, not by items: a single event of a long log may cost a hundred times another one."""

    def __init__(self, pace: Throttle, *, at_once: bool) -> None:
        self._pace, self._until = pace, perf_counter() + SLICE if at_once else 0.0

    async def turn(self) -> None:
        """Before each item of a loop: gives way to others if the time of this slice has passed."""
        if perf_counter() >= self._until:
            await self._pace.wait_turn()
            self._until = perf_counter() + SLICE
