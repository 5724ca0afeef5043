"""The loop that checks due games. Any number of processes run it on the same schedule."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence

from gamehost.play.errors import PlayError
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.schedule import DueGame
from gamehost.play.table.clocks import SECOND

from .schedule import Schedule

CHECK_INTERVAL = 600 * SECOND  # until the next check of a game with nothing scheduled, as a fallback
SCHEDULE_POLL_SECONDS = 0.2  # seconds between queries for what other processes have scheduled
IDLE_LIMIT = 7 * 86400 * SECOND  # a game without events for so long is not checked any more


def next_idle_check(now: int, since: int) -> int | None:
    """Return when to check a game with nothing scheduled: the longer it has been idle, the later.

    None after a week: the next event schedules the game again. Without a limit, abandoned games would add up
    to a permanent load. `since` is the time of the last event.
    """
    return None if now - since >= IDLE_LIMIT else now + max(CHECK_INTERVAL, now - since)


class ScheduleWorker:
    """Runs the checks of one schedule. `check` does what is due in a game and returns when to check it again.

    Each due game is leased for `lease` seconds. If this process dies or fails to settle it, the lease expires
    and the game is due again, here or in another process. `capacity` limits the concurrent checks.
    """

    def __init__(
        self,
        schedule: Schedule,
        check: Callable[[str], Awaitable[int | None]],
        clock: Callable[[], int],
        metrics: BackgroundMetrics,
        *,
        capacity: int,
        lease: float,
        poll: float = SCHEDULE_POLL_SECONDS,
    ) -> None:
        self._schedule, self.check, self._clock, self._metrics = schedule, check, clock, metrics
        self._capacity, self._lease, self._poll = capacity, int(lease * SECOND), poll
        self._checks: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def run_once(self) -> int:
        """Check all games that are due now, and return their number."""
        due_games = await self._due_games()
        await asyncio.gather(*map(self._check_game, due_games))
        return len(due_games)

    async def run(self) -> None:
        """Check due games until `stop` is called."""
        while not self._stopping:
            await self._start_checks()
            await self._pause()
        await asyncio.gather(*self._checks, return_exceptions=True)

    async def _pause(self) -> None:
        if len(self._checks) < self._capacity:
            # Jittered, so that many processes do not poll the store in step.
            await self._schedule.wait(self._poll * random.uniform(0.75, 1.25))
        else:
            await asyncio.wait(self._checks, return_when=asyncio.FIRST_COMPLETED)

    def stop(self) -> None:
        """End `run`, and cancel the checks that are under way: other processes take them over."""
        self._stopping = True
        self._schedule.wake()
        for task in self._checks:
            task.cancel()

    async def _start_checks(self) -> None:
        try:
            due_games = await self._due_games()
        except StoreUnavailable:
            return
        except Exception as error:  # a bug or damaged data must not end the loop for good
            self._metrics.report_failure(self._schedule.name, "", error)
            return
        for due in due_games:
            task = asyncio.create_task(self._check_game(due))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _due_games(self) -> Sequence[DueGame]:
        """Lease the due games that this process has capacity for."""
        return await self._schedule.due(limit=self._capacity - len(self._checks), lease=self._lease)

    async def _check_and_settle(self, due: DueGame) -> None:
        await self._schedule.settle(due, await self.check(due.game))

    async def _check_game(self, due: DueGame) -> None:
        self._metrics.observe_lag(self._schedule.name, max(0, self._clock() - due.at) / SECOND)
        try:
            await self._check_and_settle(due)
        except asyncio.CancelledError:
            # Due at once instead of after the lease: another process goes on without a pause.
            await self._schedule.settle(due, self._clock())
            raise
        except StoreUnavailable as error:  # not settled: due again when the lease expires
            self._metrics.report_failure(self._schedule.name, due.game, error)
        except PlayError as error:  # e.g. a log that this release cannot read; a newer one may
            self._metrics.report_failure(self._schedule.name, due.game, error)
            await self._schedule.settle(due, self._clock() + CHECK_INTERVAL)
        except Exception as error:  # one broken game must not stop the others
            self._metrics.report_failure(self._schedule.name, due.game, error)
