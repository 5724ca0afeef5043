"""The items of a watch stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count

from gamehost.play.table.table import EventRecord, Table

# Items are numbered, so that caches of encoded messages can use the number as their key. `id()` would not do:
# an item that is freed gives its address to another one, which would then get the wrong message.
_next = count().__next__


@dataclass(frozen=True, slots=True)
class StreamBegan:
    """The table at which a stream starts. `number` is unique in this process."""

    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class EventsHappened:
    """The records that one call wrote, and the table they led to. `number` is unique in this process."""

    records: Sequence[EventRecord]
    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """The history has been sent; everything after it is live."""

    version: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Sent when nothing has happened for a while, to show that the stream is alive."""

    version: int


class EndReason(Enum):
    """The reason why the server ends a stream.

    DRAINING: the process shuts down. SLOW: the watcher fell too far behind. FINISHED: the game is over.
    """

    DRAINING = "draining"
    SLOW = "slow"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """The last item of a stream; `version` is where the watcher can resume."""

    version: int
    reason: EndReason


WatchItem = StreamBegan | EventsHappened | CaughtUp | Heartbeat | StreamEnded
