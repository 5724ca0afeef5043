"""What a caller may see of a game, and up to which version: whatever is shown of one comes from here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from . import access
from .errors import Unreadable, VersionInFuture
from .late_tables import LateTables
from .table import Record, Table
from .tables import Tables


@dataclass(frozen=True, slots=True)
class Sight:
    """How somebody sees a game: `table` is the newest it may know, `how` is None without a seat."""

    table: Table
    how: access.Sitting | None
    delay: int

    def reached(self, version: int) -> None:
        if version > self.table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {self.table.version}")


class Sights:
    def __init__(self, tables: Tables, late: LateTables) -> None:
        self._tables, self._late, self.pace = tables, late, tables.pace

    async def into(self, game_id: str, who: access.Who) -> Sight:
        """Look into a game, through the eyes of the caller's seat or as a spectator, if there may be any."""
        table = await self._tables.fresh(game_id)
        how = access.sitting(table, who)
        if how is None:
            access.spectate(table, who)
        return await self._sight(table, how)

    async def into_any(self, game_id: str, who: access.Who) -> Sight:
        """The same where it does not matter which of the caller's seats is meant."""
        if isinstance(who, access.Caller) and who.seat is None:
            seat = access.any_seat(await self._tables.fresh(game_id), who)
            who = access.Caller(who.id, seat)
        return await self.into(game_id, who)

    async def of(self, game_id: str, who: access.Who) -> Table:
        """The table from outside: what is played and who sits there, for all who may know of the game."""
        table = await self._tables.fresh(game_id)
        access.any_seat(table, who)
        return await self._outside(table, who)

    async def of_all(self, tables: Sequence[Table], who: access.Who) -> Sequence[Table]:
        """The same for tables that were found on a list; one that cannot be read is passed over."""
        found = await asyncio.gather(*(self._listed(table, who) for table in tables))
        return [table for table in found if table is not None]

    async def at(self, sight: Sight, version: int) -> Table:
        """The table as it was at an earlier version that may be known."""
        sight.reached(version)
        same = version == sight.table.version
        return sight.table if same else await self._tables.at(sight.table.game_id, version)

    async def records(self, sight: Sight, *, after: int, upto: int) -> Sequence[Record]:
        sight.reached(after)
        upto = min(upto, sight.table.version)
        return await self._tables.records(sight.table.game_id, after=after, upto=upto)

    async def _sight(self, table: Table, how: access.Sitting | None) -> Sight:
        delay = 0 if how else table.created.spectators.delay
        return Sight(await self._late.of(table, delay), how, delay)

    async def _outside(self, table: Table, who: access.Who) -> Table:
        delay = 0 if access.participates(table, who) else table.created.spectators.delay
        return await self._late.of(table, delay)

    async def _listed(self, table: Table, who: access.Who) -> Table | None:
        """A list has no states, and may be newer or older than what the process knows of a game."""
        if not table.created.spectators.delay or access.participates(table, who):
            return table
        try:
            return await self._outside(await self._tables.fresh(table.game_id), who)
        except Unreadable:
            return None
