"""What every title's rules look like, and the few pieces they share.

Rules are pure: no clock, no I/O, no module-level random, no logging.
`decide` is where the rules live; `evolve` only writes down what was decided.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Annotated, Any, Generic, NewType, Protocol, TypeAlias, TypeVar

from .copying import replace

Seat = NewType("Seat", int)
"""A chair at the table, 0-based, in turn order. Who sits there is not the rules' business."""

SignedInt: TypeAlias = Annotated[int, "signed"]
"""A number that may be negative. In the messages of a title every other `int` is unsigned."""

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

    The id is never used for another question of the game, and stays while others act. A title that makes its
    decisions by `ask` leaves the id to the frame, see `with_ids`.
    """

    id: str
    seat: Seat
    kinds: tuple[type, ...]
    prompt: Text


def ask(seat: Seat, prompt: Text, *kinds: type) -> Decision:
    """Returns a decision without an id, which the frame makes: the usual way to put a question."""
    return Decision("", seat, kinds, prompt)


def with_ids(decisions: Sequence[Decision], answers: Sequence[int]) -> Sequence[Decision]:
    """Returns the decisions with an id for each that has none.

    `answers[seat]` is a number that grows with every answer of the seat. A seat is asked one question at a
    time, so the seat and this number identify the question.
    """
    if all(decision.id for decision in decisions):
        return decisions  # the same objects: what they are encoded to is found by their identity
    return [
        decision if decision.id else replace(decision, id=f"{decision.seat}.{answers[decision.seat]}")
        for decision in decisions
    ]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended. `ranks[seat]` is 1 for first; equal ranks share a place."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of a game that is over, by seat, and why it ended, in UPPER_SNAKE."""

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
    events: tuple[type, ...]  # the kinds of event
    views: type[V]
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


class Story(Generic[S, E]):
    """The events of one setup or decision so far, the state after them, and the luck that they may need.

    It lets a long decision (a war that removes a leader, which allows a monument) look at its own
    consequences, while `decide` changes nothing in place.
    """

    __slots__ = ("_evolve", "_folded", "_state", "chance", "events")

    def __init__(self, evolve: Callable[[S, E], S], state: S, chance: Chance) -> None:
        self._evolve, self._state, self._folded = evolve, state, 0
        self.chance = chance
        self.events: StoryEvents[S, E] = StoryEvents(self)

    def tell(self, *events: E) -> None:
        self.events.extend(events)

    @property
    def state(self) -> S:
        # Folded only when asked for: many events are told in a row before a rule looks at the state.
        if self._folded < len(self.events):
            self._state = reduce(self._evolve, self.events[self._folded :], self._state)
            self._folded = len(self.events)
        return self._state


class StoryEvents(list[E], Generic[S, E]):
    """The events of a story. They keep it, so that `led_to` need not fold them again."""

    __slots__ = ("story",)

    def __init__(self, story: Story[S, E]) -> None:
        super().__init__()
        self.story = story


