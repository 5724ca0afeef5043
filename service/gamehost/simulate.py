"""Plays many games for statistics and datasets, and summarises them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import cycle
from statistics import mean, median
from typing import Any, TypeAlias

from gamehost.arena.decision_timer import DecisionTimer
from gamehost.arena.fixtures import Fixture, Season, lineups
from gamehost.arena.match import GameResult, play_game
from gamehost.arena.players import ArenaPlayer
from gamehost.arena.processes import play_all
from gamehost.play.table.table import Table
from gamehost.rules.kit import Chance, Decision

Row: TypeAlias = Mapping[str, Any]
RowMaker: TypeAlias = Callable[[Table, Decision, Sequence[Any], int], Row]
"""Makes a row from a table, a decision, its legal actions and the index of the chosen one. It is sent to
worker processes, so it must be a module-level function."""


@dataclass(frozen=True, slots=True)
class Simulation(Season):
    """A season with `games` games in total, in which lineups and seats rotate."""

    def fixtures(self) -> Iterator[Fixture]:
        together = lineups(self.entrants, self.seats)
        tables = [lineup[turn:] + lineup[:turn] for turn in range(self.seats) for lineup in together]
        for number, players in zip(range(self.games), cycle(tables), strict=False):
            yield Fixture(number, self.title, self.options, players, self.seed)

    def __len__(self) -> int:
        return self.games


@dataclass(frozen=True, slots=True)
class SimulatedGame(GameResult):
    """A result with the data of every decision."""

    choices: tuple[int, ...] = ()  # the number of legal actions at each decision
    rows: tuple[Row, ...] = ()  # one per decision, if rows are recorded


class ObservedPlayer:
    """Passes every decision and its answer to a function."""

    def __init__(
        self, player: ArenaPlayer, observe: Callable[[Table, Decision, Sequence[Any], Any], None]
    ) -> None:
        self._player, self._observe = player, observe
        self.remembers, self.reads_log = player.remembers, player.reads_log

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        action = self._player.answer(table, decision, actions, chance, seen)
        self._observe(table, decision, actions, action)
        return action


@dataclass(frozen=True, slots=True)
class RecordingReferee:
    """A referee that records every decision, with `make_row` if rows are wanted."""

    make_row: RowMaker | None = None

    def __call__(self, fixture: Fixture, timer: DecisionTimer | None = None) -> SimulatedGame:
        choices, rows = list[int](), list[Row]()

        def observe(table: Table, decision: Decision, actions: Sequence[Any], action: Any) -> None:
            choices.append(len(actions))
            if self.make_row is not None:
                rows.append(self.make_row(table, decision, actions, actions.index(action)))

        played = play_game(fixture, timer, lambda player: ObservedPlayer(player, observe))
        return simulated_game(played, tuple(choices), tuple(rows))


def simulated_games(
    simulation: Simulation, processes: int, make_row: RowMaker | None = None
) -> Iterator[SimulatedGame]:
    """Yield the games in order of their numbers, whatever the number of processes."""
    # Games finish in any order. Those that are early wait here for their predecessors.
    early, following = dict[int, GameResult](), 0
    for each in play_all(simulation.fixtures(), min(processes, len(simulation)), RecordingReferee(make_row)):
        early[each.fixture.number] = each
        while (played := early.pop(following, None)) is not None:
            following += 1
            yield played if isinstance(played, SimulatedGame) else simulated_game(played)


def simulated_game(
    played: GameResult, choices: tuple[int, ...] = (), rows: tuple[Row, ...] = ()
) -> SimulatedGame:
    known = {each.name: getattr(played, each.name) for each in fields(played)}
    return SimulatedGame(**known, choices=choices, rows=rows)


@dataclass(slots=True)
class Summary:
    """Statistics of the finished games; forfeited games are only counted."""

    simulation: Simulation
    seconds: float = 0.0
    decisions: list[int] = field(default_factory=list)
    most_choices: int = 0
    median_choices: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.wins, self.scores = [0.0] * self.simulation.seats, [0] * self.simulation.seats

    @property
    def games(self) -> int:
        return len(self.decisions)

    def add(self, game: SimulatedGame) -> None:
        if game.scores is None:
            self.failures[game.reason] += 1
            return
        self.decisions.append(len(game.choices))
        self.most_choices = max(self.most_choices, *game.choices)
        self.median_choices.append(median(game.choices))
        winners = game.ranks.count(1)
        for seat, rank in enumerate(game.ranks):
            self.wins[seat] += (rank == 1) / winners
            self.scores[seat] += game.scores[seat]
        self.reasons[game.reason] += 1

    def facts(self) -> dict[str, Any]:
        """Return the output of `--json`."""
        return {
            "title": self.simulation.title,
            "bots": [entrant.name for entrant in self.simulation.entrants],
            "seats": self.simulation.seats,
            "seed": self.simulation.seed,
            "games": self.games,
            "forfeited": self.failures.total(),
            "decisions_per_game": {
                "mean": mean(self.decisions),
                "least": min(self.decisions),
                "most": max(self.decisions),
            },
            "legal_actions": {"median": median(self.median_choices), "most": self.most_choices},
            "wins_by_seat": self.wins,
            "mean_score_by_seat": [score / self.games for score in self.scores],
            "ends": dict(self.reasons),
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(sum(self.decisions) / self.seconds) if self.seconds else None,
        }
