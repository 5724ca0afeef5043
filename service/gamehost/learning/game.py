"""A running game, used by both kinds of environment."""

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
from .text import canonical_text


class InvalidSetUp(ValueError):
    """An environment cannot be made with these arguments; the message says what is allowed."""


class NotBegun(RuntimeError):
    """The environment was used before its first reset."""


def require_game(game: Game | None) -> Game:
    """Return the game, or raise NotBegun if there is none."""
    if game is None:
        raise NotBegun("no game has begun: reset the environment first")
    return game


def rules_of(title: str, seats: int) -> AnyRules:
    """Return the rules of a title for a number of seats. Raises InvalidSetUp."""
    rules = CATALOG.get(title)
    if rules is None:
        raise InvalidSetUp(f"there is no title {title}; there are: {', '.join(CATALOG)}")
    if seats not in rules.seats:
        raise InvalidSetUp(f"{title} is for {span(rules.seats[0], rules.seats[-1])} seats, not {seats}")
    return rules


def options_of(rules: AnyRules, given: Any) -> Any:
    """Return the title's options, given as such, as a mapping of names to values, or as None for the default.

    Raises InvalidSetUp.
    """
    if not isinstance(given, Mapping):
        return rules.options() if given is None else given
    kinds = get_type_hints(rules.options)
    names = [field.name for field in fields(rules.options)]
    if unknown := set(given) - set(names):
        raise InvalidSetUp(f"{rules.title} has no option {min(unknown)}; it has: {', '.join(names)}")
    options = rules.options(**{name: option_value(name, kinds[name], value) for name, value in given.items()})
    try:  # the rules check combinations of options only when a game is set up
        rules.setup(options, rules.seats[0], SeededChance(b"", 0))
    except ValueError as error:
        raise InvalidSetUp(f"no game of {rules.title} can begin with {given}: {error}") from error
    return options


def option_value(name: str, kind: Any, value: Any) -> Any:
    """Return an option's value, converted from the name of an enum member if necessary."""
    if isinstance(value, kind) and isinstance(value, bool) == (kind is bool):  # bool is a subclass of int
        return value
    if not issubclass(kind, Enum):
        raise InvalidSetUp(f"{name} is of type {kind.__name__}, unlike {value!r}")
    if str(value).upper() not in kind.__members__:
        raise InvalidSetUp(f"{name}: {value} is none of {', '.join(kind.__members__).lower()}")
    return kind[str(value).upper()]


class Game:
    """A running game. States are immutable, so copies are cheap. `events` are all events so far."""

    __slots__ = ("_key", "events", "seats", "state", "title")

    def __init__(self, title: str, seats: int, key: bytes, state: Any, events: list[Any]) -> None:
        self.title, self.seats, self._key = title, seats, key
        self.state, self.events = state, events

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

    def chance(self, purpose: bytes = b"") -> SeededChance:
        """Return the random numbers for the next action; with a purpose, numbers independent of those."""
        # A purpose changes the HMAC key: a bot must not predict the draws of the game from its own numbers.
        return SeededChance(purpose + self._key, len(self.events))

    def next_decision(self) -> Decision | None:
        """Return the decision to answer next, or None. Of simultaneous decisions the lowest seat is first."""
        return min(self.rules.decisions(self.state), key=lambda decision: decision.seat, default=None)

    def decision_of(self, seat: Seat) -> Decision | None:
        return next((found for found in self.rules.decisions(self.state) if found.seat == seat), None)

    def answer(self, seat: Seat, action: Any) -> None:
        events = self.rules.decide(self.state, seat, action, self.chance())
        self.state = led_to(self.rules, events, self.state)
        self.events += events

    def observation(self, seat: Seat) -> Array:
        return self.encoding.encode_view(self.rules.view(self.state, seat), seat)

    def mask(self, seat: Seat) -> Mask:
        return self.encoding.mask(self.rules.legal_actions(self.state, seat))

    def seen(self, seat: Seat) -> list[Any]:
        """Return all events that the seat has witnessed since the start."""
        return [self.rules.witness(event, seat) for event in self.events]

    def observation_string(self, seat: Seat) -> str:
        return canonical_text(self.rules.view(self.state, seat))

    def information_state_string(self, seat: Seat) -> str:
        return "\n".join(map(canonical_text, self.seen(seat)))

    def copy(self, seed: bytes | None = None) -> Game:
        """Return an independent copy. With a seed, it has other random numbers from here on."""
        key = self._key if seed is None else b"copy:" + seed
        return Game(self.title, self.seats, key, self.state, self.events.copy())

    def imagined(self, seat: Seat, seed: bytes) -> Game:
        """Return a game that the seat cannot distinguish from this one: hidden information is dealt again."""
        seen, key = self.seen(seat), b"imagined:" + seed
        view = self.rules.view(self.state, seat)
        world = self.rules.imagine(view, SeededChance(key, 0), seen)
        # With the witnessed events in place of the true ones, which contain what is hidden from the seat.
        return Game(self.title, self.seats, key, world, seen)
