"""Games as those know them who are some versions behind."""

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

CAPACITY = 8 << 20  # bytes


def visible_with_delay(table: Table, records: Sequence[EventRecord], delay: int) -> Sequence[EventRecord]:
    """Which of the records after `table`, up to the newest, may be known with that delay.

    It counts from the start on, since who sits down is no secret, and lasts until the game is over. What has
    one cause is told as one.
    """
    if not delay or any(isinstance(record.event, GameFinished | GameAbandoned) for record in records):
        return records
    told, gathering = 0, table.status is Status.GATHERING
    for batch in grouped_by_cause(records):
        if not gathering and batch[-1].version > records[-1].version - delay:
            break
        told += len(batch)
        gathering = gathering and not any(isinstance(record.event, GameStarted) for record in batch)
    return records[:told]


class DelayedTables:
    """Folds each delayed game once, and then forward as it goes on."""

    def __init__(self, tables: TableCache, meter: PlayMetrics = NO_METRICS) -> None:
        self._tables = tables
        self._cache = LruCache[tuple[str, int], Table](
            CAPACITY, table_size, meter.cache_size_setter("delayed_tables")
        )

    async def delayed(self, table: Table, delay: int) -> Table:
        """The newest table that may be known, where `table` is the newest there is."""
        if not delay or table.status is not Status.PLAYING:
            return table
        key = table.game_id, delay
        late = self._cache.get(key)
        if late is None or late.version > table.version:
            late = await self._tables.at_version(table.game_id, 1)
        # Paid for, but not refused: this is the newest that a spectator may know.
        records = await self._tables.read(table.game_id, after=late.version, upto=table.version)
        current_account().charge(len(records))
        told = visible_with_delay(late, records, delay)
        return self._cache.put(key, await self._tables.onto(late, told)) if told else late

    async def newest(self, game_id: str, delay: int) -> Table:
        return await self.delayed(await self._tables.current(game_id), delay)

    async def at_version(self, game_id: str, version: int, delay: int) -> Table:
        """The table as it was; VersionInFuture for what may not be known yet, as if it had not happened."""
        newest = await self.newest(game_id, delay)
        if version > newest.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {newest.version}")
        return newest if version == newest.version else await self._tables.at_version(game_id, version)
