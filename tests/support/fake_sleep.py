"""A replacement of `asyncio.sleep` that a test controls."""

from __future__ import annotations

import asyncio

from support.waiting import settle


class FakeSleep:
    """Replaces `asyncio.sleep`: takes no time, and records the requested seconds in `begun`.

    With `held`, each sleep lasts until `end` is called.
    """

    def __init__(self, held: bool = False) -> None:
        self.begun: list[float] = []
        self._held, self._over = held, asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.begun.append(seconds)
        if self._held:
            await self._over.wait()
        else:
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Ends all sleeps that have begun."""
        over, self._over = self._over, asyncio.Event()
        over.set()
        await settle()
