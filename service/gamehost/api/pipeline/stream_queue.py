"""Where calls that begin something long wait their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

CROWD = 3  # more than so many who come within one rest are a crowd
MOST_PAUSES = 10  # rests, at most, in which nobody begins because a crowd comes


class StreamQueue:
    """One begins after another, in the order they came, with a `rest` of some seconds before each.

    To begin costs more than to come. So while a crowd comes nobody begins: calls of others arrive between
    those of the crowd, and are answered the sooner. Whoever was let through but sent away costs no rest.
    """

    def __init__(self, rest: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._pause_seconds, self._sleep, self._gate = rest, sleep, asyncio.Lock()
        self._arrived, self._at_once = 0, False
        self.waiting = 0

    async def wait_turn(self) -> None:
        self.waiting += 1
        self._arrived += 1
        try:
            async with self._gate:
                await self._pause()
        finally:
            self.waiting -= 1

    def skip_next_pause(self) -> None:
        """The last one does not begin: the next one may at once."""
        self._at_once = True

    async def _pause(self) -> None:
        if self._at_once:
            self._at_once = False
            await self._sleep(0)
            return
        for _ in range(MOST_PAUSES):
            self._arrived = 0
            await self._sleep(self._pause_seconds)
            if self._arrived <= CROWD:
                return
