"""Random games of every title in the catalog, played once and shared by all laws.

Laws about other parts (a codec that keeps every event, state and view) join in their own
test files: `from rules.playouts import law`, then `game, position = place.of(rules)`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Seat, replay
from support.budget import budget

from .facts import FACTS

TITLES = pytest.mark.parametrize("rules", CATALOG.values(), ids=CATALOG)


@dataclass(frozen=True)
class Position:
    """A state after the first `told` events of a game, and the move made there, if any."""

    state: Any
    told: int
    move: tuple[Seat, Any] | None


@dataclass(frozen=True)
class Game:
    options: Any
    seats: int
    seed: bytes
    events: tuple[Any, ...]
    positions: tuple[Position, ...]

    def chance(self, position: Position) -> SeededChance:
        return SeededChance(self.seed, position.told)

    def seen(self, rules: AnyRules, position: Position, seat: Seat | None) -> tuple[Any, ...]:
        """Returns all events as the seat has seen them since the start."""
        return tuple(rules.witness(event, seat) for event in self.events[: position.told])

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        return (None, *map(Seat, range(self.seats)))


def any_options(rules: AnyRules, coin: random.Random) -> Any:
    """Returns random booleans and enums, and the defaults of all other options."""
    hints = get_type_hints(rules.options)
    chosen = {}
    for each in fields(rules.options):
        kind = hints[each.name]
        if kind is bool:
            chosen[each.name] = coin.random() < 0.5
        elif isinstance(kind, type) and issubclass(kind, Enum):
            chosen[each.name] = coin.choice(list(kind))
    return rules.options(**chosen)


def play(rules: AnyRules, options: Any, seats: int, seed: bytes, coin: random.Random) -> Game:
    """Plays one random game to its end."""
    events = list(rules.setup(options, seats, SeededChance(seed, 0)))
    state, positions = replay(rules, events), []
    while questions := rules.decisions(state):
        assert len(positions) < FACTS[rules.title].longest, "the game does not end"
        seat = coin.choice(list(questions)).seat
        action = coin.choice(list(rules.legal_actions(state, seat)))
        positions.append(Position(state, len(events), (seat, action)))
        new = rules.decide(state, seat, action, SeededChance(seed, len(events)))
        events.extend(new)
        state = replay(rules, new, state)
    positions.append(Position(state, len(events), None))
    return Game(options, seats, seed, tuple(events), tuple(positions))


@cache
def game(title: str, number: int) -> Game:
    """Returns a random game by number; number 0 has the default options."""
    coin = random.Random(number)
    options, seats = set_up(title, number, coin)
    return play(CATALOG[title], options, seats, coin.randbytes(32), coin)


def set_up(title: str, number: int, coin: random.Random) -> tuple[Any, int]:
    """Draws options and number of seats of the random game with that number."""
    rules = CATALOG[title]
    options = any_options(rules, coin) if number else rules.options()
    return options, coin.choice(rules.seats)


def seats_of(title: str, number: int) -> range:
    """Returns the seats of the random game with that number, without playing it."""
    return range(set_up(title, number, random.Random(number))[1])


def count(rules: AnyRules) -> int:
    """Returns the number of games of the title that the laws use."""
    return budget(2, FACTS[rules.title].games)


def games(rules: AnyRules) -> Iterator[Game]:
    return (game(rules.title, number) for number in range(count(rules)))


@dataclass(frozen=True)
class Place:
    """A position in one of the games, for any title."""

    number: int
    at: int

    def of(self, rules: AnyRules) -> tuple[Game, Position]:
        found = game(rules.title, self.number % count(rules))
        return found, found.positions[self.at % len(found.positions)]


ANYWHERE = st.builds(Place, st.integers(0, 9_999), st.integers(0, 9_999))


def law(examples: int = 60, **drawn: st.SearchStrategy[Any]) -> Any:
    """Marks a test as a law: it runs at random places in games, the same number for every title."""
    places = budget(1 + examples // 12, examples)

    def wrap(test: Any) -> Any:
        checks = settings(
            max_examples=places,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        return TITLES(checks(given(place=ANYWHERE, **drawn)(test)))

    return wrap


def any_action(rules: AnyRules) -> st.SearchStrategy[Any]:
    """Returns a strategy for any value of an action type."""
    answers = FACTS[rules.title].answers
    return st.one_of(*(answers.get(kind, st.from_type(kind)) for kind in rules.actions))
