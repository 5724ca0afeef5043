"""Letting bots move: which of the games that wait are taken, and for how long they are held."""

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

from .bot_moves import BotMover, Turn
from .bot_schedule import BotSchedule
from .schedule_worker import POLL, SECOND, ScheduleWorker

LEASE = 2.0  # seconds after which another process lets a bot move whose process is gone
RENEWALS = 3  # in the time of a lease, so that one may fail
FULL_TIME = 2  # as many questions as this wait for each place: bots still have all their time
LEAST_SHARE = 0.2  # of its time is left to a bot however many wait


@dataclass(slots=True)
class ThinkingSlot:
    """Room for one question. It is free again when the thinking is over, before the answer is told."""

    queue: str
    release: Callable[[str], None]
    held: bool = True

    def free(self) -> None:
        if self.held:
            self.held = False
            self.release(self.queue)


class BotScheduleWorker(ScheduleWorker):
    """Takes as many games as bots can think about at once, so that whoever comes next has a fair turn.

    A lease is short and renewed while a bot thinks: when this process is killed another goes on soon.
    """

    def __init__(
        self,
        agenda: BotSchedule,
        host: BotMover,
        bots: BotRunner,
        clock: Callable[[], int],
        tally: BackgroundMetrics,
    ) -> None:
        super().__init__(agenda, host.check, clock, tally, capacity=0, lease=LEASE)
        self._bot_agenda, self._host, self._bots = agenda, host, bots
        self._busy: Counter[str] = Counter()
        self._waiting: Sequence[Backlog] = ()

    def _room(self) -> Mapping[str, int]:
        room = {queue: most - self._busy[queue] for queue, most in self._bots.capacity.items()}
        return {queue: most for queue, most in room.items() if most > 0}

    async def _rest(self) -> None:
        """A place that becomes free rings, too."""
        await self._schedule.wait(POLL * random.uniform(0.75, 1.25))

    async def _found(self) -> Sequence[DueGame]:
        """Asks also when there is no room: how many wait is told, and changes what bots may use."""
        taken = await self._bot_agenda.take(room=self._room(), lease=self._lease)
        self._waiting = taken.waiting
        levels = Counter[str]()
        for backlog in taken.waiting:
            levels[backlog.level] += backlog.games
        self._metrics.bots_waiting({level: games for level, games in levels.items() if level})
        for due in taken.due:
            self._busy[due.lane.queue] += 1
        return taken.due

    async def _attend(self, due: DueGame) -> None:
        place = ThinkingSlot(due.lane.queue, self._release)
        turn = Turn(due, self._share(due), place.free)
        if due.lane.level:
            self._metrics.bot_waited(due.lane.level, max(0, self._clock() - due.at) / SECOND)
        renewing = asyncio.create_task(self._renew(due))
        try:
            later = await self._host.look_in_turn(turn)
            await self._bot_agenda.finish(due, later.at, later.lane, int(turn.spent * SECOND))
        finally:
            renewing.cancel()
            place.free()

    def _release(self, queue: str) -> None:
        self._busy[queue] -= 1
        self._schedule.wake()

    def _share(self, due: DueGame) -> float:
        """Who is in the background heeds all that wait, others only those that come before the background."""
        ahead = [each for each in self._waiting if each.queue == LONG]
        waiting = sum(each.games for each in ahead if due.lane.background or not each.background)
        enough = FULL_TIME * self._bots.capacity.get(LONG, 1)
        return max(LEAST_SHARE, min(1.0, enough / max(1, waiting)))

    async def _renew(self, due: DueGame) -> None:
        """For as long as a bot may think; a look that hangs for another reason is left to others."""
        pause = LEASE / RENEWALS
        for _ in range(int(RENEWALS * self._bots.patience / pause)):
            await asyncio.sleep(pause)
            try:
                if not await self._bot_agenda.renew(due, self._clock() + self._lease):
                    return
            except StoreUnavailable:
                continue
