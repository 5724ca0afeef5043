"""Refreshing and revoking the tokens of a seat."""

from __future__ import annotations

from gamehost.play import access
from gamehost.play.errors import NotNow
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import SeatTokensRevoked
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.kit import Seat

from .seat_limits import check_revoking


class RefreshAndRevoke:
    """Checks who may have a new token, and invalidates old ones by raising the seat's generation."""

    def __init__(self, tables: TableCache, writer: GameWriter) -> None:
        self._tables, self._writer = tables, writer

    async def refresh(self, game_id: str, principal: access.Principal) -> tuple[Table, Seat]:
        """Return the table and the seat for which the caller may have a new token. Old tokens stay valid."""
        table = await self._tables.current(game_id)
        seat = access.acting_seat(table, principal)
        _check_not_over(table)
        return table, seat

    async def revoke(
        self, game_id: str, principal: access.Principal, request: RequestKey | None
    ) -> tuple[Change, Seat]:
        """Invalidate all tokens of the caller's seat."""

        async def plan(table: Table) -> Plan:
            seat = access.acting_seat(table, principal)
            _check_not_over(table)
            check_revoking(table, seat)
            return Plan([SeatTokensRevoked(seat)], seat)

        change = await self._writer.change(game_id, plan, request, principal)
        return change, change.records[0].event.seat


def _check_not_over(table: Table) -> None:
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
