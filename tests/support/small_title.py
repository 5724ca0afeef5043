"""A small title for tests of proto generation: the source of its types, and rules with them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

SOURCE = '''
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from gamehost.rules.kit import Hidden, Seat, option


class Suit(Enum):
    """The suits."""

    SUN = 1
    """Bright."""
    MOON = 2


@dataclass(frozen=True)
class Options:
    """What can be chosen."""

    rounds: int = option(3, "How many rounds are played.")
    trump: Suit = option(Suit.SUN, "The suit that wins.")


@dataclass(frozen=True)
class Bid:
    """Bids stones."""

    stones: int
    """How many."""
    suit: Suit


@dataclass(frozen=True)
class Pass:
    """Bids nothing."""


@dataclass(frozen=True)
class Dealt:
    """A seat got cards."""

    seat: Seat
    cards: tuple[Suit, ...] | Hidden
    top: Suit | Hidden


Row = tuple[int, ...]
"""A row of numbers."""

Phase = Bid | Pass
"""What is open."""


@dataclass(frozen=True)
class State:
    """Everything."""

    hands: tuple[tuple[Suit, ...], ...] = ()
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class View:
    """What a seat sees."""

    options: Options
    rows: tuple[Row, ...]
    phase: Phase | None
    slots: tuple[Suit | None, ...]
    seen: frozenset[Seat]
'''


def small_title(folder: Path, *changes: tuple[str, str]) -> Any:
    """Returns the rules of the title `pips`, with some of its source replaced."""
    source = SOURCE
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    types = _loaded(folder, source)
    return SimpleNamespace(
        title="pips",
        name="Pips",
        summary="A small game.",
        options=types.Options,
        actions=(types.Bid, types.Pass),
        events=(types.Dealt,),
        views=types.View,
        blank=types.State(),
    )


def _loaded(folder: Path, source: str) -> ModuleType:
    """Imports the source as a new module, since a module is imported once."""
    name = f"small_title_{abs(hash(source))}"
    (folder / f"{name}.py").write_text(source)
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))
