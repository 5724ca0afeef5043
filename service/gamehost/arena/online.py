"""One game of the arena, played on a server: every bot has a seat there, and thinks here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import shedu
from gamehost.bots.levels import remembers
from gamehost.codec.titles import TITLES
from gamehost.rules.kit import Chance, Decision, Seat, Text
from shedu.deciding import BadBot, Decider, ask
from shedu.v1 import game_pb2

from .fixtures import Fixture
from .match import Effort, Forfeit, Played, forfeited, watched
from .players import CODEC, fresh, hosted, sow
from .time_limit import TimeLimit

PATIENCE = 30.0  # seconds without a server, once it was there


class Guest(Protocol):
    """Plays by messages alone."""

    def answer(self, turn: shedu.Turn, chance: Chance) -> int:
        """Which of the actions. Raises BadBot."""
        ...


class FileGuest:
    def __init__(self, name: str, decider: Decider) -> None:
        self._name, self._decider = name, decider

    def answer(self, turn: shedu.Turn, chance: Chance) -> int:
        sow(chance)
        return ask(self._name, self._decider, turn.view, turn.decision, turn.actions)


class LevelGuest:
    """One of the service's levels: it reads the same messages as anybody."""

    def __init__(self, title: str, level: str) -> None:
        self._title, self._bot, self._remembers = title, hosted(title, level), remembers(level)

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


def guest(fixture: Fixture, number: int) -> Guest:
    entrant = fixture.players[number]
    if entrant.file is not None:
        return FileGuest(str(entrant.file), fresh(entrant.file, fixture.luck_of(number, 0)))
    return LevelGuest(fixture.title, entrant.word)


@dataclass(frozen=True, slots=True)
class Online:
    """A referee: has fixtures played on a server. It travels to other processes."""

    server: str
    token: str | None = None

    def __call__(self, fixture: Fixture, watch: TimeLimit | None = None) -> Played:
        with shedu.connect(self.server, token=self.token, patience=PATIENCE) as server:
            game = server.create(
                fixture.title,
                seats=len(fixture.players),
                options=CODEC.options(fixture.title, fixture.options),
                visibility="unlisted",
            )
            seats = [game.join(each.name[:40], seat=seat) for seat, each in enumerate(fixture.players)]
            return Match(fixture, seats, watch or TimeLimit()).play()


class Match:
    """A game whose seats are all ours: somebody here is asked until it is over."""

    def __init__(self, fixture: Fixture, seats: Sequence[shedu.Player], watch: TimeLimit) -> None:
        self._fixture, self._seats, self._watch = fixture, seats, watch
        self._efforts = [Effort()] * len(seats)
        self._guests: list[Guest] = []

    def play(self) -> Played:
        try:
            for number in range(len(self._seats)):
                self._guests.append(self._seated(number))
            view = self._seats[0].view()
            while view.decisions:
                view = self._answered(view.decisions[0].seat)
        except Forfeit as forfeit:
            self._seats[forfeit.seat].resign()
            return forfeited(self._fixture, forfeit, tuple(self._efforts))
        return self._over(view.game.outcome)

    def _seated(self, number: int) -> Guest:
        try:
            with watched(self._fixture, number, self._watch):
                return guest(self._fixture, number)
        except BadBot as bad:
            raise Forfeit(number, str(bad)) from bad

    def _answered(self, seat: int) -> game_pb2.View:
        """What the seat knows after its answer."""
        player, effort = self._seats[seat], self._efforts[seat]
        view, legal = player.view(), player.legal_actions()
        assert legal.decision is not None, "asked, and not asked"
        began = time.perf_counter()
        try:
            turn = shedu.Turn(player, view, legal.decision, legal.actions)
            with watched(self._fixture, seat, self._watch):
                chosen = self._guests[seat].answer(turn, self._fixture.luck_of(seat, view.version))
        except BadBot as bad:
            raise Forfeit(seat, str(bad)) from bad
        spent = time.perf_counter() - began
        self._efforts[seat] = Effort(effort.decisions + 1, effort.seconds + spent)
        return player.play(legal.actions[chosen], legal.decision).view

    def _over(self, outcome: game_pb2.Outcome) -> Played:
        log = tuple(self._seats[0].export().splitlines()) if self._fixture.logged else ()
        return Played(
            self._fixture,
            tuple(outcome.ranks),
            tuple(outcome.scores),
            outcome.reason,
            tuple(self._efforts),
            log=log,
        )
