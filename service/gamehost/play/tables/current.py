"""The cache of folded games.

A cached table is only trusted as far as the store confirms it. The version alone does not confirm it: a
failover can lose the last events of a log, and other events can be appended since under the same versions.
Therefore each entry also has the stored bytes of its last event. They are compared whenever the log is read,
and every append passes them on for the store to compare.
"""

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
FOLD_BATCH = 8  # records that are folded before the clock is read again
READ_AT_ONCE = 128  # events per read: the store client parses a reply in one go and blocks the event loop


@dataclass(slots=True)
class CacheEntry:
    """A table, which may be behind the store.

    The seed is kept beside the table, not in it, so that code that shows tables cannot leak it.
    """

    table: Table
    last_payload: bytes | None = None  # the stored bytes of its last event; None if unknown
    seed: bytes | None = None
    size: int = 0


class TableCache:
    """Loads, caches and refreshes tables. `capacity` is in bytes and compared with estimated sizes."""

    def __init__(
        self,
        store: EventLog,
        codec: Codec,
        catalog: Mapping[str, AnyRules],
        capacity: int = 256 << 20,
        metrics: PlayMetrics = NO_METRICS,
    ) -> None:
        self._store, self._codec, self._catalog = store, codec, catalog
        self._capacity, self._metrics = capacity, metrics
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()
        self._size = 0
        self._past_versions, self.throttle = PastVersions(metrics), Throttle(1)
        metrics.set_cache_size(0, 0)

    async def cached(self, game_id: str) -> Table:
        """Return the table as this process last saw it: possibly behind the store, but without a round trip.

        Loads the table if it is not cached. Raises NotFound or Unreadable.
        """
        entry = self._entries.get(game_id)
        if entry is None:
            return await self.current(game_id)
        self._metrics.count_cache_hit()
        return entry.table

    async def current(self, game_id: str) -> Table:
        """Return the table as it is in the store now. Raises NotFound or Unreadable."""
        entry = self._entries.get(game_id)
        # Read before the await: the entry may change meanwhile, and the two must belong together.
        cached, last_payload = (entry.table, entry.last_payload) if entry else (None, None)
        newest = await self._store.newest(game_id)
        if cached and newest and (table := await self._caught_up(cached, last_payload, newest)):
            self._metrics.count_cache_hit()
            return table
        # Not cached, or the store has lost events that this table contains. The store decides.
        self.discard(game_id)
        table = await self._load(game_id)
        self._metrics.count_cache_miss()
        return self.put(table, newest.payload if newest and newest.version == table.version else None)

    async def _caught_up(self, table: Table, last_payload: bytes | None, newest: StoredEvent) -> Table | None:
        """Fold the events after a cached table; None if the log does not contain its last event any more."""
        if newest.version == table.version:
            return self.put(table, newest.payload) if last_payload in (None, newest.payload) else None
        if newest.version < table.version:
            return None
        # The read starts with the last event that is already folded, only to compare it.
        end = min(newest.version, table.version + READ_AT_ONCE)
        events = await self._store.read(table.game_id, after=table.version - 1, upto=end)
        if not events or last_payload not in (None, events[0].payload):
            return None
        records = await self._decode(table.game_id, events[1:], self.throttle.slices())
        if end < newest.version:
            records += await self.read(table.game_id, after=end, upto=newest.version)
        current = await self.fold_onto(table, records)
        return self.put(current, newest.payload if current.version == newest.version else None)

    def last_payload(self, game_id: str, version: int) -> bytes | None:
        """Return the stored bytes of the event with that version if it is the last cached one, else None."""
        entry = self._entries.get(game_id)
        return entry.last_payload if entry and entry.table.version == version else None

    async def at_version(self, game_id: str, version: int) -> Table:
        """Return the table as it was at an earlier version; raises VersionInFuture for a later one."""
        table = await self.current(game_id)
        if version > table.version:
            raise VersionInFuture(f"version {version} is not reached: the game is at {table.version}")
        if version == table.version:
            return table
        # Before the lock: a caller that waits for its debt must not block others who ask for this game.
        await current_account().settle()
        async with self._past_versions.lock(game_id):
            base = self._past_versions.nearest(game_id, version)
            if base and base.version == version:
                return base
            folding = self._fold_log_onto(base, version) if base else self._fold_from_start(game_id, version)
            current_account().charge(version - base.version if base else version)
            return self._past_versions.put(await folding)

    async def apply(self, table: Table, records: Sequence[EventRecord], state_after: Any = None) -> Table:
        """Return the table after new records; `state_after` is the title's state after them, if computed."""
        try:
            return fold(table, records, state_after)
        except CheckpointMissing:
            # An undo to before the oldest checkpoint of a cached table. The log has all of them.
            current_account().charge(table.version)
            complete = await self._fold_from_start(table.game_id, table.version, None)
            return await self._fold(complete, records, None)

    async def records(self, game_id: str, *, after: int, upto: int | None = None) -> Sequence[EventRecord]:
        """Return the records with after < version <= upto, charged to the call in progress."""
        await current_account().settle()
        records = await self.read(game_id, after=after, upto=upto)
        current_account().charge(len(records))
        return records

    async def read(self, game_id: str, *, after: int, upto: int | None = None) -> Sequence[EventRecord]:
        """Like `records`, but not charged. The parts of a long read fit together since a log only grows."""
        slices, records = self.throttle.slices(), list[EventRecord]()
        while True:
            end = after + READ_AT_ONCE if upto is None else min(after + READ_AT_ONCE, upto)
            stored = await self._store.read(game_id, after=after, upto=end)
            records += await self._decode(game_id, stored, slices)
            if len(stored) < READ_AT_ONCE or end == upto:
                return records
            after = end

    async def last_change_at(self, table: Table) -> int:
        """Return the time of the last event, in microseconds since 1970."""
        [record] = await self.read(table.game_id, after=table.version - 1, upto=table.version)
        return record.at

    async def finished_at(self, game_id: str) -> int | None:
        """Return when the game ended, in microseconds since 1970; None for an unfinished game."""
        table = await self.current(game_id)
        return await self.last_change_at(table) if table.status is Status.FINISHED else None

    async def seed(self, game_id: str) -> bytes:
        """Return the secret seed of a game; raises Unreadable if the store has lost it."""
        entry = self._entries.get(game_id)
        if entry and entry.seed:
            return entry.seed
        seed = await self._store.seed(game_id)
        if seed is None:
            raise Unreadable(f"the seed of game {game_id} is missing")
        if entry:
            entry.seed = seed
        return seed

    def put(self, table: Table, last_payload: bytes | None = None) -> Table:
        """Cache a table and the stored bytes of its last event, unless a newer one is cached; return it."""
        entry = self._entries.setdefault(table.game_id, CacheEntry(table))
        self._entries.move_to_end(table.game_id)
        # Measuring walks the whole state. States hardly grow during a game, so they are measured twice only:
        # when the game is first cached, and when it has been started.
        if not entry.size or (entry.table.state is None and table.state is not None):
            self._resize(entry, state_size(table.state))
        # Tasks finish in any order, so this table may be older than the cached one.
        if table.version > entry.table.version:
            entry.table, entry.last_payload = table, None
        if table.version == entry.table.version:
            entry.last_payload = entry.last_payload or last_payload
        return table

    def _resize(self, entry: CacheEntry, size: int) -> None:
        """Set the size of an entry and evict the least recently used ones; the last one always stays."""
        self._size += size - entry.size
        entry.size = size
        while self._size > self._capacity and len(self._entries) > 1:
            self._size -= self._entries.popitem(last=False)[1].size
        self._metrics.set_cache_size(len(self._entries), self._size)

    def discard(self, game_id: str) -> None:
        """Remove a game and its past versions from the cache."""
        if entry := self._entries.pop(game_id, None):
            self._size -= entry.size
            self._metrics.set_cache_size(len(self._entries), self._size)
        # They may contain events that the store has lost.
        self._past_versions.discard(game_id)

    async def store_snapshot(self, table: Table) -> None:
        """Write a snapshot of the table to the store, so that other processes need not fold the whole log."""
        payload = self._codec.encode_table(table, with_state=True)
        await self._store.save_snapshot(table.game_id, Snapshot(table.version, payload))

    def decode(self, game_id: str, stored: Sequence[StoredEvent]) -> list[EventRecord]:
        """Decode stored events; raises Unreadable for those that this release does not know."""
        try:
            return [self._codec.decode_record(item.payload) for item in stored]
        except ValueError as error:
            raise Unreadable(f"the log of game {game_id} cannot be read by this server") from error

    async def _decode(self, game_id: str, stored: Sequence[StoredEvent], slices: Slices) -> list[EventRecord]:
        """Like `decode`, but gives other tasks a turn in between."""
        records: list[EventRecord] = []
        for item in stored:
            await slices.turn()
            records += self.decode(game_id, [item])
        return records

    async def _load(self, game_id: str) -> Table:
        """Fold a game from its snapshot, or from the start if there is none that this release can read."""
        if snapshot := await self._store.snapshot(game_id):
            table = self._codec.decode_table(game_id, snapshot.payload)
            if table is not None and table.version == snapshot.version:
                return await self._fold_log_onto(table)
        return await self._fold_from_start(game_id, None)

    async def _fold_from_start(
        self, game_id: str, version: int | None, most_checkpoints: int | None = MOST_CHECKPOINTS
    ) -> Table:
        records = await self.read(game_id, after=0, upto=version)
        if not records:
            raise NotFound(f"there is no game {game_id}")
        table = open_table(game_id, self._rules(game_id, records[0]), records[0])
        try:
            return await self._fold(table, records[1:], most_checkpoints)
        except CheckpointMissing:
            # The log has an undo further back than a table usually keeps checkpoints for.
            return await self._fold(table, records[1:], None)

    async def _fold_log_onto(self, table: Table, upto: int | None = None) -> Table:
        return await self.fold_onto(table, await self.read(table.game_id, after=table.version, upto=upto))

    async def fold_onto(self, table: Table, records: Sequence[EventRecord]) -> Table:
        """Return the table after records that are already in its log, giving other tasks a turn."""
        try:
            return await self._fold(table, records, MOST_CHECKPOINTS)
        except CheckpointMissing:
            current_account().charge(records[-1].version)
            return await self._fold_from_start(table.game_id, records[-1].version)

    async def _fold(
        self, table: Table, records: Sequence[EventRecord], most_checkpoints: int | None
    ) -> Table:
        """Fold in batches, with turns for other tasks in between.

        The table keeps `most_checkpoints`, None for all. If one is missing, raises CheckpointMissing for a
        number, so that the caller can try again with None, and Unreadable for None.
        """
        slices = self.throttle.slices()
        for begin in range(0, len(records), FOLD_BATCH):
            await slices.turn()
            table = self._fold_batch(table, records[begin : begin + FOLD_BATCH], most_checkpoints)
        return table

    def _fold_batch(
        self, table: Table, records: Sequence[EventRecord], most_checkpoints: int | None
    ) -> Table:
        try:
            return fold(table, records, most_checkpoints=most_checkpoints)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            if most_checkpoints is not None and isinstance(error, CheckpointMissing):
                raise
            raise Unreadable(f"the log of game {table.game_id} is inconsistent") from error

    def _rules(self, game_id: str, record: EventRecord) -> AnyRules:
        created = record.event
        rules = self._catalog.get(created.title) if isinstance(created, GameCreated) else None
        if rules is None:
            raise Unreadable(f"game {game_id} has a title that this server does not host")
        return rules


def snapshot_due(before: int, after: int) -> bool:
    """Whether a log that grew between these versions has passed a multiple of SNAPSHOT_EVERY."""
    return before // SNAPSHOT_EVERY != after // SNAPSHOT_EVERY
