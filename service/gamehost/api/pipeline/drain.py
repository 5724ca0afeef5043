"""Ends the calls under way with a readable error before the process exits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gamehost.play.errors import Unavailable

DRAINING_MESSAGE = "this process is shutting down; the outcome is unknown, retry with the same request_id"


class DrainDeadline:
    """Interrupts what calls wait for once the process has no more time to finish them.

    A killed process, or one that cancels its tasks, closes connections without a status. The caller could not
    tell that from a network fault. A call that ends here is answered UNAVAILABLE with reason DRAINING
    instead.
    """

    def __init__(self) -> None:
        self._limits: set[asyncio.Timeout] = set()
        self._ended = False

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Raises Unavailable in the block as soon as `end_calls` is called."""
        # A timeout without a deadline costs nothing until `end_calls` reschedules it to now.
        limit = asyncio.timeout(0 if self._ended else None)
        self._limits.add(limit)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():  # a timeout of the block's own
                raise
            raise Unavailable(DRAINING_MESSAGE, reason="DRAINING", retry_after=0) from None
        finally:
            self._limits.discard(limit)

    def end_calls(self) -> None:
        """Interrupts every block under way, and every later one as soon as it waits."""
        self._ended = True
        now = asyncio.get_running_loop().time()
        for limit in self._limits:
            limit.reschedule(now)
