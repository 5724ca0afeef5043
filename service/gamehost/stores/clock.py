"""A clock that all processes of a service share: the time of the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from gamehost.play.errors import PlayError
from gamehost.play.ports.event_store import EventStore

# In microseconds.
SYNC_INTERVAL = 30_000_000
SLOW_ANSWER = 200_000  # an answer that took longer is too inexact to be used
SKEW_TOLERANCE = 100_000  # smaller differences are ignored


class StoreClock:
    """The time of the store in microseconds since 1970.

    Deadlines of game clocks are compared in any process, so all processes must agree on the time even if the
    clock of a machine is wrong. Between two synchronisations the time follows the monotonic clock of this
    machine, which does not jump.
    """

    def __init__(self, read_time: Callable[[], Awaitable[int]]) -> None:
        self._read_time = read_time
        self._offset = time.time_ns() // 1000 - monotonic()
        self._next_sync = 0
        self._sync_task: asyncio.Task[None] | None = None

    @classmethod
    async def of(cls, store: EventStore) -> StoreClock:
        clock = cls(store.time)
        clock._set(await store.time(), monotonic())
        return clock

    def __call__(self) -> int:
        now = monotonic()
        if now >= self._next_sync:
            self._next_sync = now + SYNC_INTERVAL
            self._sync_task = asyncio.create_task(self._sync())
        return self._offset + now

    async def _sync(self) -> None:
        """Reads the time of the store in the background.

        If the store is unavailable, the next call tries again.
        """
        before = monotonic()
        try:
            store_time = await self._read_time()
        except PlayError:
            return
        if (took := monotonic() - before) <= SLOW_ANSWER:
            self._set(store_time, before + took // 2)

    def _set(self, store_time: int, at: int) -> None:
        # A small difference is the jitter of the round trip. Correcting it would only make the time jump.
        if abs(store_time - at - self._offset) > SKEW_TOLERANCE:
            self._offset = store_time - at


def monotonic() -> int:
    return time.monotonic_ns() // 1000
