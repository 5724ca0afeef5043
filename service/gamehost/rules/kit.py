"""The protocol and base class of the rules of every title, and the types and functions that they share.

Rules are pure: no clock, no I/O, no module-level random, no logging.
`decide` applies the rules and returns events; `evolve` only applies events to a state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Annotated, Any, Generic, NewType, Protocol, TypeAlias, TypeVar

from .copying import replace

Seat = NewType("Seat", int)
"""A seat of the game, 0-based, in turn order. Rules do not know who has it."""

SignedInt: TypeAlias = Annotated[int, "signed"]
"""A number that may be negative. In the messages of a title every other `int` is unsigned."""

O = TypeVar("O")  # noqa: E741  options chosen at creation
S = TypeVar("S")  # the complete state, including hidden information
A = TypeVar("A")  # what a seat asks for (imperative)
E = TypeVar("E")  # what happened (past tense)
V = TypeVar("V")  # the state as one seat may see it
T = TypeVar("T")


class IllegalAction(Exception):
    """The rules refuse this action now. `reason` is a stable UPPER_SNAKE code, `rule` the id of the rule.

    The detail reaches the caller: it may name only what the acting seat knows.
    """

    def __init__(self, reason: str, rule: str, detail: str) -> None:
        super().__init__(f"{reason} ({rule}): {detail}")
        self.reason, self.rule, self.detail = reason, rule, detail


class Chance(Protocol):
    """The only source of random results. Passed to `setup`, `decide` and `imagine`, never to `evolve`."""

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        """Rolls dice and returns their faces, from 1 to `sides`."""
        ...

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        """Draws `count` items without replacement. Pass the bag in a fixed order: it is part of the proof."""
        ...


@dataclass(frozen=True, slots=True)
class Hidden:
    """Replaces hidden values in a view or a witnessed event: the seat may know only how many there are."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in English, with an id and arguments for translations."""

    id: str
    english: str
    arguments: tuple[tuple[str, str], ...] = ()


def text(id: str, english: str, **arguments: object) -> Text:
    words = {name: str(value) for name, value in arguments.items()}
    return Text(id, english.format_map(words), tuple(sorted(words.items())))


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a seat. Everyone can see it, so it must not contain hidden information.

    The id is unique in the game, and stays the same while other seats act. Decisions that are made with `ask`
    get their id later, see `with_ids`.
    """

    id: str
    seat: Seat
    kinds: tuple[type, ...]
    prompt: Text


def ask(seat: Seat, prompt: Text, *kinds: type) -> Decision:
    """Returns a decision without an id; `with_ids` adds one. The usual way to make a decision."""
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
    """The result of a finished game. `ranks[seat]` is 1 for first; equal ranks share a place."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of a game that is over, by seat, and why it ended, in UPPER_SNAKE."""

    scores: tuple[int, ...]
    reason: str


def option(default: T, meaning: str) -> T:
    """Returns a field of a title's Options dataclass, with the sentence that the catalog shows."""
    made: T = field(default=default, metadata={"meaning": meaning})
    return made


