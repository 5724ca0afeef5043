"""Time that is up: what happens then, whichever process notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .clocks import deadline, overdue
from .errors import NotFound, NotNow
from .fairness import revelation
from .happenings import GameAbandoned, SeatResigned, SeatTakenOver, TimeoutPolicy
from .ledger import Ledger, Plan
from .ports import Tally
from .resigning import giving_up
from .roster import Levels
from .rounds import look_again
from .table import Status, Table
from .tables import Tables

EXPIRED = "EXPIRED"
TIMEOUTS = SeatResigned | SeatTakenOver


class Timekeeper:
    """`clock` gives microseconds since 1970."""

    def __init__(
        self, tables: Tables, ledger: Ledger, levels: Levels, clock: Callable[[], int], tally: Tally
    ) -> None:
        self._tables, self._ledger, self._levels = tables, ledger, levels
        self._clock, self._tally = clock, tally

    async def look(self, game_id: str) -> int | None:
        """Do what is due at a table; when to look at it again, if ever."""
        try:
            change = await self._ledger.change(game_id, self._enforce)
            timed_out = [record for record in change.records if isinstance(record.event, TIMEOUTS)]
            self._tally.timed_out(change.table.rules.title, len(timed_out))
            table = change.table
        except NotFound:
            return None
        except NotNow:
            table = await self._tables.known(game_id)
        return await self._next(table)

    async def _next(self, table: Table) -> int | None:
        until = deadline(table)
        if until is None and table.clocks and table.status is not Status.FINISHED:
            return look_again(self._clock(), await self._tables.changed_at(table))
        return until

    async def _enforce(self, table: Table) -> Plan:
        """On the newest table: of two processes that notice, one finds that it is done."""
        until = deadline(table)
        if until is None or until > self._clock():
            raise NotNow("nothing is due")
        seed = await self._tables.seed(table.game_id)
        if table.status is Status.GATHERING:
            return Plan([GameAbandoned(EXPIRED), *revelation(table, seed)])
        return Plan(self._timed_out(table, seed))

    def _timed_out(self, table: Table, seed: bytes) -> Sequence[Any]:
        seats, level = overdue(table, self._clock()), self._levels.stand_in(table)
        clock = table.created.clock
        if clock and clock.on_timeout is TimeoutPolicy.FORFEIT:
            return giving_up(table, seats, seed, level=level, timed_out=True)
        return [SeatTakenOver(seat, level) for seat in seats]
