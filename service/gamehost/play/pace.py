"""Long work in short turns."""

from __future__ import annotations

import asyncio


class Pace:
    """Lets few go on at a time, and others between them, so that a crowd holds up nobody's move.

    The next ones go on in the next turn of the event loop, or after a `rest` of some seconds.
    """

    def __init__(self, at_once: int, rest: float = 0.0) -> None:
        self._gate, self._rest = asyncio.Semaphore(at_once), rest

    async def turn(self) -> None:
        async with self._gate:
            await asyncio.sleep(self._rest)
