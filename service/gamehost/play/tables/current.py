"""Folded games, kept in memory as long as there is room, and always checked against the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.play.errors import NotFound, Unreadable, VersionInFuture
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_log import EventLog, Snapshot, StoredEvent
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.read_account import current_account
from gamehost.play.table.events import GameCreated
from gamehost.play.table.table import EventRecord, Status, Table, fold, open_table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS, CheckpointMissing
from gamehost.play.throttle import Slices, Throttle
from gamehost.rules.kit import AnyRules

from .memory_size import state_size
from .past_versions import PastVersions

SNAPSHOT_EVERY = 100
FOLD_BATCH = 8  # how many records are folded between two looks at the time
READ_AT_ONCE = 128  # events in one answer of the store: a client parses an answer in one go


@dataclass(slots=True)
class CacheEntry:
    """A table, perhaps behind the store. The seed is not in it, so that nothing that shows a table has it."""

    table: Table
    last_payload: bytes | None = None  # its last event as it is stored, if that is known
    seed: bytes | None = None
    size: int = 0


class TableCache:
    """Loads, caches and refreshes tables. `capacity` is in bytes, by estimate."""

    def __init__(
        self,
        store: EventLog,
        codec: Codec,
        catalog: Mapping[str, AnyRules],
        capacity: int = 256 << 20,
        meter: PlayMetrics = NO_METRICS,
    ) -> None:
        self._store, self._codec, self._catalog = store, codec, catalog
        self._capacity, self._metrics = capacity, meter
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()
        self._size = 0
        self._past_versions, self.pace = PastVersions(meter), Throttle(1)
        meter.set_cache_size(0, 0)

    async def cached(self, game_id: str) -> Table:
        """The table as this process last saw it; perhaps behind, but at no cost."""
        entry = self._entries.get(game_id)
        if entry is None:
            return await self.current(game_id)
        self._metrics.count_cache_hit()
        return entry.table

    async def current(self, game_id: str) -> Table:
        """The table as it is in the store now."""
        entry = self._entries.get(game_id)
        known, tail = (entry.table, entry.last_payload) if entry else (None, None)
        newest = await self._store.newest(game_id)
        if known and newest and (table := await self._caught_up(known, tail, newest)):
            self._metrics.count_cache_hit()
            return table
        self.discard(game_id)  # the store has lost events: it is right, whatever it says
        table = await self._load(game_id)
        self._metrics.count_cache_miss()
        return self.put(table, newest.payload if newest and newest.version == table.version else None)

    async def _caught_up(self, table: Table, tail: bytes | None, newest: StoredEvent) -> Table | None:
        """The newest table, on from one whose last event was `tail`; None when the log has another one."""
        if newest.version == table.version:
            return self.put(table, newest.payload) if tail in (None, newest.payload) else None
        if newest.version < table.version:
            return None
        near = min(newest.version, table.version + READ_AT_ONCE)
        events = await self._store.read(table.game_id, after=table.version - 1, upto=near)
        if not events or tail not in (None, events[0].payload):
            return None
        records = await self._decode(table.game_id, events[1:], self.pace.slices())
        if near < newest.version:
            records += await self.read(table.game_id, after=near, upto=newest.version)
        grown = await self.onto(table, records)
        return self.put(grown, newest.payload if grown.version == newest.version else None)

    def last_payload(self, game_id: str, version: int) -> bytes | None:
        """The last event of the game at that version, as it is stored; None when this is not known."""
        entry = self._entries.get(game_id)
        return entry.last_payload if entry and entry.table.version == version else None

    async def at_version(self, game_id: str, version: int) -> Table:
        """The table as it was at an earlier version."""
        table = await self.current(game_id)
        if version > table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {table.version}")
        if version == table.version:
            return table
        await current_account().settle()  # before the lock, which nobody may hold for the time of a debt
        async with self._past_versions.lock(game_id):
            near = self._past_versions.nearest(game_id, version)
            if near and near.version == version:
                return near
            found = self._forward(near, version) if near else self._fold_from_start(game_id, version)
            current_account().charge(version - near.version if near else version)
            return self._past_versions.put(await found)

    async def apply(self, table: Table, records: Sequence[EventRecord], known: Any = None) -> Table:
        """The table after more records, however far back they go; `known` is the state they lead to."""
        try:
            return fold(table, records, known)
        except CheckpointMissing:
            current_account().charge(table.version)
            whole = await self._fold_from_start(table.game_id, table.version, None)
            return await self._fold(whole, records, None)

    async def records(self, game_id: str, *, after: int, upto: int | None = None) -> Sequence[EventRecord]:
        """A part of the log, which the call under way pays for."""
        await current_account().settle()
        records = await self.read(game_id, after=after, upto=upto)
        current_account().charge(len(records))
        return records

    async def read(self, game_id: str, *, after: int, upto: int | None = None) -> Sequence[EventRecord]:
        """The same, free of charge. A log only grows, so that it may be read in parts."""
        slices, records = self.pace.slices(), list[EventRecord]()
        while True:
            end = after + READ_AT_ONCE if upto is None else min(after + READ_AT_ONCE, upto)
            stored = await self._store.read(game_id, after=after, upto=end)
            records += await self._decode(game_id, stored, slices)
            if len(stored) < READ_AT_ONCE or end == upto:
                return records
            after = end

    async def last_change_at(self, table: Table) -> int:
        """When the newest thing happened, in microseconds since 1970."""
        [record] = await self.read(table.game_id, after=table.version - 1, upto=table.version)
        return record.at

    async def finished_at(self, game_id: str) -> int | None:
        """When the game ended, in microseconds since 1970; None for one that goes on."""
        table = await self.current(game_id)
        return await self.last_change_at(table) if table.status is Status.FINISHED else None

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

    def put(self, table: Table, tail: bytes | None = None) -> Table:
        """Remember a table, and what its last event is in the store, unless a newer one is known."""
        entry = self._entries.setdefault(table.game_id, CacheEntry(table))
        self._entries.move_to_end(table.game_id)
        if not entry.size or (entry.table.state is None and table.state is not None):
            self._make_room(entry, state_size(table.state))
        if table.version > entry.table.version:
            entry.table, entry.last_payload = table, None
        if table.version == entry.table.version:
            entry.last_payload = entry.last_payload or tail
        return table

    def _make_room(self, entry: CacheEntry, weight: int) -> None:
        """Whatever was not asked for the longest time goes first; the last one stays, whatever it weighs."""
        self._size += weight - entry.size
        entry.size = weight
        while self._size > self._capacity and len(self._entries) > 1:
            self._size -= self._entries.popitem(last=False)[1].size
        self._metrics.set_cache_size(len(self._entries), self._size)

    def discard(self, game_id: str) -> None:
        if entry := self._entries.pop(game_id, None):
            self._size -= entry.size
            self._metrics.set_cache_size(len(self._entries), self._size)
        self._past_versions.discard(game_id)

    async def store_snapshot(self, table: Table) -> None:
        """Leave a snapshot in the store."""
        payload = self._codec.encode_table(table, with_state=True)
        await self._store.save_snapshot(table.game_id, Snapshot(table.version, payload))

    def decode(self, game_id: str, stored: Sequence[StoredEvent]) -> list[EventRecord]:
        try:
            return [self._codec.decode_record(item.payload) for item in stored]
        except ValueError as error:
            raise Unreadable(f"the log of game {game_id} cannot be read by this server") from error

    async def _decode(self, game_id: str, stored: Sequence[StoredEvent], slices: Slices) -> list[EventRecord]:
        """The same for many, with others in between."""
        records: list[EventRecord] = []
        for item in stored:
            await slices.turn()
            records += self.decode(game_id, [item])
        return records

    async def _load(self, game_id: str) -> Table:
        if snapshot := await self._store.snapshot(game_id):
            table = self._codec.decode_table(game_id, snapshot.payload)
            if table is not None and table.version == snapshot.version:
                return await self._forward(table)
        return await self._fold_from_start(game_id, None)

    async def _fold_from_start(
        self, game_id: str, version: int | None, recent: int | None = MOST_CHECKPOINTS
    ) -> Table:
        records = await self.read(game_id, after=0, upto=version)
        if not records:
            raise NotFound(f"there is no game {game_id}")
        table = open_table(game_id, self._rules(game_id, records[0]), records[0])
        try:
            return await self._fold(table, records[1:], recent)
        except CheckpointMissing:
            return await self._fold(table, records[1:], None)

    async def _forward(self, table: Table, upto: int | None = None) -> Table:
        return await self.onto(table, await self.read(table.game_id, after=table.version, upto=upto))

    async def onto(self, table: Table, records: Sequence[EventRecord]) -> Table:
        try:
            return await self._fold(table, records, MOST_CHECKPOINTS)
        except CheckpointMissing:
            current_account().charge(records[-1].version)
            return await self._fold_from_start(table.game_id, records[-1].version)

    async def _fold(self, table: Table, records: Sequence[EventRecord], recent: int | None) -> Table:
        """A stretch at a time, with others in between. Raises Forgotten only if more could be remembered."""
        slices = self.pace.slices()
        for begin in range(0, len(records), FOLD_BATCH):
            await slices.turn()
            table = self._fold_batch(table, records[begin : begin + FOLD_BATCH], recent)
        return table

    def _fold_batch(self, table: Table, records: Sequence[EventRecord], recent: int | None) -> Table:
        try:
            return fold(table, records, recent=recent)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            if recent is not None and isinstance(error, CheckpointMissing):
                raise
            raise Unreadable(f"the log of game {table.game_id} does not fold") from error

    def _rules(self, game_id: str, record: EventRecord) -> AnyRules:
        created = record.event
        rules = self._catalog.get(created.title) if isinstance(created, GameCreated) else None
        if rules is None:
            raise Unreadable(f"game {game_id} is of a title that this server does not host")
        return rules


def snapshot_due(before: int, after: int) -> bool:
    """Whether a log has grown past another mark."""
    return before // SNAPSHOT_EVERY != after // SNAPSHOT_EVERY
