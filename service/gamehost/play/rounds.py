"""Looking at what is due, again and again, as any number of processes do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

from .agenda import Agenda
from .errors import PlayError
from .ports import Due, StoreUnavailable, Tally

SECOND = 1_000_000
LOOK_AGAIN = 600 * SECOND  # when a game that may yet need it is looked at although nothing was foreseen
POLL = 0.2  # seconds between looks at what other processes have foreseen


LEFT_ALONE = 7 * 86400 * SECOND  # after so long without an event a game is not looked at any more


def look_again(now: int, since: int) -> int | None:
    """When to look at a game of which nothing is foreseen: the longer nothing has happened, the later.

    None after a week: whatever happens next is an event, and with that the game is scheduled again.
    """
    return None if now - since >= LEFT_ALONE else now + max(LOOK_AGAIN, now - since)


class Rounds:
    """Sees to one agenda: `look` does what is due at a game, and says when to look again.

    What it could not see to comes up again after `lease` seconds, here or elsewhere.
    """

    def __init__(
        self,
        agenda: Agenda,
        look: Callable[[str], Awaitable[int | None]],
        clock: Callable[[], int],
        tally: Tally,
        *,
        capacity: int,
        lease: float,
        poll: float = POLL,
    ) -> None:
        self._agenda, self.look, self._clock, self._tally = agenda, look, clock, tally
        self._capacity, self._lease, self._poll = capacity, int(lease * SECOND), poll
        self._looks: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def once(self) -> int:
        """See to all that is due now; how much that was."""
        found = await self._found()
        await asyncio.gather(*map(self._see_to, found))
        return len(found)

    async def run(self) -> None:
        """Until told to stop."""
        while not self._stopping:
            await self._set_out()
            await self._rest()
        await asyncio.gather(*self._looks, return_exceptions=True)

    async def _rest(self) -> None:
        if len(self._looks) < self._capacity:
            await self._agenda.rest(self._poll * random.uniform(0.75, 1.25))
        else:
            await asyncio.wait(self._looks, return_when=asyncio.FIRST_COMPLETED)

    def stop(self) -> None:
        """What is under way is left to others."""
        self._stopping = True
        self._agenda.ring()
        for task in self._looks:
            task.cancel()

    async def _set_out(self) -> None:
        try:
            found = await self._found()
        except StoreUnavailable:
            return
        except Exception as error:  # an agenda that is damaged today may be mended tomorrow
            self._tally.stumbled(self._agenda.name, "", error)
            return
        for due in found:
            task = asyncio.create_task(self._see_to(due))
            self._looks.add(task)
            task.add_done_callback(self._looks.discard)

    async def _found(self) -> Sequence[Due]:
        """What is due and for this process to see to."""
        return await self._agenda.due(limit=self._capacity - len(self._looks), lease=self._lease)

    async def _attend(self, due: Due) -> None:
        await self._agenda.settle(due, await self.look(due.game))

    async def _see_to(self, due: Due) -> None:
        self._tally.looked(self._agenda.name, max(0, self._clock() - due.at) / SECOND)
        try:
            await self._attend(due)
        except asyncio.CancelledError:
            await self._agenda.settle(due, self._clock())
            raise
        except StoreUnavailable as error:
            self._tally.stumbled(self._agenda.name, due.game, error)
        except PlayError as error:  # a log that this release cannot read, say
            self._tally.stumbled(self._agenda.name, due.game, error)
            await self._agenda.settle(due, self._clock() + LOOK_AGAIN)
        except Exception as error:  # whatever is wrong with this game, the others must go on
            self._tally.stumbled(self._agenda.name, due.game, error)
