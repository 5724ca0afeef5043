"""How much memory a table and its title's state hold, roughly."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from gamehost.play.table.table import Table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS

TABLE_SIZE = 16384  # chairs, names, how the game stood lately and the bookkeeping around a state
CHECKPOINT_SIZE = 1024  # what one more stand adds to a table that goes back further


def state_size(value: Any) -> int:
    """Bytes held by the value and all it contains, shared parts counted each time."""
    return TABLE_SIZE + _size(value)


def table_size(table: Table) -> int:
    return state_size(table.state) + CHECKPOINT_SIZE * max(0, len(table.checkpoints) - MOST_CHECKPOINTS)


def _size(value: Any) -> int:
    if value is None or isinstance(value, Enum | bool):
        return 0
    size = sys.getsizeof(value)
    if is_dataclass(value):
        return size + sum(_size(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple | frozenset | list):
        return size + sum(map(_size, value))
    return size
