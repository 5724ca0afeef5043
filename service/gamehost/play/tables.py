"""Folded games, kept in memory as long as there is room, and always checked against the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.kit import AnyRules

from .errors import NotFound, Unreadable, VersionInFuture
from .happenings import GameCreated
from .ports import Codec, EventStore, Snapshot, Stored
from .table import Record, Status, Table, fold, open_table
from .trail import RECENT, Forgotten
from .weight import weigh

SNAPSHOT_EVERY = 100


@dataclass(slots=True)
class Entry:
    """A table, perhaps behind the store. The seed is not in it, so that nothing that shows a table has it."""

    table: Table
    seed: bytes | None = None
    weight: int = 0


class Tables:
    """Loads, caches and refreshes tables. `capacity` is in bytes, by estimate."""

    def __init__(
        self, store: EventStore, codec: Codec, catalog: Mapping[str, AnyRules], capacity: int = 256 << 20
    ) -> None:
        self._store, self._codec, self._catalog, self._capacity = store, codec, catalog, capacity
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._weight = 0

    async def known(self, game_id: str) -> Table:
        """The table as this process last saw it; perhaps behind, but at no cost."""
        entry = self._entries.get(game_id)
        return entry.table if entry else await self.fresh(game_id)

    async def fresh(self, game_id: str) -> Table:
        """The table as it is in the store now."""
        if entry := self._entries.get(game_id):
            version = await self._store.version(game_id)
            if version == entry.table.version:
                return entry.table
            if version > entry.table.version:
                return self.keep(await self._forward(entry.table))
            self.forget(game_id)  # the store has lost events: it is right, whatever it says
        return self.keep(await self._load(game_id))

    async def at(self, game_id: str, version: int) -> Table:
        """The table as it was at an earlier version."""
        table = await self.fresh(game_id)
        if version > table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {table.version}")
        return table if version == table.version else await self._fold_from_start(game_id, version)

    async def onward(self, table: Table, records: Sequence[Record], known: Any = None) -> Table:
        """The table after more records, however far back they go; `known` is the state they lead to."""
        try:
            return fold(table, records, known)
        except Forgotten:
            whole = await self._fold_from_start(table.game_id, table.version, None)
            return self._fold(whole, records, None)

    async def records(self, game_id: str, *, after: int, upto: int | None = None) -> Sequence[Record]:
        return self.decode(game_id, await self._store.read(game_id, after=after, upto=upto))

    async def changed_at(self, table: Table) -> int:
        """When the newest thing happened, in microseconds since 1970."""
        [record] = await self.records(table.game_id, after=table.version - 1, upto=table.version)
        return record.at

    async def over_since(self, game_id: str) -> int | None:
        """When the game ended, in microseconds since 1970; None for one that goes on."""
        table = await self.fresh(game_id)
        return await self.changed_at(table) if table.status is Status.FINISHED else None

    async def seed(self, game_id: str) -> bytes:
        entry = self._entries.get(game_id)
        if entry and entry.seed:
            return entry.seed
        seed = await self._store.seed(game_id)
        if seed is None:
            raise Unreadable(f"game {game_id} has lost its seed")
        if entry:
            entry.seed = seed
        return seed

    def keep(self, table: Table) -> Table:
        """Remember a table unless a newer one is known."""
        entry = self._entries.setdefault(table.game_id, Entry(table))
        if not entry.weight or (entry.table.state is None and table.state is not None):
            self._weight -= entry.weight
            entry.weight = weigh(table.state)
            self._weight += entry.weight
        if table.version > entry.table.version:
            entry.table = table
        self._entries.move_to_end(table.game_id)
        while self._weight > self._capacity and len(self._entries) > 1:
            self._weight -= self._entries.popitem(last=False)[1].weight
        return table

    def forget(self, game_id: str) -> None:
        if entry := self._entries.pop(game_id, None):
            self._weight -= entry.weight

    async def remember(self, table: Table) -> None:
        """Leave a snapshot in the store."""
        payload = self._codec.encode_table(table, with_state=True)
        await self._store.save_snapshot(table.game_id, Snapshot(table.version, payload))

    def decode(self, game_id: str, stored: Sequence[Stored]) -> list[Record]:
        try:
            return [self._codec.decode_record(item.payload) for item in stored]
        except ValueError as error:
            raise Unreadable(f"the log of game {game_id} cannot be read by this server") from error

    async def _load(self, game_id: str) -> Table:
        if snapshot := await self._store.snapshot(game_id):
            table = self._codec.decode_table(game_id, snapshot.payload)
            if table is not None and table.version == snapshot.version:
                return await self._forward(table)
        return await self._fold_from_start(game_id, None)

    async def _fold_from_start(self, game_id: str, version: int | None, recent: int | None = RECENT) -> Table:
        records = await self.records(game_id, after=0, upto=version)
        if not records:
            raise NotFound(f"there is no game {game_id}")
        table = open_table(game_id, self._rules(game_id, records[0]), records[0])
        try:
            return self._fold(table, records[1:], recent)
        except Forgotten:
            return self._fold(table, records[1:], None)

    async def _forward(self, table: Table) -> Table:
        try:
            return self._fold(table, await self.records(table.game_id, after=table.version), RECENT)
        except Forgotten:
            return await self._fold_from_start(table.game_id, None)

    def _fold(self, table: Table, records: Sequence[Record], recent: int | None) -> Table:
        """Raises Forgotten only if more could be remembered."""
        try:
            return fold(table, records, recent=recent)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            if recent is not None and isinstance(error, Forgotten):
                raise
            raise Unreadable(f"the log of game {table.game_id} does not fold") from error

    def _rules(self, game_id: str, record: Record) -> AnyRules:
        created = record.event
        rules = self._catalog.get(created.title) if isinstance(created, GameCreated) else None
        if rules is None:
            raise Unreadable(f"game {game_id} is of a title that this server does not host")
        return rules


def snapshot_due(before: int, after: int) -> bool:
    """Whether a log has grown past another mark."""
    return before // SNAPSHOT_EVERY != after // SNAPSHOT_EVERY
