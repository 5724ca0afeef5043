"""How a caller pays for what it is told of logs: a call is refused while it owes, a stream waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from gamehost.play.errors import TooMuch

from .quotas import Debts

LONGEST_WAIT = 5.0  # seconds that a stream is held up; a client may take a longer silence for a broken line
NAP, SHORTEST_NAP = 0.5, 0.001  # seconds until the next look at what is owed, and whether the process drains


class CallAccount:
    """Refuses: whoever asks for a page or an old view can ask again."""

    def __init__(self, debts: Debts, payer: str) -> None:
        self._debts, self._payer = debts, payer

    async def settle(self) -> None:
        if wait := self._debts.wait(self._payer):
            raise too_many_events(wait)

    def charge(self, events: int) -> None:
        self._debts.charge(self._payer, events)


class StreamAccount(CallAccount):
    """Waits; ends the stream, which can be resumed, when many streams of one caller owe too much together."""

    def __init__(
        self,
        debts: Debts,
        payer: str,
        draining: Callable[[], bool],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(debts, payer)
        self._draining, self._sleep = draining, sleep

    async def settle(self) -> None:
        """While the process drains nothing is owed: the stream is to hear that it ends."""
        while (wait := self._debts.wait(self._payer)) and not self._draining():
            if wait > LONGEST_WAIT:
                raise too_many_events(wait)
            await self._sleep(min(max(wait, SHORTEST_NAP), NAP))


def too_many_events(wait: float) -> TooMuch:
    return TooMuch("too many events of logs", wait)
