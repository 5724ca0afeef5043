"""The past of a game is often told to many: to a crowd that comes, or comes back."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.table.events import MoveUndone
from gamehost.play.table.table import EventRecord, Table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS
from gamehost.play.tables.memory_size import table_size

from .items import EventsHappened, StreamBegan

SNAPSHOT_CAPACITY, CREATION_CAPACITY, REPLAY_CAPACITY = (
    3 << 20,
    1 << 20,
    12 << 20,
)  # bytes for those that are remembered
SHARE = 4  # a single tale has no more than this part of the room
STEP, RECORD = 2048, 1024  # bytes that a table adds to the one before it, and those of a record, roughly


class GameReplay:
    """What happened in one game, from one table to the next, which has most of it in common with the last."""

    def __init__(self) -> None:
        self._steps: dict[int, tuple[Table, EventsHappened]] = {}
        self._tables: set[int] = set()
        self.size = 0

    def after(self, before: Table) -> EventsHappened | None:
        """Only from the very same table: whatever looks like it may have another past."""
        step = self._steps.get(id(before))
        return step[1] if step else None

    def add(self, before: Table, moment: EventsHappened) -> None:
        """With the table, so that no other one is ever taken for it. What was told first stays."""
        if id(before) in self._steps:
            return
        if id(before) not in self._tables:
            self.size += table_size(before)
        self._steps[id(before)] = before, moment
        self._tables |= {id(before), id(moment.table)}
        self.size += _weigh(moment)


class ReplayCache:
    """What was told lately."""

    def __init__(self, meter: PlayMetrics = NO_METRICS) -> None:
        self._snapshots = LruCache[int, StreamBegan](
            SNAPSHOT_CAPACITY, lambda began: table_size(began.table), meter.cache_size_setter("beginnings")
        )
        self._creations = LruCache[int, EventsHappened](
            CREATION_CAPACITY, lambda birth: table_size(birth.table), meter.cache_size_setter("births")
        )
        self._replays = LruCache[str, GameReplay](
            REPLAY_CAPACITY, lambda tale: tale.size, meter.cache_size_setter("histories")
        )
        self._longest = REPLAY_CAPACITY // SHARE

    def stream_began(self, table: Table) -> StreamBegan:
        return self._snapshots.get(id(table)) or self._snapshots.put(id(table), StreamBegan(table))

    def game_created(self, first: Table, records: Sequence[EventRecord]) -> EventsHappened:
        return self._creations.get(id(first)) or self._creations.put(
            id(first), EventsHappened(records, first)
        )

    def find(self, before: Table, records: Sequence[EventRecord]) -> EventsHappened | None:
        tale = self._replays.get(before.game_id)
        moment = tale.after(before) if tale else None
        return moment if moment and moment.records == records else None

    def put(self, before: Table, moment: EventsHappened) -> EventsHappened:
        tale = self._replays.get(before.game_id)
        if tale is None or tale.size > self._longest:
            tale = GameReplay()
        tale.add(before, moment)
        self._replays.put(before.game_id, tale)
        return moment


def _weigh(moment: EventsHappened) -> int:
    """What was undone leads to a table that may have been folded anew, and share nothing."""
    undone = any(isinstance(record.event, MoveUndone) for record in moment.records)
    alone = undone or len(moment.table.checkpoints) > MOST_CHECKPOINTS
    return (table_size(moment.table) if alone else STEP) + RECORD * len(moment.records)
