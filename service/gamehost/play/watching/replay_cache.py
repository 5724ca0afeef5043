"""Caches replayed histories: many watchers often ask for the same one, above all after a reconnect.

Watchers that get the same item also get the same encoded message, which is cached by the item's number. So
this cache saves the encoding for each watcher, not only the folding.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.table.events import MoveUndone
from gamehost.play.table.table import EventRecord, Table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS
from gamehost.play.tables.memory_size import table_size

from .items import EventsHappened, StreamBegan

# Bytes, by estimate.
SNAPSHOT_CAPACITY = 3 << 20
CREATION_CAPACITY = 1 << 20
REPLAY_CAPACITY = 12 << 20
MAX_SHARE = 4  # one game gets at most 1/4 of REPLAY_CAPACITY
STEP_BYTES = 2048  # what a table adds to its predecessor, with which it shares most of its parts
RECORD_BYTES = 1024


class GameReplay:
    """The items of one game, each found by the table that precedes it.

    The key is the identity of that table, not its version: after a failover the store may have lost events,
    and two tables with the same version can then have different histories. Tables that come from the same
    caches are the same objects, so replays of the same history do find their items.
    """

    def __init__(self) -> None:
        # The value includes the preceding table itself. That keeps it alive, so that its id() is not reused
        # for another table while it is a key here.
        self._steps: dict[int, tuple[Table, EventsHappened]] = {}
        self._tables: set[int] = set()  # ids of all tables that are kept alive by `_steps`
        self.size = 0

    def after(self, before: Table) -> EventsHappened | None:
        """Return the item that follows exactly this table object."""
        step = self._steps.get(id(before))
        return step[1] if step else None

    def add(self, before: Table, item: EventsHappened) -> None:
        """Store the item that follows a table; an item that is stored already stays.

        Replacing it would change its table's identity, and the items after it could not be found any more.
        """
        if id(before) in self._steps:
            return
        if id(before) not in self._tables:
            # Not the result of another step, so it shares nothing with what is counted already.
            self.size += table_size(before)
        self._steps[id(before)] = before, item
        self._tables |= {id(before), id(item.table)}
        self.size += _step_size(item)


class ReplayCache:
    """Recently replayed items of all games: starts of streams, creations of games, and later events."""

    def __init__(self, metrics: PlayMetrics = NO_METRICS) -> None:
        # These two are keyed by id(table) as well; their values hold the table and thereby keep the id taken.
        self._snapshots = LruCache[int, StreamBegan](
            SNAPSHOT_CAPACITY, lambda item: table_size(item.table), metrics.cache_size_setter("beginnings")
        )
        self._creations = LruCache[int, EventsHappened](
            CREATION_CAPACITY, lambda item: table_size(item.table), metrics.cache_size_setter("births")
        )
        self._replays = LruCache[str, GameReplay](
            REPLAY_CAPACITY, lambda replay: replay.size, metrics.cache_size_setter("histories")
        )
        self._max_replay_size = REPLAY_CAPACITY // MAX_SHARE

    def stream_began(self, table: Table) -> StreamBegan:
        """Return the first item of a stream that starts at this table."""
        return self._snapshots.get(id(table)) or self._snapshots.put(id(table), StreamBegan(table))

    def game_created(self, first: Table, records: Sequence[EventRecord]) -> EventsHappened:
        """Return the item of a game's first event."""
        return self._creations.get(id(first)) or self._creations.put(
            id(first), EventsHappened(records, first)
        )

    def find(self, before: Table, records: Sequence[EventRecord]) -> EventsHappened | None:
        """Return the item that follows a table, if it is cached and has these records."""
        replay = self._replays.get(before.game_id)
        item = replay.after(before) if replay else None
        # The records are compared because they come from the store: its word counts, not the cache's.
        return item if item and item.records == records else None

    def put(self, before: Table, item: EventsHappened) -> EventsHappened:
        """Store the item that follows a table, and return it."""
        replay = self._replays.get(before.game_id)
        if replay is None or replay.size > self._max_replay_size:
            # A very long game starts over instead of displacing all others.
            replay = GameReplay()
        replay.add(before, item)
        self._replays.put(before.game_id, replay)  # again, since its size has changed
        return item


def _step_size(item: EventsHappened) -> int:
    """Estimate the bytes that an item adds.

    A table normally shares most of its parts with its predecessor. After an undo, or with more checkpoints
    than usual, it may have been folded from the log and share nothing.
    """
    undone = any(isinstance(record.event, MoveUndone) for record in item.records)
    unshared = undone or len(item.table.checkpoints) > MOST_CHECKPOINTS
    return (table_size(item.table) if unshared else STEP_BYTES) + RECORD_BYTES * len(item.records)
