"""How records and tables become bytes for the store."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.inbox.items import GameSummary
from gamehost.play.table.table import EventRecord, Table


class Codec(Protocol):
    """How records and tables become bytes. Decoding raises ValueError for what it does not know."""

    def encode_record(self, title: str, record: EventRecord) -> bytes: ...

    def decode_record(self, payload: bytes) -> EventRecord: ...

    def encode_table(self, table: Table, *, with_state: bool) -> bytes: ...

    def decode_summary(self, game: str, payload: bytes) -> GameSummary | None:
        """What was encoded without the state, and the decisions that stood in it; None as below."""
        ...

    def decode_table(self, game: str, payload: bytes) -> Table | None:
        """None when another release wrote it in a shape of its own."""
        ...