class TitleRules(ABC, Generic[O, S, A, E, V]):
    """The base class of a title: it does what is the same in all titles, and calls the title's own functions.

    A title gives its facts as class attributes and implements the methods; see `Rules` for both. `refusal`,
    `legal_actions`, `outcome` and `final` need not be written: they follow from `forbidden`, `candidates`,
    `result` and `free`. A title that needs more overrides them.
    """

    title: str
    name: str
    summary: str
    version: int
    seats: range
    options: type[O]
    actions: tuple[type, ...]
    events: tuple[type, ...]
    views: type[V]
    texts: Mapping[str, str]
    blank: S
    final: frozenset[type]
    free: frozenset[type] = frozenset()  # events that a seat may take back alone; all others are final
    turn_rule: str  # the id of the rule that says whose turn it is, named by refusals
    end_rule: str  # the id of the rule that ends the game, named by refusals

    def __init_subclass__(cls) -> None:
        if not hasattr(cls, "final"):
            cls.final = frozenset(cls.events) - cls.free

    def setup(self, options: O, seats: int, chance: Chance) -> Sequence[E]:
        """Returns the first events. Raises ValueError for a number of seats that the title does not have."""
        if seats not in self.seats:
            raise ValueError(f"{self.name} is for {span(self.seats[0], self.seats[-1])} players, not {seats}")
        story = Story(self.evolve, self.blank, chance)
        self.begin(story, options, seats)
        return story.events

    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> Sequence[E]:
        """Returns the events that an action leads to. Raises IllegalAction."""
        if (refused := self.refusal(state, seat, action)) is not None:
            raise refused
        story = Story(self.evolve, state, chance)
        self.act(story, seat, action)
        return story.events

    def refusal(self, state: S, seat: Seat, action: A) -> IllegalAction | None:
        """Returns why the seat may not do that now, or None. `legal_actions` must agree with it."""
        asked = {decision.seat: decision.kinds for decision in self.decisions(state)}
        if not asked:
            return IllegalAction("GAME_OVER", self.end_rule, "the game is over")
        if seat not in asked:
            return IllegalAction("NOT_YOUR_DECISION", self.turn_rule, f"seat {seat} is not asked now")
        if type(action) not in asked[seat]:
            wanted = " or ".join(kind.__name__ for kind in asked[seat])
            detail = f"the decision is {wanted}, not {type(action).__name__}"
            return IllegalAction("WRONG_KIND_OF_ACTION", self.turn_rule, detail)
        return self.forbidden(state, seat, action)

    def legal_actions(self, state: S, seat: Seat) -> Iterator[A]:
        """Yields every action of the candidates that is not refused."""
        if any(decision.seat == seat for decision in self.decisions(state)):
            yield from (
                action for action in self.candidates(state, seat) if self.refusal(state, seat, action) is None
            )

    def outcome(self, state: S) -> Outcome | None:
        """Returns ranks by score, the highest first, once there is a result."""
        ended = self.result(state)
        return None if ended is None else Outcome(ranks(ended.scores), tuple(ended.scores), ended.reason)

    @abstractmethod
    def begin(self, story: Story[S, E], options: O, seats: int) -> None:
        """Tells the events of the setup. Raises ValueError for options that cannot be played."""

    @abstractmethod
    def act(self, story: Story[S, E], seat: Seat, action: A) -> None:
        """Tells the events of an action that is legal."""

    def forbidden(self, state: S, seat: Seat, action: A) -> IllegalAction | None:
        """Returns why a seat that is asked for this kind of action may not do it so, or None."""
        raise NotImplementedError(f"{self.title}: write `forbidden`, or `refusal` in its place")

    def candidates(self, state: S, seat: Seat) -> Iterable[A]:
        """Returns actions among which all legal ones are; those that are refused are left out later."""
        raise NotImplementedError(f"{self.title}: write `candidates`, or `legal_actions` in its place")

    def result(self, state: S) -> Result | None:
        """Returns the scores of a game that is over, or None."""
        raise NotImplementedError(f"{self.title}: write `result`, or `outcome` in its place")

    @abstractmethod
    def decisions(self, state: S) -> Sequence[Decision]: ...
    @abstractmethod
    def evolve(self, state: S, event: E) -> S: ...
    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V: ...
    @abstractmethod
    def witness(self, event: E, seat: Seat | None) -> E: ...
    @abstractmethod
    def imagine(self, view: V, chance: Chance, seen: Sequence[E] = ()) -> S: ...
    @abstractmethod
    def describe(self, action: A) -> Text: ...


def replay(rules: Rules[O, S, A, E, V], events: Iterable[E], start: S | None = None) -> S:
    return reduce(rules.evolve, events, rules.blank if start is None else start)


def led_to(rules: Rules[O, S, A, E, V], events: Sequence[E], start: S) -> S:
    """Returns the state after the events that `decide` returned for the state `start`."""
    return events.story.state if isinstance(events, StoryEvents) else replay(rules, events, start)


def put(row: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The row with one place changed."""
    return (*row[:at], item, *row[at + 1 :])


def span(least: int, most: int) -> str:
    """In words: `2 to 4`, or `2` where both are the same."""
    return f"{least}" if least == most else f"{least} to {most}"


def ranks(scores: Sequence[Any]) -> tuple[int, ...]:
    """1 for the best score; equal scores share a place."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
