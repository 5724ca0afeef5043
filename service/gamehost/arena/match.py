"""One game of the arena, played on the pure rules."""

from __future__ import annotations

import base64
import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from gamehost.codec.exported_game import ExportedGame, export_lines
from gamehost.play.table.events import (
    TABLE_EVENTS,
    GameCreated,
    GameFinished,
    GameStarted,
    SeatTaken,
    SeedRevealed,
    Visibility,
)
from gamehost.play.table.table import EventRecord, Table, fold, open_table
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import Decision, Outcome, Seat, led_to
from shedu.deciding import BadBot

from .fixtures import Fixture
from .players import CODEC, Player, seat
from .time_limit import TimeLimit


@dataclass(frozen=True, slots=True)
class Effort:
    """What one seat did."""

    decisions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Played:
    """How a fixture ended: by the rules, or because the bot on `forfeiter` failed."""

    fixture: Fixture
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None  # none when forfeited
    reason: str
    efforts: tuple[Effort, ...]
    forfeiter: int | None = None
    log: tuple[str, ...] = ()


@dataclass(slots=True)
class Course:
    """A game under way: its table, and all that happened if somebody wants to know."""

    fixture: Fixture
    table: Table
    records: list[EventRecord] = field(default_factory=list)
    happened: list[Any] = field(default_factory=list)  # of the title
    told: dict[Seat, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def tell(self, events: Sequence[Any], seat: Seat | None, state: Any = None) -> None:
        version, last = self.table.version, len(events) - 1
        records = [EventRecord(version + 1 + i, 0, seat, i < last, event) for i, event in enumerate(events)]
        self.table = fold(self.table, records, state)
        self.happened += [event for event in events if not isinstance(event, TABLE_EVENTS)]
        if self.fixture.logged:
            self.records += records

    def decide(self, asked: Decision, action: Any) -> None:
        table = self.table
        events = table.rules.decide(table.state, asked.seat, action, self.luck())
        state = led_to(table.rules, events, table.state)
        outcome = table.rules.outcome(state)
        closing = [GameFinished(outcome), SeedRevealed(self.fixture.secret)] if outcome else []
        self.tell([*events, *closing], asked.seat, state)

    def seen(self, seat: Seat) -> Sequence[Any]:
        """What the seat has witnessed; nothing is ever undone here."""
        told, witness = self.told[seat], self.table.rules.witness
        told += [witness(event, seat) for event in self.happened[len(told) :]]
        return told

    def luck(self) -> SeededChance:
        return SeededChance(self.fixture.secret, self.table.position)

    def log(self) -> tuple[str, ...]:
        """The game as `shedu export` would write it."""
        if not self.records:
            return ()
        title = self.table.rules.title
        events = [CODEC.message(title, record) for record in self.records]
        return tuple(export_lines(ExportedGame(CODEC.game(self.table), events)))


def play(
    fixture: Fixture,
    watch: TimeLimit | None = None,
    beside: Callable[[Player], Player] = lambda player: player,
) -> Played:
    """The game from the deal to its end. `beside` may put somebody who looks over each player's shoulder."""
    course, watch = begin(fixture), watch or TimeLimit()
    efforts = [Effort()] * len(fixture.players)
    try:
        players = [beside(seated(fixture, number, watch)) for number in range(len(fixture.players))]
        while decisions := course.table.decisions:
            asked = decisions[0]
            with watched(fixture, asked.seat, watch):
                efforts[asked.seat], action = answered(
                    course, players[asked.seat], asked, efforts[asked.seat]
                )
            course.decide(asked, action)
    except Forfeit as forfeit:
        return forfeited(fixture, forfeit, tuple(efforts))
    outcome = course.table.outcome
    assert isinstance(outcome, Outcome), "nobody is asked, yet the game is not over"
    return Played(fixture, outcome.ranks, outcome.scores, outcome.reason, tuple(efforts), log=course.log())


def watched(fixture: Fixture, seat: int, watch: TimeLimit) -> AbstractContextManager[None]:
    """A level takes as long as it was told to, so only bots in files are watched."""
    return nullcontext() if fixture.players[seat].file is None else watch.on(seat)


class Forfeit(Exception):
    """The bot on a seat cannot go on."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def seated(fixture: Fixture, number: int, watch: TimeLimit) -> Player:
    try:
        with watched(fixture, number, watch):
            return seat(fixture, number)
    except BadBot as bad:
        raise Forfeit(number, str(bad)) from bad


def answered(course: Course, player: Player, asked: Decision, effort: Effort) -> tuple[Effort, Any]:
    table = course.table
    actions = list(table.rules.legal_actions(table.state, asked.seat))
    began = time.perf_counter()
    try:
        seen = course.seen(asked.seat) if player.remembers else ()
        luck = course.fixture.luck_of(asked.seat, table.version)
        action = player.answer(table, asked, actions, luck, seen)
    except BadBot as bad:
        raise Forfeit(asked.seat, str(bad)) from bad
    spent = time.perf_counter() - began
    return Effort(effort.decisions + 1, effort.seconds + spent), action


def forfeited(fixture: Fixture, forfeit: Forfeit, efforts: tuple[Effort, ...] = ()) -> Played:
    """The one who failed is last, and the others share the first place."""
    count = len(fixture.players)
    ranks = tuple(count if number == forfeit.seat else 1 for number in range(count))
    return Played(fixture, ranks, None, str(forfeit), efforts or (Effort(),) * count, forfeit.seat)


def begin(fixture: Fixture) -> Course:
    rules, game_id = CATALOG[fixture.title], name_of(fixture)
    created = GameCreated(
        fixture.title,
        rules.version,
        len(fixture.players),
        fixture.options,
        Visibility.PUBLIC,
        manual_start=False,
        commitment=commitment(game_id, fixture.secret),
    )
    first = EventRecord(1, 0, None, False, created)
    course = Course(fixture, open_table(game_id, rules, first), [first] if fixture.logged else [])
    *sitting, last = [SeatTaken(Seat(n), player.name) for n, player in enumerate(fixture.players)]
    for taken in sitting:
        course.tell([taken], taken.seat)
    opening = rules.setup(fixture.options, len(fixture.players), course.luck())
    course.tell([last, GameStarted(), *opening], last.seat)
    return course


def name_of(fixture: Fixture) -> str:
    """The id of the game, like one that a service gives."""
    digest = hashlib.sha256(b"shedu:arena:game:" + fixture.secret).digest()
    return base64.b32encode(digest).decode().lower()[:20]
