"""Cooperative scheduling: splits long work on the event loop into short slices."""

from __future__ import annotations

import asyncio
from time import perf_counter

SLICE = 0.002  # seconds of work before other tasks get a turn


class Throttle:
    """Lets `tasks_per_turn` tasks continue per turn of the event loop, or per `pause` seconds.

    Folding a log is pure computation that never yields. Without a throttle, many clients that reconnect at
    once would delay every move of everybody else.
    """

    def __init__(self, tasks_per_turn: int, pause: float = 0.0) -> None:
        self._gate, self._pause = asyncio.Semaphore(tasks_per_turn), pause

    async def wait_turn(self) -> None:
        """Yield to other tasks. Of those that wait, `tasks_per_turn` return in each turn."""
        async with self._gate:
            await asyncio.sleep(self._pause)

    def drop_pause(self) -> None:
        """Drop the pause between turns, so that waiting tasks end soon; for shutdown."""
        self._pause = 0.0

    def slices(self, *, at_once: bool = True) -> Slices:
        """Return the slices of one loop. Unless `at_once`, its first item waits for a turn, too."""
        return Slices(self, at_once=at_once)


class Slices:
    """Measures slices by time, not items: one event may cost a hundred times as much as another."""

    def __init__(self, throttle: Throttle, *, at_once: bool) -> None:
        self._throttle, self._until = throttle, perf_counter() + SLICE if at_once else 0.0

    async def turn(self) -> None:
        """Call before each item: waits for a turn if the time of this slice has passed."""
        if perf_counter() >= self._until:
            await self._throttle.wait_turn()
            self._until = perf_counter() + SLICE