class Rules(Protocol[O, S, A, E, V]):
    """The rules of one title. Each title has one object that satisfies this protocol.

    `final` must contain every event with a random result or newly revealed information, and every event that
    the rules do not allow to be undone.
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
    texts: Mapping[str, str]  # the text of each rule, by its id
    blank: S  # the state before the first event
    final: frozenset[type]  # events that a seat cannot undo alone: all players have to agree

    def setup(self, options: O, seats: int, chance: Chance) -> Sequence[E]: ...
    def decisions(self, state: S) -> Sequence[Decision]: ...
    def legal_actions(self, state: S, seat: Seat) -> Iterator[A]: ...
    def decide(self, state: S, seat: Seat, action: A, chance: Chance) -> Sequence[E]: ...
    def evolve(self, state: S, event: E) -> S: ...
    def view(self, state: S, seat: Seat | None) -> V: ...
    def witness(self, event: E, seat: Seat | None) -> E: ...
    def imagine(self, view: V, chance: Chance, seen: Sequence[E] = ()) -> S:
        """Returns a random state that has this view and in which all events `seen` can have happened.

        `seen` are all events that the seat has witnessed since the start, in order; if empty, only the view
        is used.
        """
        ...

    def outcome(self, state: S) -> Outcome | None: ...
    def describe(self, action: A) -> Text: ...


AnyRules = Rules[Any, Any, Any, Any, Any]


class Story(Generic[S, E]):
    """Collects the events of one setup or action, with the state after them and the chance to draw from.

    Rules that add several events (a war removes a leader, which allows a monument) can read the state after
    each of them, while `decide` changes nothing in place.
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
        # Computed only when it is read: rules often add several events before they look at the state.
        if self._folded < len(self.events):
            self._state = reduce(self._evolve, self.events[self._folded :], self._state)
            self._folded = len(self.events)
        return self._state


class StoryEvents(list[E], Generic[S, E]):
    """The events of a story, with a reference to it, so that `led_to` need not apply them again."""

    __slots__ = ("story",)

    def __init__(self, story: Story[S, E]) -> None:
        super().__init__()
        self.story = story


class TitleRules(ABC, Generic[O, S, A, E, V]):
    """The base class of a title's rules. Contains what all titles have in common.

    A title sets the class attributes and implements the methods; see `Rules` for both. `refusal`,
    `legal_actions`, `outcome` and `final` have defaults, which use `forbidden`, `candidates`, `result` and
    `free`; a title that needs more overrides them.
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
    free: frozenset[type] = frozenset()  # events that a seat may undo alone; all others are final
    turn_rule: str  # the id of the rule that says whose turn it is, named by refusals
    end_rule: str  # the id of the rule that ends the game, named by refusals

    def __init_subclass__(cls) -> None:
        if not hasattr(cls, "final"):
            cls.final = frozenset(cls.events) - cls.free

    def setup(self, options: O, seats: int, chance: Chance) -> Sequence[E]:
        """Returns the events of the setup. Raises ValueError for a number of seats that is not in `seats`."""
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
        """Returns why the action is not allowed now, or None. `legal_actions` must agree with it."""
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
        """Yields the candidates that are not refused."""
        if any(decision.seat == seat for decision in self.decisions(state)):
            yield from (
                action for action in self.candidates(state, seat) if self.refusal(state, seat, action) is None
            )

    def outcome(self, state: S) -> Outcome | None:
        """Returns the outcome with ranks by score, the highest first; None until there is a result."""
        ended = self.result(state)
        return None if ended is None else Outcome(ranks(ended.scores), tuple(ended.scores), ended.reason)

    @abstractmethod
    def begin(self, story: Story[S, E], options: O, seats: int) -> None:
        """Adds the events of the setup to the story. Raises ValueError for options that cannot be played."""

    @abstractmethod
    def act(self, story: Story[S, E], seat: Seat, action: A) -> None:
        """Adds the events of a legal action to the story."""

    def forbidden(self, state: S, seat: Seat, action: A) -> IllegalAction | None:
        """Returns why an action of a kind that the seat is asked for is not allowed, or None."""
        raise NotImplementedError(f"{self.title}: write `forbidden`, or `refusal` in its place")

    def candidates(self, state: S, seat: Seat) -> Iterable[A]:
        """Returns all actions that may be legal; the caller removes those that are refused."""
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
    """Returns the tuple with one item replaced."""
    return (*row[:at], item, *row[at + 1 :])


def span(least: int, most: int) -> str:
    """Returns the range as text: `2 to 4`, or `2` if both are equal."""
    return f"{least}" if least == most else f"{least} to {most}"


def ranks(scores: Sequence[Any]) -> tuple[int, ...]:
    """Returns the rank of each score: 1 for the best; equal scores have equal ranks."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
