"""The codec of the store: records and tables to bytes and back."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.inbox.items import GameSummary
from gamehost.play.table.table import EventRecord, Table


class Codec(Protocol):
    """Encodes records and tables. Decoding raises ValueError for events that this release does not know."""

    def encode_record(self, title: str, record: EventRecord) -> bytes: ...

    def decode_record(self, payload: bytes) -> EventRecord: ...

    def encode_table(self, table: Table, *, with_state: bool) -> bytes: ...

    def decode_summary(self, game: str, payload: bytes) -> GameSummary | None:
        """Return a table encoded without its state, and its decisions; None as in `decode_table`."""
        ...

    def decode_table(self, game: str, payload: bytes) -> Table | None:
        """Return the table, or None if another release wrote it in a different format."""
        ...
