"""Estimates of the memory that a table and its title's state take."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from gamehost.play.table.table import Table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS

TABLE_SIZE = 16384  # bytes for chairs, names, checkpoints and the objects around a state
CHECKPOINT_SIZE = 1024  # bytes for each checkpoint beyond the usual number; states share most of their parts


def state_size(value: Any) -> int:
    """Return the bytes of a table with this state; parts that occur twice are counted twice."""
    return TABLE_SIZE + _size(value)


def table_size(table: Table) -> int:
    """Return the bytes of a table that may have more checkpoints than usual."""
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
