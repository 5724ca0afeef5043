"""Charges callers for the log events they read: unary calls in debt are refused, streams in debt wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from gamehost.play.errors import TooMuch

from .quotas import DebtBuckets

LONGEST_WAIT = 5.0  # seconds that a stream waits; clients may take a longer silence for a broken connection
# Seconds between two looks at the debt and at whether the process drains.
LONGEST_SLEEP, SHORTEST_SLEEP = 0.5, 0.001


class CallAccount:
    """The account of a unary call, which is refused while its payer is in debt: the caller can retry."""

    def __init__(self, debts: DebtBuckets, payer: str) -> None:
        self._debts, self._payer = debts, payer

    async def settle(self) -> None:
        """Raises TooMuch while the payer is in debt."""
        if wait := self._debts.wait(self._payer):
            raise too_many_events(wait)

    def charge(self, events: int) -> None:
        self._debts.charge(self._payer, events)


class StreamAccount(CallAccount):
    """The account of a stream, which waits while its payer is in debt.

    Many streams of one payer can owe more together than waiting makes up for. Then the stream ends with
    TooMuch; the client can resume it.
    """

    def __init__(
        self,
        debts: DebtBuckets,
        payer: str,
        draining: Callable[[], bool],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(debts, payer)
        self._draining, self._sleep = draining, sleep

    async def settle(self) -> None:
        """Waits until the payer is out of debt; raises TooMuch if that takes too long."""
        # A draining process asks for nothing, so that the stream gets to its last message in time.
        while (wait := self._debts.wait(self._payer)) and not self._draining():
            if wait > LONGEST_WAIT:
                raise too_many_events(wait)
            # Other streams may charge the same payer meanwhile, so the debt is read again after a short
            # sleep.
            await self._sleep(min(max(wait, SHORTEST_SLEEP), LONGEST_SLEEP))


def too_many_events(wait: float) -> TooMuch:
    return TooMuch("too many log events read", wait)
