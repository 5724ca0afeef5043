"""One game under way, as both kinds of environment play it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, get_type_hints

from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Decision, Outcome, Seat, led_to, replay, span

from .encoding import Array, Encoding, Mask
from .encodings import ENCODINGS
from .text import spell


class InvalidSetUp(ValueError):
    """No game can be set up like that; the message says what can."""


class NotBegun(RuntimeError):
    """There is no game before the first reset."""


def begun(game: Game | None) -> Game:
    if game is None:
        raise NotBegun("no game has begun: reset the environment first")
    return game


def rules_of(title: str, seats: int) -> AnyRules:
    rules = CATALOG.get(title)
    if rules is None:
        raise InvalidSetUp(f"there is no title {title}; there are: {', '.join(CATALOG)}")
    if seats not in rules.seats:
        raise InvalidSetUp(f"{title} is for {span(rules.seats[0], rules.seats[-1])} seats, not {seats}")
    return rules


def options_of(rules: AnyRules, given: Any) -> Any:
    """The title's options, from themselves or from names and values; a named choice by its name."""
    if not isinstance(given, Mapping):
        return rules.options() if given is None else given
    kinds = get_type_hints(rules.options)
    names = [field.name for field in fields(rules.options)]
    if unknown := set(given) - set(names):
        raise InvalidSetUp(f"{rules.title} has no option {min(unknown)}; it has: {', '.join(names)}")
    options = rules.options(**{name: option_value(name, kinds[name], value) for name, value in given.items()})
    try:
        rules.setup(options, rules.seats[0], SeededChance(b"", 0))
    except ValueError as error:
        raise InvalidSetUp(f"no game of {rules.title} can begin with {given}: {error}") from error
    return options


def option_value(name: str, kind: Any, value: Any) -> Any:
    if isinstance(value, kind) and isinstance(value, bool) == (kind is bool):  # True is an int to Python
        return value
    if not issubclass(kind, Enum):
        raise InvalidSetUp(f"{name} is of type {kind.__name__}, unlike {value!r}")
    if str(value).upper() not in kind.__members__:
        raise InvalidSetUp(f"{name}: {value} is none of {', '.join(kind.__members__).lower()}")
    return kind[str(value).upper()]


class Game:
    """States never change, so that a copy costs next to nothing. `told` are all events so far."""

    __slots__ = ("_key", "seats", "state", "title", "told")

    def __init__(self, title: str, seats: int, key: bytes, state: Any, told: list[Any]) -> None:
        self.title, self.seats, self._key = title, seats, key
        self.state, self.told = state, told

    @classmethod
    def begin(cls, title: str, options: Any, seats: int, key: bytes) -> Game:
        rules = CATALOG[title]
        events = rules.setup(options, seats, SeededChance(key, 0))
        return cls(title, seats, key, replay(rules, events), list(events))

    @property
    def rules(self) -> AnyRules:
        return CATALOG[self.title]

    @property
    def encoding(self) -> Encoding:
        return ENCODINGS[self.title]

    @property
    def outcome(self) -> Outcome | None:
        return self.rules.outcome(self.state)

    def luck(self, purpose: bytes = b"") -> SeededChance:
        """The luck of what happens next; with a purpose, luck that is independent of it."""
        return SeededChance(purpose + self._key, len(self.told))

    def asked(self) -> Decision | None:
        """Of several at once the lowest seat."""
        return min(self.rules.decisions(self.state), key=lambda decision: decision.seat, default=None)

    def question(self, seat: Seat) -> Decision | None:
        return next((found for found in self.rules.decisions(self.state) if found.seat == seat), None)

    def answer(self, seat: Seat, action: Any) -> None:
        events = self.rules.decide(self.state, seat, action, self.luck())
        self.state = led_to(self.rules, events, self.state)
        self.told += events

    def observation(self, seat: Seat) -> Array:
        return self.encoding.encode_view(self.rules.view(self.state, seat), seat)

    def mask(self, seat: Seat) -> Mask:
        return self.encoding.mask(self.rules.legal_actions(self.state, seat))

    def seen(self, seat: Seat) -> list[Any]:
        """All that the seat has witnessed since the start."""
        return [self.rules.witness(event, seat) for event in self.told]

    def observation_string(self, seat: Seat) -> str:
        return spell(self.rules.view(self.state, seat))

    def information_state_string(self, seat: Seat) -> str:
        return "\n".join(map(spell, self.seen(seat)))

    def copy(self, seed: bytes | None = None) -> Game:
        """The same game; with a seed, its luck from now on is another."""
        key = self._key if seed is None else b"copy:" + seed
        return Game(self.title, self.seats, key, self.state, self.told.copy())

    def imagined(self, seat: Seat, seed: bytes) -> Game:
        """A game that the seat cannot tell from this one: what it does not know is dealt anew."""
        seen, key = self.seen(seat), b"imagined:" + seed
        view = self.rules.view(self.state, seat)
        world = self.rules.imagine(view, SeededChance(key, 0), seen)
        return Game(self.title, self.seats, key, world, seen)
