"""Describes the games of a title that are worth recording."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from gamehost.rules.kit import AnyRules

from .games import Golden, decided


@dataclass(frozen=True)
class Wanted:
    """A game to record: what it shows, and a condition that finds it."""

    name: str
    shows: str
    seats: int
    options: dict[str, Any]
    found: Callable[[Golden], bool]
    coin: Callable[[bytes], random.Random] = random.Random


def flipped(rules: AnyRules) -> dict[str, Any]:
    """Returns every boolean option with the opposite of its default."""
    return {each.name: not each.default for each in fields(rules.options) if isinstance(each.default, bool)}


def differs_by_default(golden: Golden) -> bool:
    """Whether the same moves have other scores with the default options."""
    answers = [(move.seat, move.action) for move in golden.moves[1:]]
    plain = decided(replace(golden, options=golden.rules.options()), answers)
    return plain.outcome.scores != golden.outcome.scores


def ends_by(reason: str, most_events: int = 1200) -> Callable[[Golden], bool]:
    return lambda it: it.outcome.reason == reason and len(it.events) <= most_events


def tells_of(*kinds: type) -> Callable[[Golden], bool]:
    return lambda golden: {*kinds} <= {type(event) for event in golden.events}
