"""Tables for spectators who may follow a game only with a delay of some versions."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.play.caching import LruCache
from gamehost.play.errors import VersionInFuture
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.read_account import current_account
from gamehost.play.table.events import GameAbandoned, GameFinished, GameStarted
from gamehost.play.table.table import EventRecord, Status, Table, grouped_by_cause

from .current import TableCache
from .memory_size import table_size

DELAYED_TABLES_BYTES = 8 << 20  # bytes, estimated


def visible_with_delay(table: Table, records: Sequence[EventRecord], delay: int) -> Sequence[EventRecord]:
    """Return the first of the records after `table` that may be shown with that delay.

    `records` go up to the newest version. The delay applies from the start of a game until its end: who sits
    down is no secret, and a finished game is shown as a whole. Records with one cause are shown together.
    """
    if not delay or any(isinstance(record.event, GameFinished | GameAbandoned) for record in records):
        return records
    visible, gathering = 0, table.status is Status.GATHERING
    for batch in grouped_by_cause(records):
        if not gathering and batch[-1].version > records[-1].version - delay:
            break
        visible += len(batch)
        gathering = gathering and not any(isinstance(record.event, GameStarted) for record in batch)
    return records[:visible]


class DelayedTables:
    """Keeps a delayed table per game and delay, and folds new records onto it."""

    def __init__(self, tables: TableCache, metrics: PlayMetrics = NO_METRICS) -> None:
        self._tables = tables
        self._cache = LruCache[tuple[str, int], Table](
            DELAYED_TABLES_BYTES, table_size, metrics.cache_size_setter("delayed_tables")
        )

    async def delayed(self, table: Table, delay: int) -> Table:
        """Return the newest table that may be shown with the delay; `table` is the newest one there is."""
        if not delay or table.status is not Status.PLAYING:
            return table
        key = table.game_id, delay
        cached = self._cache.get(key)
        # A cached table that is ahead of the newest one contains events that the store lost in a failover.
        if cached is None or cached.version > table.version:
            cached = await self._tables.at_version(table.game_id, 1)
        # Charged, but not made to wait for a debt: it is the newest table that a spectator can get.
        records = await self._tables.read(table.game_id, after=cached.version, upto=table.version)
        current_account().charge(len(records))
        visible = visible_with_delay(cached, records, delay)
        return self._cache.put(key, await self._tables.fold_onto(cached, visible)) if visible else cached

    async def newest(self, game_id: str, delay: int) -> Table:
        """Return the newest table of a game that may be shown with the delay."""
        return await self.delayed(await self._tables.current(game_id), delay)

    async def at_version(self, game_id: str, version: int, delay: int) -> Table:
        """Return the table at an earlier version.

        Raises VersionInFuture for a version that may not be shown yet, as if it had not happened.
        """
        newest = await self.newest(game_id, delay)
        if version > newest.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {newest.version}")
        return newest if version == newest.version else await self._tables.at_version(game_id, version)
