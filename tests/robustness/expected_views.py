"""What the log of a game says that everybody should have seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.table import EventRecord, Table, fold, grouped_by_cause, open_table
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat

from .history import digest, now

Viewer = int | None


@dataclass(frozen=True)
class Log:
    """`requests` says which versions were written for which request, `read` when all that was there."""

    game_id: str
    events: Sequence[tuple[int, bytes]]
    requests: dict[str, tuple[int, int]]
    read: float = field(default_factory=now)

    @property
    def version(self) -> int:
        return self.events[-1][0] if self.events else 0

    @cached_property
    def records(self) -> list[EventRecord]:
        codec = StoreCodec(TITLES)
        return [codec.decode_record(payload) for _, payload in self.events]

    @cached_property
    def steps(self) -> list[tuple[list[EventRecord], Table]]:
        return list(steps(self.game_id, self.records))

    def written_for(self, request_id: str) -> list[tuple[int, int]]:
        """The versions that a request led to; the service puts whose it is before its id."""
        return [versions for name, versions in self.requests.items() if name.endswith(f":{request_id}")]

    def moves_of_people(self) -> list[tuple[int, int]]:
        """First and last version of each move that was made because a seat's owner called."""
        return [
            (batch[0].version, batch[-1].version)
            for batch, table in self.steps
            if (seat := batch[0].seat) is not None
            and not table.chairs[seat].bot_level
            and not isinstance(batch[0].event, TABLE_EVENTS)
        ]


def steps(game_id: str, records: Sequence[EventRecord]) -> Iterator[tuple[list[EventRecord], Table]]:
    """What each call led to, and the table after it; ValueError where the log does not fold."""
    if not records:
        return
    table = open_table(game_id, CATALOG[records[0].event.title], records[0])
    yield list(records[:1]), table
    for batch in grouped_by_cause(records[1:]):
        table = fold(table, batch)
        yield batch, table


class Expected:
    """Digests of what each viewer is to see, straight from the rules."""

    def __init__(self, log: Log) -> None:
        self._codec = StoreCodec(TITLES)
        self._views = {table.version: table for _, table in log.steps}
        self._events = {record.version: (record, table) for batch, table in log.steps for record in batch}
        self.seats = len(log.steps[0][1].chairs) if log.steps else 0
        self._since = {seat: chair.since for seat, chair in enumerate(log.steps[-1][1].chairs)}
        self._known: dict[tuple[str, Viewer, int], int] = {}

    @property
    def viewers(self) -> list[Viewer]:
        return [None, *range(self.seats)]

    def view(self, viewer: Viewer, version: int) -> int | None:
        """None where nothing could be shown: no call led to that version."""
        key = "view", viewer, version
        if key not in self._known:
            table = self._views.get(version)
            if table is None:
                return None
            self._known[key] = digest(self._codec.renderer.view(table, self._eyes(viewer, table.version)))
        return self._known[key]

    def event(self, viewer: Viewer, version: int, *, everything: bool = False) -> int | None:
        key = f"event{everything}", viewer, version
        if key not in self._known:
            if version not in self._events:
                return None
            record, table = self._events[version]
            seen = self._codec.renderer.event(
                table, record, self._eyes(viewer, table.version), everything=everything
            )
            self._known[key] = digest(seen)
        return self._known[key]

    def _eyes(self, viewer: Viewer, version: int) -> Seat | None:
        """Before its owner sat down a seat knew nothing."""
        return None if viewer is None or version < self._since[viewer] else Seat(viewer)
