"""Views and events as canonical text: equal values have equal texts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def canonical_text(value: Any) -> str:
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value):
        parts = ((field.name, getattr(value, field.name)) for field in fields(value))
        return (
            f"{type(value).__name__}({', '.join(f'{name}={canonical_text(part)}' for name, part in parts)})"
        )
    if isinstance(value, frozenset):
        # The order of a set depends on how it was built, also for equal sets.
        return f"{{{', '.join(map(canonical_text, sorted(value)))}}}"
    if isinstance(value, Collection) and not isinstance(value, str | bytes):
        return f"[{', '.join(map(canonical_text, value))}]"
    return str(value)
