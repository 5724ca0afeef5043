"""Long work in short turns."""

from __future__ import annotations

import asyncio


class Pace:
    """Lets few go on in one turn of the event loop, so that a crowd holds up nobody's move."""

    def __init__(self, at_once: int) -> None:
        self._gate = asyncio.Semaphore(at_once)

    async def turn(self) -> None:
        async with self._gate:
            await asyncio.sleep(0)
