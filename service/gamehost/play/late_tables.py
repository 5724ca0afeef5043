"""Games as those know them who are some versions behind."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import VersionInFuture
from .happenings import GameAbandoned, GameFinished, GameStarted
from .lately import Lately
from .meter import UNMETERED, Meter
from .paying import account
from .table import Record, Status, Table, causes
from .tables import Tables
from .weight import weigh_table

REMEMBERED = 8 << 20  # bytes


def released(table: Table, records: Sequence[Record], delay: int) -> Sequence[Record]:
    """Which of the records after `table`, up to the newest, may be known with that delay.

    It counts from the start on, since who sits down is no secret, and lasts until the game is over. What has
    one cause is told as one.
    """
    if not delay or any(isinstance(record.event, GameFinished | GameAbandoned) for record in records):
        return records
    told, gathering = 0, table.status is Status.GATHERING
    for batch in causes(records):
        if not gathering and batch[-1].version > records[-1].version - delay:
            break
        told += len(batch)
        gathering = gathering and not any(isinstance(record.event, GameStarted) for record in batch)
    return records[:told]


class LateTables:
    """Folds each delayed game once, and then forward as it goes on."""

    def __init__(self, tables: Tables, meter: Meter = UNMETERED) -> None:
        self._tables = tables
        self._known = Lately[tuple[str, int], Table](REMEMBERED, weigh_table, meter.recent("delayed_tables"))

    async def of(self, table: Table, delay: int) -> Table:
        """The newest table that may be known, where `table` is the newest there is."""
        if not delay or table.status is not Status.PLAYING:
            return table
        key = table.game_id, delay
        late = self._known.get(key)
        if late is None or late.version > table.version:
            late = await self._tables.at(table.game_id, 1)
        # Paid for, but not refused: this is the newest that a spectator may know.
        records = await self._tables.read(table.game_id, after=late.version, upto=table.version)
        account().charge(len(records))
        told = released(late, records, delay)
        return self._known.keep(key, await self._tables.onto(late, told)) if told else late

    async def newest(self, game_id: str, delay: int) -> Table:
        return await self.of(await self._tables.fresh(game_id), delay)

    async def at(self, game_id: str, version: int, delay: int) -> Table:
        """The table as it was; VersionInFuture for what may not be known yet, as if it had not happened."""
        newest = await self.newest(game_id, delay)
        if version > newest.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {newest.version}")
        return newest if version == newest.version else await self._tables.at(game_id, version)
