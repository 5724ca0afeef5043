"""What every title's rules look like, and the few pieces they share.

Rules are pure: no clock, no I/O, no module-level random, no logging.
`decide` is where the rules live; `evolve` only writes down what was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Generic, NewType, Protocol, TypeVar

Seat = NewType("Seat", int)
"""A chair at the table, 0-based, in turn order. Who sits there is not the rules' business."""

O = TypeVar("O")  # noqa: E741  options chosen at creation
S = TypeVar("S")  # the whole truth
A = TypeVar("A")  # what a seat asks for (imperative)
E = TypeVar("E")  # what happened (past tense)
V = TypeVar("V")  # what one seat knows
T = TypeVar("T")


class IllegalAction(Exception):
    """The rules refuse this action now. `reason` is a stable UPPER_SNAKE code, `rule` the id it rests on.

    The detail reaches the caller: it may name only what the acting seat knows.
    """

    def __init__(self, reason: str, rule: str, detail: str) -> None:
        super().__init__(f"{reason} ({rule}): {detail}")
        self.reason, self.rule, self.detail = reason, rule, detail


class Chance(Protocol):
    """The only source of luck. Passed to `setup`, `decide` and `imagine`, never to `evolve`."""

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        """Faces from 1 to `sides`."""
        ...

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        """`count` items without replacement. Pass the bag in a canonical order: it is part of the proof."""
        ...


@dataclass(frozen=True, slots=True)
class Hidden:
    """Stands in a view or a witnessed event for things a seat may only count."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence by id, for translation, and in plain English."""

    id: str
    english: str
    arguments: tuple[tuple[str, str], ...] = ()


def text(id: str, english: str, **arguments: object) -> Text:
    words = {name: str(value) for name, value in arguments.items()}
    return Text(id, english.format_map(words), tuple(sorted(words.items())))


@dataclass(frozen=True, slots=True)
class Decision:
    """A question put to a seat. Public: it says nothing that any spectator may not know.

    The id is never used for another question of the game, and stays while others act.
    """

    id: str
    seat: Seat
    kinds: tuple[type, ...]
    prompt: Text


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended. `ranks[seat]` is 1 for first; equal ranks share a place."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


def option(default: T, meaning: str) -> T:
    """A field of a title's Options dataclass, with the sentence the catalog shows."""
    made: T = field(default=default, metadata={"meaning": meaning})
    return made


class Rules(Protocol[O, S, A, E, V]):
    """One title. It is a module-level constant that satisfies this protocol.

    Whatever luck gives or uncovers, and whatever the rules let nobody take back, is `final`.
    """

    title: str
    name: str
    summary: str
    version: int  # raised when `setup` or `decide` would answer differently, not for refactoring
    seats: range
    options: type[O]  # a dataclass of `option` fields
    actions: tuple[type, ...]  # the kinds of action
    texts: Mapping[str, str]  # rule id -> the rule, in our own words
    blank: S  # the state before the first event
    final: frozenset[type]  # events after which an action stays, unless all agree to take it back

    def setup(self, options: O, seats: int, chance: Chance) -> Sequence[E]: ...
    def decisions(self, state: S) -> Sequence[Decision]: ...
    def legal_actions(self, state: S, seat: Seat) -> Iterator[A]: ...
    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> Sequence[E]: ...
    def evolve(self, state: S, event: E) -> S: ...
    def view(self, state: S, seat: Seat | None) -> V: ...
    def witness(self, event: E, seat: Seat | None) -> E: ...
    def imagine(self, view: V, chance: Chance, seen: Sequence[E] = ()) -> S:
        """A world with this view, and one in which all that was `seen` has happened.

        `seen` is everything the seat has witnessed since the start, in order; without it the view is all.
        """
        ...

    def outcome(self, state: S) -> Outcome | None: ...
    def describe(self, action: A) -> Text: ...


AnyRules = Rules[Any, Any, Any, Any, Any]


class Told(list[E], Generic[S, E]):
    """Events that remember the state they led to, so that nobody need fold them again."""

    __slots__ = ("state",)
    state: S


class Story(Generic[S, E]):
    """The events told so far and the state they lead to.

    Lets a long decision (a war that topples a leader that opens a monument)
    look at its own consequences without `decide` mutating anything.
    """

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, evolve: Callable[[S, E], S], state: S) -> None:
        self._evolve = evolve
        self.events: Told[S, E] = Told()
        self.state = self.events.state = state

    def tell(self, *events: E) -> None:
        for event in events:
            self.events.append(event)
            self.state = self._evolve(self.state, event)
        self.events.state = self.state


def replay(rules: Rules[O, S, A, E, V], events: Iterable[E], start: S | None = None) -> S:
    return reduce(rules.evolve, events, rules.blank if start is None else start)


def led_to(rules: Rules[O, S, A, E, V], events: Sequence[E], start: S) -> S:
    """The state after what `decide` told about `start`."""
    return events.state if isinstance(events, Told) else replay(rules, events, start)


def put(row: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The row with one place changed."""
    return (*row[:at], item, *row[at + 1 :])


def span(least: int, most: int) -> str:
    """In words: `2 to 4`, or `2` where both are the same."""
    return f"{least}" if least == most else f"{least} to {most}"


def ranks(scores: Sequence[Any]) -> tuple[int, ...]:
    """1 for the best score; equal scores share a place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
