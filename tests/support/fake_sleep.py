"""Sleep that a test controls."""

from __future__ import annotations

import asyncio

from support.waiting import settle


class Rests:
    """Stands in for `asyncio.sleep`: remembers how long each rest should be, and takes no time.

    If they are `held`, rests last until `end` is called.
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
        """End those that have begun."""
        over, self._over = self._over, asyncio.Event()
        over.set()
        await settle()
