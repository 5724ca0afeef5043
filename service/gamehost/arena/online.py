"""Plays one fixture on a server: bots run in this process and take their seats through the API."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import shedu
from gamehost.bots.levels import remembers
from gamehost.codec.process_codec import RENDERER
from gamehost.codec.titles import TITLES
from gamehost.rules.kit import Chance, Decision, Seat, Text
from shedu.deciding import BadBot, Decider, ask, wants_events
from shedu.v1 import game_pb2

from .decision_timer import DecisionTimer
from .fixtures import Fixture
from .match import Effort, Forfeit, GameResult, decision_limit, forfeit_result
from .players import cached_bot, load_fresh, seed_random

RECONNECT_SECONDS = 30.0  # seconds to wait for a server that has answered before


class RemotePlayer(Protocol):
    """A bot that gets its input from the API."""

    def answer(self, turn: shedu.Turn, chance: Chance) -> int:
        """Return the index of the chosen action. Raises BadBot."""
        ...


class RemoteFilePlayer:
    """A bot in a file. It gets the messages as they come."""

    def __init__(self, name: str, decider: Decider) -> None:
        self._name, self._decider = name, decider

    def answer(self, turn: shedu.Turn, chance: Chance) -> int:
        seed_random(chance)
        events = list(turn.player.events()) if wants_events(self._decider) else None
        return ask(self._name, self._decider, turn.view, turn.decision, turn.actions, events)


class RemoteLevelPlayer:
    """A level of the service. It gets views and actions decoded from the messages of its seat."""

    def __init__(self, title: str, level: str) -> None:
        self._title, self._bot, self._remembers = title, cached_bot(title, level), remembers(level)

    def answer(self, turn: shedu.Turn, chance: Chance) -> int:
        codec, decision = TITLES[self._title], turn.decision
        known = codec.view.decode(getattr(turn.view, self._title))
        legal = [codec.action.decode(getattr(each.action, self._title)) for each in turn.actions]
        asked = Decision(
            decision.decision_id,
            Seat(decision.seat),
            tuple({type(action): None for action in legal}),
            Text(decision.prompt.id, decision.prompt.english),
        )
        seen = self._seen(turn.player) if self._remembers else ()
        return legal.index(self._bot.decide(known, asked, legal, chance, seen))

    def _seen(self, player: shedu.Player) -> list[Any]:
        events = [event for event in player.events() if event.WhichOneof("kind") == self._title]
        return [TITLES[self._title].event.decode(getattr(event, self._title)) for event in events]


def make_remote_player(fixture: Fixture, number: int) -> RemotePlayer:
    entrant = fixture.players[number]
    if entrant.file is not None:
        return RemoteFilePlayer(str(entrant.file), load_fresh(entrant.file, fixture.bot_chance(number, 0)))
    return RemoteLevelPlayer(fixture.title, entrant.word)


@dataclass(frozen=True, slots=True)
class OnlineReferee:
    """A referee that plays fixtures on a server. It is pickled and sent to worker processes."""

    server: str
    token: str | None = None

    def __call__(self, fixture: Fixture, timer: DecisionTimer | None = None) -> GameResult:
        with shedu.connect(self.server, token=self.token, patience=RECONNECT_SECONDS) as server:
            game = server.create(
                fixture.title,
                seats=len(fixture.players),
                options=RENDERER.options(fixture.title, fixture.options),
                visibility="unlisted",
            )
            seats = [game.join(each.name[:40], seat=seat) for seat, each in enumerate(fixture.players)]
            return OnlineMatch(fixture, seats, timer or DecisionTimer()).play()


class OnlineMatch:
    """A game on a server whose seats are all played by this process."""

    def __init__(self, fixture: Fixture, seats: Sequence[shedu.Player], timer: DecisionTimer) -> None:
        self._fixture, self._seats, self._timer = fixture, seats, timer
        self._efforts = [Effort()] * len(seats)
        self._players: list[RemotePlayer] = []

    def play(self) -> GameResult:
        try:
            for number in range(len(self._seats)):
                self._players.append(self._make_player(number))
            view = self._seats[0].view()
            while view.decisions:
                view = self._ask(view.decisions[0].seat)
        except Forfeit as forfeit:
            self._seats[forfeit.seat].resign()
            return forfeit_result(self._fixture, forfeit, tuple(self._efforts))
        return self._result(view.game.outcome)

    def _make_player(self, number: int) -> RemotePlayer:
        try:
            with decision_limit(self._fixture, number, self._timer):
                return make_remote_player(self._fixture, number)
        except BadBot as bad:
            raise Forfeit(number, str(bad)) from bad

    def _ask(self, seat: int) -> game_pb2.View:
        """Let the seat's bot decide, play the action and return the seat's view after it."""
        player, effort = self._seats[seat], self._efforts[seat]
        turn = player.turn()
        assert turn is not None, "the view has a decision that the server does not offer"
        began = time.perf_counter()
        try:
            with decision_limit(self._fixture, seat, self._timer):
                chosen = self._players[seat].answer(turn, self._fixture.bot_chance(seat, turn.view.version))
        except BadBot as bad:
            raise Forfeit(seat, str(bad)) from bad
        spent = time.perf_counter() - began
        self._efforts[seat] = Effort(effort.decisions + 1, effort.seconds + spent)
        return turn.play(turn.actions[chosen]).view

    def _result(self, outcome: game_pb2.Outcome) -> GameResult:
        log = tuple(self._seats[0].export().splitlines()) if self._fixture.logged else ()
        return GameResult(
            self._fixture,
            tuple(outcome.ranks),
            tuple(outcome.scores),
            outcome.reason,
            tuple(self._efforts),
            log=log,
        )
