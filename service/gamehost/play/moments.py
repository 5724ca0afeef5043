"""What a watcher is told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count

from .table import Record, Table

_next = count().__next__


@dataclass(frozen=True, slots=True)
class Began:
    """Where the stream begins. No other moment of this process has its number."""

    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class Happened:
    """Records with one cause and the table they led to. No other moment of this process has its number."""

    records: Sequence[Record]
    table: Table
    number: int = field(default_factory=_next, compare=False)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    version: int


@dataclass(frozen=True, slots=True)
class Quiet:
    version: int


class Why(Enum):
    DRAINING = "draining"
    SLOW = "slow"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Ended:
    version: int
    why: Why


Moment = Began | Happened | CaughtUp | Quiet | Ended
