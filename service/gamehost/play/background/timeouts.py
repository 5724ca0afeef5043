"""Enforces time-outs: of seats whose clock has run out, and of games that have not started in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gamehost.play.errors import NotFound, NotNow
from gamehost.play.fairness import seed_revealed
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.table.clocks import next_deadline, seats_out_of_time
from gamehost.play.table.events import GameAbandoned, SeatResigned, SeatTakenOver, TimeoutPolicy
from gamehost.play.table.resignation import resignation_events
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.use_cases.bot_levels import BotLevels
from gamehost.play.writer import GameWriter, Plan

from .schedule_worker import next_idle_check

EXPIRED = "EXPIRED"
TIMEOUT_EVENTS = SeatResigned | SeatTakenOver


class TimeoutEnforcer:
    """Enforces the time-outs of one game: seats out of time are taken over or resign, unstarted games expire.

    `clock` returns microseconds since 1970.
    """

    def __init__(
        self,
        tables: TableCache,
        writer: GameWriter,
        bot_levels: BotLevels,
        clock: Callable[[], int],
        metrics: BackgroundMetrics,
    ) -> None:
        self._tables, self._writer, self._bot_levels = tables, writer, bot_levels
        self._clock, self._metrics = clock, metrics

    async def check(self, game_id: str) -> int | None:
        """Enforce the time-outs that are due in a game. Returns when to check it again, None for never."""
        try:
            change = await self._writer.change(game_id, self._enforce)
            timed_out = [record for record in change.records if isinstance(record.event, TIMEOUT_EVENTS)]
            self._metrics.count_timeouts(change.table.rules.title, len(timed_out))
            table = change.table
        except NotFound:
            return None
        except NotNow:  # nothing is due any more: a player was faster, or another process
            table = await self._tables.cached(game_id)
        return await self._next_check_at(table)

    async def _next_check_at(self, table: Table) -> int | None:
        until = next_deadline(table)
        if until is None and table.clocks and table.status is not Status.FINISHED:
            # No clock runs now. The call that starts one schedules the game; this check is the fallback for
            # an entry that the store has lost.
            return next_idle_check(self._clock(), await self._tables.last_change_at(table))
        return until

    async def _enforce(self, table: Table) -> Plan:
        """Plan what is due; raises NotNow if nothing is.

        The writer calls this again with the newest table if the append fails. So if two processes notice the
        same deadline, the second one finds that nothing is due.
        """
        until = next_deadline(table)
        if until is None or until > self._clock():
            raise NotNow("nothing is due")
        seed = await self._tables.seed(table.game_id)
        if table.status is Status.GATHERING:
            return Plan([GameAbandoned(EXPIRED), *seed_revealed(table, seed)])
        return Plan(self._timeout_events(table, seed))

    def _timeout_events(self, table: Table, seed: bytes) -> Sequence[Any]:
        # All seats that are out of time at once: which of them is handled first must not decide the ranking.
        seats, level = seats_out_of_time(table, self._clock()), self._bot_levels.substitute(table)
        clock = table.created.clock
        if clock and clock.on_timeout is TimeoutPolicy.FORFEIT:
            return resignation_events(table, seats, seed, level=level, timed_out=True)
        return [SeatTakenOver(seat, level) for seat in seats]
