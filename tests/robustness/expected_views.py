"""The views and events that each viewer should have seen, computed from the log of a game."""

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
    """The stored log of a game, read at `read`; `requests` maps request ids to the versions written."""

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
        """Returns the versions that a request wrote; the service stores the id with the caller before it."""
        return [versions for name, versions in self.requests.items() if name.endswith(f":{request_id}")]

    def moves_of_people(self) -> list[tuple[int, int]]:
        """Returns the first and last version of each move that a person made, not a bot."""
        return [
            (batch[0].version, batch[-1].version)
            for batch, table in self.steps
            if (seat := batch[0].seat) is not None
            and not table.chairs[seat].bot_level
            and not isinstance(batch[0].event, TABLE_EVENTS)
        ]


def steps(game_id: str, records: Sequence[EventRecord]) -> Iterator[tuple[list[EventRecord], Table]]:
    """Yields the records of each call and the table after it. Raises ValueError if the log does not fold."""
    if not records:
        return
    table = open_table(game_id, CATALOG[records[0].event.title], records[0])
    yield list(records[:1]), table
    for batch in grouped_by_cause(records[1:]):
        table = fold(table, batch)
        yield batch, table


class Expected:
    """Digests of what each viewer is to see, computed by the rules."""

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
        """Returns the digest of a view; None for a version at which no call ended."""
        key = "view", viewer, version
        if key not in self._known:
            table = self._views.get(version)
            if table is None:
                return None
            self._known[key] = digest(
                self._codec.renderer.view(table, self._viewing_seat(viewer, table.version))
            )
        return self._known[key]

    def event(self, viewer: Viewer, version: int, *, everything: bool = False) -> int | None:
        key = f"event{everything}", viewer, version
        if key not in self._known:
            if version not in self._events:
                return None
            record, table = self._events[version]
            seen = self._codec.renderer.event(
                table, record, self._viewing_seat(viewer, table.version), everything=everything
            )
            self._known[key] = digest(seen)
        return self._known[key]

    def _viewing_seat(self, viewer: Viewer, version: int) -> Seat | None:
        """Returns the seat to render for; None (a spectator) before the seat was taken."""
        return None if viewer is None or version < self._since[viewer] else Seat(viewer)
