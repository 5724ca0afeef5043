"""An owner gives its seat up, or takes it back."""

from __future__ import annotations

from gamehost.play import access
from gamehost.play.errors import NotNow
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.clocks import worn_out
from gamehost.play.table.events import SeatReclaimed
from gamehost.play.table.resignation import resignation_events
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.kit import Seat

from .bot_levels import BotLevels


class ResignAndReclaim:
    def __init__(self, tables: TableCache, ledger: GameWriter, levels: BotLevels) -> None:
        self._tables, self._writer, self._bot_levels = tables, ledger, levels

    async def resign(self, game_id: str, who: access.Principal, request: RequestKey | None) -> Change:
        async def give_up(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _in_play(table, seat)
            seed = await self._tables.seed(game_id)
            return Plan(
                resignation_events(table, {seat}, seed, level=self._bot_levels.substitute(table)), seat
            )

        return await self._writer.change(game_id, give_up, request, who)

    async def reclaim(self, game_id: str, who: access.Principal, request: RequestKey | None) -> Change:
        async def take_back(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _in_play(table, seat)
            if not table.chairs[seat].taken_over:
                raise NotNow(f"no bot has taken seat {seat} over", reason="SEAT_NOT_TAKEN_OVER")
            if worn_out(table, seat):
                raise NotNow(f"seat {seat} was taken back too often to get more time", reason="NO_TIME_LEFT")
            return Plan([SeatReclaimed(seat)], seat)

        return await self._writer.change(game_id, take_back, request, who)


def _in_play(table: Table, seat: Seat) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
    if table.chairs[seat].resigned:
        raise NotNow(f"seat {seat} has given up", reason="SEAT_RESIGNED")
