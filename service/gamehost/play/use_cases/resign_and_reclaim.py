"""Resigning a seat, and reclaiming one that a bot has taken over."""

from __future__ import annotations

from gamehost.play import access
from gamehost.play.errors import NotNow
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.clocks import reclaims_exhausted
from gamehost.play.table.events import SeatReclaimed
from gamehost.play.table.resignation import resignation_events
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.kit import Seat

from .bot_levels import BotLevels


class ResignAndReclaim:
    """Resigns seats for good, and returns taken-over seats to their owners."""

    def __init__(self, tables: TableCache, writer: GameWriter, bot_levels: BotLevels) -> None:
        self._tables, self._writer, self._bot_levels = tables, writer, bot_levels

    async def resign(self, game_id: str, principal: access.Principal, request: RequestKey | None) -> Change:
        """Resign: the seat ranks last, and a bot plays on where the game needs the seat."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_in_play(table, seat)
            seed = await self._tables.seed(game_id)
            return Plan(
                resignation_events(table, {seat}, seed, level=self._bot_levels.substitute(table)), seat
            )

        return await self._writer.change(game_id, plan, request, principal)

    async def reclaim(self, game_id: str, principal: access.Principal, request: RequestKey | None) -> Change:
        """Take a seat back from the bot that took it over when its time was up."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_in_play(table, seat)
            if not table.chairs[seat].taken_over:
                raise NotNow(f"no bot has taken over seat {seat}", reason="SEAT_NOT_TAKEN_OVER")
            if reclaims_exhausted(table, seat):
                raise NotNow(f"seat {seat} was reclaimed too often to get more time", reason="NO_TIME_LEFT")
            return Plan([SeatReclaimed(seat)], seat)

        return await self._writer.change(game_id, plan, request, principal)


def _check_in_play(table: Table, seat: Seat) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
    if table.chairs[seat].resigned:
        raise NotNow(f"seat {seat} has resigned", reason="SEAT_RESIGNED")
