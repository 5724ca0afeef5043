"""What time it is, for all processes of a service alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from gamehost.play.errors import PlayError
from gamehost.play.ports.event_store import EventStore

EVERY = 30_000_000  # microseconds from one look at the store's clock to the next
SLOW = 200_000  # an answer that took longer says too little
TOLERATED = 100_000  # what two looks may differ by


class StoreClock:
    """The store's time in microseconds since 1970: a machine whose clock is wrong takes nobody's time.

    From one look to the next it goes by this machine's steady clock, which knows no jumps.
    """

    def __init__(self, ask: Callable[[], Awaitable[int]]) -> None:
        self._ask = ask
        self._zero = time.time_ns() // 1000 - steady()
        self._next_look = 0
        self._looking: asyncio.Task[None] | None = None

    @classmethod
    async def of(cls, store: EventStore) -> StoreClock:
        clock = cls(store.time)
        clock._set(await store.time(), steady())
        return clock

    def __call__(self) -> int:
        now = steady()
        if now >= self._next_look:
            self._next_look = now + EVERY
            self._looking = asyncio.create_task(self._look())
        return self._zero + now

    async def _look(self) -> None:
        """Without keeping anyone waiting; a store that is away is looked at later."""
        before = steady()
        try:
            told = await self._ask()
        except PlayError:
            return
        if (took := steady() - before) <= SLOW:
            self._set(told, before + took // 2)

    def _set(self, told: int, at: int) -> None:
        """A little more or less is the way there and back, and no reason to let time jump."""
        if abs(told - at - self._zero) > TOLERATED:
            self._zero = told - at


def steady() -> int:
    return time.monotonic_ns() // 1000
