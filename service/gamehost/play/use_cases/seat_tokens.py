"""What an owner does about its seat's tokens."""

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
    def __init__(self, tables: TableCache, ledger: GameWriter) -> None:
        self._tables, self._writer = tables, ledger

    async def refresh(self, game_id: str, who: access.Principal) -> tuple[Table, Seat]:
        """The caller's seat, if it may have another token for it."""
        table = await self._tables.current(game_id)
        seat = access.acting_seat(table, who)
        _not_over(table)
        return table, seat

    async def revoke(
        self, game_id: str, who: access.Principal, request: RequestKey | None
    ) -> tuple[Change, Seat]:
        """Make every token of the caller's seat worthless."""

        async def raise_generation(table: Table) -> Plan:
            seat = access.acting_seat(table, who)
            _not_over(table)
            check_revoking(table, seat)
            return Plan([SeatTokensRevoked(seat)], seat)

        change = await self._writer.change(game_id, raise_generation, request, who)
        return change, change.records[0].event.seat


def _not_over(table: Table) -> None:
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
