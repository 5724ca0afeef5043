"""What a caller may see of a game, and up to which version: whatever is shown of one comes from here."""

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
    """How somebody sees a game: `table` is the newest it may know, `how` is None without a seat."""

    table: Table
    access: access.SeatAccess | None
    delay: int

    def check_reached(self, version: int) -> None:
        if version > self.table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {self.table.version}")


class Viewing:
    def __init__(self, tables: TableCache, late: DelayedTables) -> None:
        self._tables, self._delayed, self.pace = tables, late, tables.pace

    async def viewpoint(self, game_id: str, who: access.Principal) -> Viewpoint:
        """Look into a game, through the eyes of the caller's seat or as a spectator, if there may be any."""
        table = await self._tables.current(game_id)
        how = access.seat_access(table, who)
        if how is None:
            access.check_may_spectate(table, who)
        return await self._viewpoint(table, how)

    async def viewpoint_of_any_seat(self, game_id: str, who: access.Principal) -> Viewpoint:
        """The same where it does not matter which of the caller's seats is meant."""
        if isinstance(who, access.Caller) and who.seat is None:
            seat = access.any_seat(await self._tables.current(game_id), who)
            who = access.Caller(who.id, seat)
        return await self.viewpoint(game_id, who)

    async def game(self, game_id: str, who: access.Principal) -> Table:
        """The table from outside: what is played and who sits there, for all who may know of the game."""
        table = await self._tables.current(game_id)
        access.any_seat(table, who)
        return await self._outside(table, who)

    async def games(self, tables: Sequence[Table], who: access.Principal) -> Sequence[Table]:
        """The same for tables that were found on a list; one that cannot be read is passed over."""
        found = await asyncio.gather(*(self._listed(table, who) for table in tables))
        return [table for table in found if table is not None]

    async def table_at(self, sight: Viewpoint, version: int) -> Table:
        """The table as it was at an earlier version that may be known."""
        sight.check_reached(version)
        same = version == sight.table.version
        return sight.table if same else await self._tables.at_version(sight.table.game_id, version)

    async def records(self, sight: Viewpoint, *, after: int, upto: int) -> Sequence[EventRecord]:
        sight.check_reached(after)
        upto = min(upto, sight.table.version)
        return await self._tables.records(sight.table.game_id, after=after, upto=upto)

    async def _viewpoint(self, table: Table, how: access.SeatAccess | None) -> Viewpoint:
        delay = 0 if how else table.created.spectators.delay
        return Viewpoint(await self._delayed.delayed(table, delay), how, delay)

    async def _outside(self, table: Table, who: access.Principal) -> Table:
        delay = 0 if access.owns_seat(table, who) else table.created.spectators.delay
        return await self._delayed.delayed(table, delay)

    async def _listed(self, table: Table, who: access.Principal) -> Table | None:
        """A list has no states, and may be newer or older than what the process knows of a game."""
        if not table.created.spectators.delay or access.owns_seat(table, who):
            return table
        try:
            return await self._outside(await self._tables.current(table.game_id), who)
        except Unreadable:
            return None
