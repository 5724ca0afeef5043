"""Cooperative scheduling: splits long work on the event loop into short slices."""

from __future__ import annotations

import asyncio
from time import perf_counter

SLICE = 0.002  # seconds of work before other tasks get a turn


class Throttle:
    """Lets `at_once` tasks continue per turn of the event loop, or per `rest` seconds.

    Folding a log is pure computation that never yields. Without a throttle, many clients that reconnect at
    once would delay every move of everybody else.
    """

    def __init__(self, at_once: int, rest: float = 0.0) -> None:
        self._gate, self._rest = asyncio.Semaphore(at_once), rest

    async def wait_turn(self) -> None:
        """Yield to other tasks, at most `at_once` of the waiting ones returning per turn."""
        async with self._gate:
            await asyncio.sleep(self._rest)

    def hurry(self) -> None:
        """Drop the pause between turns, so that waiting tasks end soon; for shutdown."""
        self._rest = 0.0

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
