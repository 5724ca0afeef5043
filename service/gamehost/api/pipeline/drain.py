"""How calls under way end when the process does, whatever they wait for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gamehost.play.errors import Unavailable

LEAVING_MESSAGE = "this process is leaving; the outcome is unknown, retry with the same request_id"


class DrainDeadline:
    """A process that is killed, or cancels what it does, tells its callers nothing that they could read."""

    def __init__(self) -> None:
        self._limits: set[asyncio.Timeout] = set()
        self._over = False

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """What is done in here is broken off at the end: Unavailable."""
        limit = asyncio.timeout(0 if self._over else None)
        self._limits.add(limit)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            raise Unavailable(LEAVING_MESSAGE, reason="DRAINING", retry_after=0) from None
        finally:
            self._limits.discard(limit)

    def end_calls(self) -> None:
        self._over = True
        now = asyncio.get_running_loop().time()
        for limit in self._limits:
            limit.reschedule(now)
