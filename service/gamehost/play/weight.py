"""How much memory a table and its title's state hold, roughly."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from .table import Table
from .trail import RECENT

TABLE = 16384  # chairs, names, how the game stood lately and the bookkeeping around a state
STAND = 1024  # what one more stand adds to a table that goes back further


def weigh(value: Any) -> int:
    """Bytes held by the value and all it contains, shared parts counted each time."""
    return TABLE + _size(value)


def weigh_table(table: Table) -> int:
    return weigh(table.state) + STAND * max(0, len(table.past) - RECENT)


def _size(value: Any) -> int:
    if value is None or isinstance(value, Enum | bool):
        return 0
    size = sys.getsizeof(value)
    if is_dataclass(value):
        return size + sum(_size(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple | frozenset | list):
        return size + sum(map(_size, value))
    return size
