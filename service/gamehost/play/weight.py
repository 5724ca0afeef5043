"""How much memory a title's state holds, roughly."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

TABLE = 16384  # chairs, names, how the game stood lately and the bookkeeping around a state


def weigh(value: Any) -> int:
    """Bytes held by the value and all it contains, shared parts counted each time."""
    return TABLE + _size(value)


def _size(value: Any) -> int:
    if value is None or isinstance(value, Enum | bool):
        return 0
    size = sys.getsizeof(value)
    if is_dataclass(value):
        return size + sum(_size(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple | frozenset | list):
        return size + sum(map(_size, value))
    return size
