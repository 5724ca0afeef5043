"""What an owner does about its seat's tokens."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from . import access
from .bounds import check_revoking
from .errors import NotNow
from .happenings import SeatTokensRevoked
from .ledger import Change, Ledger, Plan
from .ports import Request
from .table import Status, Table
from .tables import Tables


class Seats:
    def __init__(self, tables: Tables, ledger: Ledger) -> None:
        self._tables, self._ledger = tables, ledger

    async def renew(self, game_id: str, who: access.Who) -> tuple[Table, Seat]:
        """The caller's seat, if it may have another token for it."""
        table = await self._tables.fresh(game_id)
        seat = access.owner(table, who)
        _not_over(table)
        return table, seat

    async def revoke(self, game_id: str, who: access.Who, request: Request | None) -> tuple[Change, Seat]:
        """Make every token of the caller's seat worthless."""

        async def raise_generation(table: Table) -> Plan:
            seat = access.owner(table, who)
            _not_over(table)
            check_revoking(table, seat)
            return Plan([SeatTokensRevoked(seat)], seat)

        change = await self._ledger.change(game_id, raise_generation, request, who)
        return change, change.records[0].event.seat


def _not_over(table: Table) -> None:
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
