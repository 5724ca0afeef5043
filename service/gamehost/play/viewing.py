"""Computes the viewpoint of a caller: the seat, and the newest version that it may see.

All reads for callers go through `Viewing`, so that seats, spectator policies and delays hold everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from . import access
from .errors import Unreadable, VersionInFuture
from .table.table import EventRecord, Table
from .tables.current import TableCache
from .tables.delayed import DelayedTables


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The table that a caller may see, with its seat and its delay.

    `table` is the newest version that the caller may know. `access` is None for a spectator, whose table is
    `delay` versions behind.
    """

    table: Table
    access: access.SeatAccess | None
    delay: int

    def check_reached(self, version: int) -> None:
        """Raise VersionInFuture for a version that the caller may not know yet, or that does not exist."""
        if version > self.table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {self.table.version}")


class Viewing:
    """Reads games as their callers may see them."""

    def __init__(self, tables: TableCache, delayed: DelayedTables) -> None:
        self._tables, self._delayed, self.throttle = tables, delayed, tables.throttle

    async def viewpoint(
        self, game_id: str, principal: access.Principal, *, acting: bool = False
    ) -> Viewpoint:
        """Return the viewpoint of the caller's seat, or of a spectator unless `acting`.

        Raises NotFound, NotYourSeat or NoSpectators if the caller may not look into the game, and
        Unauthenticated or NotYourSeat if it has no seat to act for.
        """
        table = await self._tables.current(game_id)
        if acting:
            access.acting_seat(table, principal)
        seat_access = access.seat_access(table, principal)
        if seat_access is None:
            access.check_may_spectate(table, principal)
        return await self._viewpoint(table, seat_access)

    async def viewpoint_of_any_seat(self, game_id: str, principal: access.Principal) -> Viewpoint:
        """Like `viewpoint`, for calls where any of the caller's seats will do."""
        if isinstance(principal, access.Caller) and principal.seat is None:
            seat = access.any_seat(await self._tables.current(game_id), principal)
            principal = access.Caller(principal.id, seat)
        return await self.viewpoint(game_id, principal)

    async def game(self, game_id: str, principal: access.Principal) -> Table:
        """Return the table for a caller that may know of the game: what is played and who sits where."""
        table = await self._tables.current(game_id)
        access.any_seat(table, principal)
        return await self._public_table(table, principal)

    async def games(self, tables: Sequence[Table], principal: access.Principal) -> Sequence[Table]:
        """Like `game`, for tables read from a list; those that cannot be read are left out."""
        found = await asyncio.gather(*(self._listed(table, principal) for table in tables))
        return [table for table in found if table is not None]

    async def table_at(self, viewpoint: Viewpoint, version: int) -> Table:
        """Return the table at an earlier version; raises VersionInFuture for one the caller may not know."""
        viewpoint.check_reached(version)
        same = version == viewpoint.table.version
        return viewpoint.table if same else await self._tables.at_version(viewpoint.table.game_id, version)

    async def records(self, viewpoint: Viewpoint, *, after: int, upto: int) -> Sequence[EventRecord]:
        """Return a part of the log, cut off at the newest version that the caller may know."""
        viewpoint.check_reached(after)
        upto = min(upto, viewpoint.table.version)
        return await self._tables.records(viewpoint.table.game_id, after=after, upto=upto)

    async def _viewpoint(self, table: Table, seat_access: access.SeatAccess | None) -> Viewpoint:
        delay = 0 if seat_access else table.created.spectators.delay
        return Viewpoint(await self._delayed.delayed(table, delay), seat_access, delay)

    async def _public_table(self, table: Table, principal: access.Principal) -> Table:
        delay = 0 if access.owns_seat(table, principal) else table.created.spectators.delay
        return await self._delayed.delayed(table, delay)

    async def _listed(self, table: Table, principal: access.Principal) -> Table | None:
        if not table.created.spectators.delay or access.owns_seat(table, principal):
            return table
        # A listed table has no state and may be of any age, so the delayed table is read from the log.
        try:
            return await self._public_table(await self._tables.current(table.game_id), principal)
        except Unreadable:
            return None
