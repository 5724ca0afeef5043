"""Looking at what is due, again and again, as any number of processes do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

from gamehost.play.errors import PlayError
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.schedule import DueGame

from .schedule import Schedule

SECOND = 1_000_000
CHECK_INTERVAL = 600 * SECOND  # when a game that may yet need it is looked at although nothing was foreseen
POLL = 0.2  # seconds between looks at what other processes have foreseen


LEFT_ALONE = 7 * 86400 * SECOND  # after so long without an event a game is not looked at any more


def next_check(now: int, since: int) -> int | None:
    """When to look at a game of which nothing is foreseen: the longer nothing has happened, the later.

    None after a week: whatever happens next is an event, and with that the game is scheduled again.
    """
    return None if now - since >= LEFT_ALONE else now + max(CHECK_INTERVAL, now - since)


class ScheduleWorker:
    """Sees to one agenda: `look` does what is due at a game, and says when to look again.

    What it could not see to comes up again after `lease` seconds, here or elsewhere.
    """

    def __init__(
        self,
        agenda: Schedule,
        look: Callable[[str], Awaitable[int | None]],
        clock: Callable[[], int],
        tally: BackgroundMetrics,
        *,
        capacity: int,
        lease: float,
        poll: float = POLL,
    ) -> None:
        self._schedule, self.check, self._clock, self._metrics = agenda, look, clock, tally
        self._capacity, self._lease, self._poll = capacity, int(lease * SECOND), poll
        self._checks: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def run_once(self) -> int:
        """See to all that is due now; how much that was."""
        found = await self._found()
        await asyncio.gather(*map(self._check_game, found))
        return len(found)

    async def run(self) -> None:
        """Until told to stop."""
        while not self._stopping:
            await self._start_checks()
            await self._rest()
        await asyncio.gather(*self._checks, return_exceptions=True)

    async def _rest(self) -> None:
        if len(self._checks) < self._capacity:
            await self._schedule.wait(self._poll * random.uniform(0.75, 1.25))
        else:
            await asyncio.wait(self._checks, return_when=asyncio.FIRST_COMPLETED)

    def stop(self) -> None:
        """What is under way is left to others."""
        self._stopping = True
        self._schedule.wake()
        for task in self._checks:
            task.cancel()

    async def _start_checks(self) -> None:
        try:
            found = await self._found()
        except StoreUnavailable:
            return
        except Exception as error:  # an agenda that is damaged today may be mended tomorrow
            self._metrics.report_failure(self._schedule.name, "", error)
            return
        for due in found:
            task = asyncio.create_task(self._check_game(due))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _found(self) -> Sequence[DueGame]:
        """What is due and for this process to see to."""
        return await self._schedule.due(limit=self._capacity - len(self._checks), lease=self._lease)

    async def _attend(self, due: DueGame) -> None:
        await self._schedule.settle(due, await self.check(due.game))

    async def _check_game(self, due: DueGame) -> None:
        self._metrics.observe_lag(self._schedule.name, max(0, self._clock() - due.at) / SECOND)
        try:
            await self._attend(due)
        except asyncio.CancelledError:
            await self._schedule.settle(due, self._clock())
            raise
        except StoreUnavailable as error:
            self._metrics.report_failure(self._schedule.name, due.game, error)
        except PlayError as error:  # a log that this release cannot read, say
            self._metrics.report_failure(self._schedule.name, due.game, error)
            await self._schedule.settle(due, self._clock() + CHECK_INTERVAL)
        except Exception as error:  # whatever is wrong with this game, the others must go on
            self._metrics.report_failure(self._schedule.name, due.game, error)
