"""Reconstructs full events from those that one seat saw, for a given hidden state.

It works backwards: the state says where every piece is now, each event where it was before. A title describes
itself in `tests/titles/<title>/history.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gamehost.rules.catalog import CATALOG

Outcomes = Iterator[Sequence[Any]]


@dataclass(frozen=True)
class History:
    backwards: Callable[[Any, Sequence[Any]], Iterator[Any]]  # the events in full, the last one first
    luck: Callable[[Sequence[Any]], Outcomes]  # what chance gave for these events
    answer: Callable[[Any, Any], Any]  # the action that led to this event, if it went like that one

    def events(self, world: Any, seen: Sequence[Any]) -> list[Any]:
        return list(self.backwards(world, seen))[::-1]


def taken(pieces: Counter[Any], count: int) -> tuple[Any, ...]:
    """Removes so many pieces, whichever they are, and returns them."""
    some = tuple(sorted(pieces.elements()))[:count]
    pieces.subtract(some)
    return some


def counters(rows: Sequence[Sequence[int]], kinds: Sequence[Any]) -> list[Counter[Any]]:
    return [Counter(dict(zip(kinds, row, strict=True))) for row in rows]


def as_it_was(action: Any, event: Any) -> Any:
    return action


def histories() -> dict[str, History]:
    return {title: import_module(f"titles.{title}.history").HISTORY for title in CATALOG}
