"""The schedules that a change of a game writes to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from gamehost.play.inbox.items import callers_at
from gamehost.play.players.end_order import EndOrder
from gamehost.play.table.table import Table

from .bot_schedule import BotSchedule
from .schedule import Schedule


@dataclass(frozen=True, slots=True)
class Schedules:
    """The schedules for time-outs, bot moves, archiving and recording finished games.

    `archive` is None without an archive: its schedule would grow with every game that ends. `finished` and
    `ends` are None if the service keeps nothing about players. A bot moves at the earliest `think`
    microseconds after its decision was asked.
    """

    clocks: Schedule
    bots: BotSchedule
    archive: Schedule | None
    webhooks: Schedule
    think: int
    finished: Schedule | None = None
    ends: EndOrder | None = None

    async def schedule_end(self, after: Table, at: int) -> None:
        """Schedule what is done with a game that is over: archiving and, for players, recording it."""
        if self.ends is not None and after.created.rated:
            await self.ends.add(after.rules.title, after.game_id, at)
        recorded = self.finished if callers_at(after) else None
        wanted = [schedule for schedule in (self.archive, recorded) if schedule is not None]
        await asyncio.gather(*(schedule.schedule(after.game_id, at) for schedule in wanted))
