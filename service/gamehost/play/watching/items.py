"""What a watcher is told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count

from gamehost.play.table.table import EventRecord, Table

_next = count().__next__


@dataclass(frozen=True, slots=True)
class StreamBegan:
    """Where the stream begins. No other moment of this process has its number."""

    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class EventsHappened:
    """Records with one cause and the table they led to. No other moment of this process has its number."""

    records: Sequence[EventRecord]
    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    version: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    version: int


class EndReason(Enum):
    DRAINING = "draining"
    SLOW = "slow"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StreamEnded:
    version: int
    reason: EndReason


WatchItem = StreamBegan | EventsHappened | CaughtUp | Heartbeat | StreamEnded
