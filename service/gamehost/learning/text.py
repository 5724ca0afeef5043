"""Views and events in writing: equal values read the same, however they came to be."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def spell(value: Any) -> str:
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value):
        parts = ((field.name, getattr(value, field.name)) for field in fields(value))
        return f"{type(value).__name__}({', '.join(f'{name}={spell(part)}' for name, part in parts)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(spell, sorted(value)))}}}"
    if isinstance(value, Collection) and not isinstance(value, str | bytes):
        return f"[{', '.join(map(spell, value))}]"
    return str(value)
