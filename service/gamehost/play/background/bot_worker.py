"""The worker that lets bots move: how many games it takes, and how long it holds them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gamehost.play.ports.bots import BotRunner
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.schedule import LONG, Backlog, DueGame
from gamehost.play.table.clocks import SECOND

from .bot_moves import BotMover, BotTurn
from .bot_schedule import BotSchedule
from .schedule_worker import SCHEDULE_POLL_SECONDS, ScheduleWorker

BOT_LEASE = 2.0  # seconds until another process takes over the games of a process that died
RENEWALS = 3  # per lease, so that a failed one does not end it
QUESTIONS_PER_SLOT = 2  # as long as no more wait for each slot, bots have their full time
MIN_SHARE = 0.2  # of its time that a bot gets however many games wait


@dataclass(slots=True)
class ThinkingSlot:
    """A slot in the bot pool for one question.

    It is freed when the thinking is over, which is before the answer is played: answers are held back until
    a whole time step has passed, and the pool need not idle for that.
    """

    queue: str
    release: Callable[[str], None]
    held: bool = True

    def free(self) -> None:
        if self.held:
            self.held = False
            self.release(self.queue)


class BotScheduleWorker(ScheduleWorker):
    """Takes only as many games as the bots can think about at once.

    All others wait in the store, where payers take turns and any process can take them; a local queue would
    be first come, first served. Leases are short and renewed while a bot thinks, so that another process goes
    on soon after this one was killed, although a bot may think for much longer than a lease.
    """

    def __init__(
        self,
        schedule: BotSchedule,
        mover: BotMover,
        bots: BotRunner,
        clock: Callable[[], int],
        metrics: BackgroundMetrics,
    ) -> None:
        super().__init__(schedule, mover.check, clock, metrics, capacity=0, lease=BOT_LEASE)
        self._bot_schedule, self._mover, self._bots = schedule, mover, bots
        self._busy: Counter[str] = Counter()
        self._backlog: Sequence[Backlog] = ()

    def _free_slots(self) -> Mapping[str, int]:
        """Return the number of games to take, by queue."""
        room = {queue: most - self._busy[queue] for queue, most in self._bots.capacity.items()}
        return {queue: most for queue, most in room.items() if most > 0}

    async def _pause(self) -> None:
        """Wait for due games or a free slot: `_release` wakes the schedule, too."""
        await self._schedule.wait(SCHEDULE_POLL_SECONDS * random.uniform(0.75, 1.25))

    async def _due_games(self) -> Sequence[DueGame]:
        """Lease due games for the free slots.

        The store is asked even if no slot is free: the number of waiting games is a metric, and determines
        how much time bots get.
        """
        taken = await self._bot_schedule.take(room=self._free_slots(), lease=self._lease)
        self._backlog = taken.waiting
        levels = Counter[str]()
        for backlog in taken.waiting:
            levels[backlog.level] += backlog.games
        self._metrics.set_waiting_bots({level: games for level, games in levels.items() if level})
        for due in taken.due:
            self._busy[due.queue_key.queue] += 1
        return taken.due

    async def _check_and_settle(self, due: DueGame) -> None:
        """Let a bot move, renewing the lease meanwhile, then settle the game."""
        slot = ThinkingSlot(due.queue_key.queue, self._release)
        turn = BotTurn(due, self._share(due), slot.free)
        if due.queue_key.level:
            self._metrics.observe_bot_wait(due.queue_key.level, max(0, self._clock() - due.at) / SECOND)
        renewing = asyncio.create_task(self._renew(due))
        try:
            next_check = await self._mover.check_in_turn(turn)
            await self._bot_schedule.finish(
                due, next_check.at, next_check.queue_key, int(turn.spent * SECOND)
            )
        finally:
            renewing.cancel()
            slot.free()

    def _release(self, queue: str) -> None:
        self._busy[queue] -= 1
        self._schedule.wake()

    def _share(self, due: DueGame) -> float:
        """Return the share of its usual time that a bot may use, less the more games wait.

        Games that only bots play do not slow down games with people: only they count all waiting games.
        """
        backlog = [each for each in self._backlog if each.queue == LONG]
        waiting = sum(each.games for each in backlog if due.queue_key.background or not each.background)
        enough = QUESTIONS_PER_SLOT * self._bots.capacity.get(LONG, 1)
        return max(MIN_SHARE, min(1.0, enough / max(1, waiting)))

    async def _renew(self, due: DueGame) -> None:
        """Renew a lease until this task is cancelled, the lease is lost, or the check takes far too long.

        The limit is a multiple of the time that a bot may think: if a check hangs for another reason, the
        lease must expire, so that another process takes the game.
        """
        pause = BOT_LEASE / RENEWALS
        for _ in range(int(RENEWALS * self._bots.timeout / pause)):
            await asyncio.sleep(pause)
            try:
                if not await self._bot_schedule.renew(due, self._clock() + self._lease):
                    return
            except StoreUnavailable:  # the next renewal may still come in time
                continue
