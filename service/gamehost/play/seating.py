"""An owner gives its seat up, or takes it back."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from . import access
from .clocks import worn_out
from .errors import NotNow
from .happenings import SeatReclaimed
from .ledger import Change, Ledger, Plan
from .ports import Request
from .resigning import giving_up
from .roster import Levels
from .table import Status, Table
from .tables import Tables


class Seating:
    def __init__(self, tables: Tables, ledger: Ledger, levels: Levels) -> None:
        self._tables, self._ledger, self._levels = tables, ledger, levels

    async def resign(self, game_id: str, who: access.Who, request: Request | None) -> Change:
        async def give_up(table: Table) -> Plan:
            seat = access.owner(table, who)
            _in_play(table, seat)
            seed = await self._tables.seed(game_id)
            return Plan(giving_up(table, {seat}, seed, level=self._levels.stand_in(table)), seat)

        return await self._ledger.change(game_id, give_up, request, who)

    async def reclaim(self, game_id: str, who: access.Who, request: Request | None) -> Change:
        async def take_back(table: Table) -> Plan:
            seat = access.owner(table, who)
            _in_play(table, seat)
            if not table.chairs[seat].taken_over:
                raise NotNow(f"no bot has taken seat {seat} over", reason="SEAT_NOT_TAKEN_OVER")
            if worn_out(table, seat):
                raise NotNow(f"seat {seat} was taken back too often to get more time", reason="NO_TIME_LEFT")
            return Plan([SeatReclaimed(seat)], seat)

        return await self._ledger.change(game_id, take_back, request, who)


def _in_play(table: Table, seat: Seat) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
    if table.chairs[seat].resigned:
        raise NotNow(f"seat {seat} has given up", reason="SEAT_RESIGNED")
