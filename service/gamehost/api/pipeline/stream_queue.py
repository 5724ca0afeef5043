"""A queue that paces the start of streams, so that a burst of them does not delay unary calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

BURST_ARRIVALS = 3  # more arrivals than this during one pause are a burst
MOST_PAUSES = 10  # pauses, at most, that a burst may put before one start


class StreamQueue:
    """Starts queued streams one by one, in order of arrival, with a pause of `pause` seconds before each.

    Accepting a call is cheap, starting a stream is not: its credential is verified, the game may have to be
    loaded, and a view of it is sent. Everything runs on one event loop, so hundreds of streams that start at
    once, for example when clients reconnect, would delay every move by the sum of their starts. The pauses
    let the loop serve unary calls in between. While a burst is still arriving no stream starts at all, so
    that the unary calls among the arrivals are accepted and answered sooner.
    """

    def __init__(self, pause: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        # asyncio.Lock wakes its waiters in the order they came; that order is the queue.
        self._pause_seconds, self._sleep, self._turn = pause, sleep, asyncio.Lock()
        self._arrived, self._skip_pause = 0, False
        self.waiting = 0

    async def wait_turn(self) -> None:
        """Returns when the caller may start its stream."""
        self.waiting += 1
        self._arrived += 1
        try:
            async with self._turn:
                await self._pause()
        finally:
            self.waiting -= 1

    def skip_next_pause(self) -> None:
        """Lets the next stream start at once, because the one before it was refused and cost little.

        Without this, calls that are refused anyway would use up the starts of those that are not.
        """
        self._skip_pause = True

    async def _pause(self) -> None:
        """Sleeps before one start: for one pause, or for more while a burst arrives."""
        if self._skip_pause:
            self._skip_pause = False
            # Even a run of refused calls yields to the event loop between two of them.
            await self._sleep(0)
            return
        # The number of pauses is bounded: a burst that never ends must not keep all streams from starting.
        for _ in range(MOST_PAUSES):
            self._arrived = 0
            await self._sleep(self._pause_seconds)
            if self._arrived <= BURST_ARRIVALS:
                return
