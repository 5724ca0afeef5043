"""Plays one fixture on the rules, without a server."""

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
from gamehost.codec.process_codec import RENDERER
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

from .decision_timer import DecisionTimer
from .fixtures import Fixture
from .players import ArenaPlayer, make_player


@dataclass(frozen=True, slots=True)
class Effort:
    """The number of decisions of a seat, and the seconds that they took."""

    decisions: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a fixture. `forfeiter` is the seat whose bot failed, None if the game was finished."""

    fixture: Fixture
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None  # None when forfeited
    reason: str
    efforts: tuple[Effort, ...]
    forfeiter: int | None = None
    log: tuple[str, ...] = ()


@dataclass(slots=True)
class ArenaGame:
    """A running game: its table, the title's events, and all records."""

    fixture: Fixture
    table: Table
    records: list[EventRecord] = field(default_factory=list)
    title_events: list[Any] = field(default_factory=list)  # without those of the table
    witnessed: dict[Seat, list[Any]] = field(default_factory=lambda: defaultdict(list))
    sent: dict[Seat, list[Any]] = field(default_factory=lambda: defaultdict(list))

    def append(self, events: Sequence[Any], seat: Seat | None, state: Any = None) -> None:
        """Apply events to the table. `state` is the title's state after them, if it is already known."""
        version, last = self.table.version, len(events) - 1
        records = [EventRecord(version + 1 + i, 0, seat, i < last, event) for i, event in enumerate(events)]
        self.table = fold(self.table, records, state)
        self.title_events += [event for event in events if not isinstance(event, TABLE_EVENTS)]
        self.records += records

    def decide(self, asked: Decision, action: Any) -> None:
        """Play an action, and finish the game if it was the last one."""
        table = self.table
        events = table.rules.decide(table.state, asked.seat, action, self.chance())
        state = led_to(table.rules, events, table.state)
        outcome = table.rules.outcome(state)
        closing = [GameFinished(outcome), SeedRevealed(self.fixture.secret)] if outcome else []
        self.append([*events, *closing], asked.seat, state)

    def seen(self, seat: Seat) -> Sequence[Any]:
        """Return the events that the seat has witnessed."""
        # Extends a list per seat. This is only correct because the arena has no undo: events never go away.
        witnessed, witness = self.witnessed[seat], self.table.rules.witness
        witnessed += [witness(event, seat) for event in self.title_events[len(witnessed) :]]
        return witnessed

    def messages(self, seat: Seat) -> Sequence[Any]:
        """Return the messages of all events as the service would send them to the seat."""
        sent = self.sent[seat]
        sent += [RENDERER.event(self.table, record, seat) for record in self.records[len(sent) :]]
        return sent

    def chance(self) -> SeededChance:
        return SeededChance(self.fixture.secret, self.table.position)

    def log(self) -> tuple[str, ...]:
        """Return the lines that `shedu export` would write for the game; none if it is not logged."""
        if not self.fixture.logged:
            return ()
        title = self.table.rules.title
        events = [RENDERER.message(title, record) for record in self.records]
        return tuple(export_lines(ExportedGame(RENDERER.game(self.table), events)))


def play_game(
    fixture: Fixture,
    timer: DecisionTimer | None = None,
    wrap: Callable[[ArenaPlayer], ArenaPlayer] = lambda player: player,
) -> GameResult:
    """Play a game to its end. `wrap` may replace each player by one that observes it."""
    game, timer = begin(fixture), timer or DecisionTimer()
    efforts = [Effort()] * len(fixture.players)
    try:
        players = [wrap(start_player(fixture, number, timer)) for number in range(len(fixture.players))]
        while decisions := game.table.decisions:
            asked = decisions[0]
            with decision_limit(fixture, asked.seat, timer):
                efforts[asked.seat], action = ask_player(
                    game, players[asked.seat], asked, efforts[asked.seat]
                )
            game.decide(asked, action)
    except Forfeit as forfeit:
        return forfeit_result(fixture, forfeit, tuple(efforts))
    outcome = game.table.outcome
    assert isinstance(outcome, Outcome), "no decisions, but the game is not over"
    return GameResult(fixture, outcome.ranks, outcome.scores, outcome.reason, tuple(efforts), log=game.log())


def decision_limit(fixture: Fixture, seat: int, timer: DecisionTimer) -> AbstractContextManager[None]:
    """Time the decision of a bot in a file. Levels keep to their own budget."""
    return nullcontext() if fixture.players[seat].file is None else timer.running(seat)


class Forfeit(Exception):
    """The bot on a seat has failed and loses the game."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def start_player(fixture: Fixture, number: int, timer: DecisionTimer) -> ArenaPlayer:
    try:
        with decision_limit(fixture, number, timer):
            return make_player(fixture, number)
    except BadBot as bad:
        raise Forfeit(number, str(bad)) from bad


def ask_player(game: ArenaGame, player: ArenaPlayer, asked: Decision, effort: Effort) -> tuple[Effort, Any]:
    """Return the seat's new effort and the chosen action. Raises Forfeit."""
    table = game.table
    actions = list(table.rules.legal_actions(table.state, asked.seat))
    began = time.perf_counter()
    try:
        seen = game.messages(asked.seat) if player.reads_log else ()
        seen = game.seen(asked.seat) if player.remembers else seen
        luck = game.fixture.bot_chance(asked.seat, table.version)
        action = player.answer(table, asked, actions, luck, seen)
    except BadBot as bad:
        raise Forfeit(asked.seat, str(bad)) from bad
    spent = time.perf_counter() - began
    return Effort(effort.decisions + 1, effort.seconds + spent), action


def forfeit_result(fixture: Fixture, forfeit: Forfeit, efforts: tuple[Effort, ...] = ()) -> GameResult:
    """Return the result of a forfeited game: the failed bot is last, the others share the first place."""
    count = len(fixture.players)
    ranks = tuple(count if number == forfeit.seat else 1 for number in range(count))
    return GameResult(fixture, ranks, None, str(forfeit), efforts or (Effort(),) * count, forfeit.seat)


def begin(fixture: Fixture) -> ArenaGame:
    """Create a table, take its seats and set up the game.

    The events are those that the service writes for such a game, so that its log can be verified.
    """
    rules, game_id = CATALOG[fixture.title], game_id_of(fixture)
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
    game = ArenaGame(fixture, open_table(game_id, rules, first), [first])
    *sitting, last = [SeatTaken(Seat(n), player.name) for n, player in enumerate(fixture.players)]
    for taken in sitting:
        game.append([taken], taken.seat)
    opening = rules.setup(fixture.options, len(fixture.players), game.chance())
    game.append([last, GameStarted(), *opening], last.seat)
    return game


def game_id_of(fixture: Fixture) -> str:
    """Return the id of the game, in the form of ids that the service assigns."""
    digest = hashlib.sha256(b"shedu:arena:game:" + fixture.secret).digest()
    return base64.b32encode(digest).decode().lower()[:20]
