"""A check whose result is used again for a moment, for probes that are not rate-limited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

MAX_AGE_SECONDS = 1.0


class RecentCheck:
    """Makes `check` at most once at a time and once a second, however many callers ask for its result."""

    def __init__(
        self, check: Callable[[], Awaitable[bool]], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._check, self._now = check, now
        self._running: asyncio.Task[bool] | None = None
        self._result, self._expires = False, float("-inf")

    async def __call__(self) -> bool:
        """Returns a result that is at most MAX_AGE_SECONDS old; an exception of the check is not kept."""
        if self._now() < self._expires:
            return self._result
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        # Shielded: a caller that disconnects must not cancel the check that others wait for.
        return await asyncio.shield(self._running)

    async def _run(self) -> bool:
        self._result = await self._check()
        self._expires = self._now() + MAX_AGE_SECONDS
        return self._result
