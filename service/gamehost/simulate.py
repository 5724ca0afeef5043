"""Games of the arena for statistics and datasets: how long they are, who wins, and what was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import cycle
from statistics import mean, median
from typing import Any, TypeAlias

from gamehost.arena.fixtures import Fixture, Season, lineups
from gamehost.arena.match import Played, play
from gamehost.arena.players import Player
from gamehost.arena.processes import play_all
from gamehost.arena.time_limit import TimeLimit
from gamehost.play.table.table import Table
from gamehost.rules.kit import Chance, Decision

Row: TypeAlias = Mapping[str, Any]
Note: TypeAlias = Callable[[Table, Decision, Sequence[Any], int], Row]
"""What is kept of a question, its legal actions, and which of them was the answer. It travels to other
processes, so it is a plain function."""


@dataclass(frozen=True, slots=True)
class Simulation(Season):
    """So many games in all, in which lineups and seats go round."""

    def fixtures(self) -> Iterator[Fixture]:
        together = lineups(self.entrants, self.seats)
        tables = [lineup[turn:] + lineup[:turn] for turn in range(self.seats) for lineup in together]
        for number, players in zip(range(self.games), cycle(tables), strict=False):
            yield Fixture(number, self.title, self.options, players, self.seed)

    def __len__(self) -> int:
        return self.games


@dataclass(frozen=True, slots=True)
class Simulated(Played):
    choices: tuple[int, ...] = ()  # legal actions at each decision
    rows: tuple[Row, ...] = ()  # what was noted of each, if somebody wanted it


class ObservedPlayer:
    """A player over whose shoulder somebody looks."""

    def __init__(self, player: Player, tell: Callable[[Table, Decision, Sequence[Any], Any], None]) -> None:
        self._player, self._tell, self.remembers = player, tell, player.remembers

    def answer(
        self, table: Table, decision: Decision, actions: Sequence[Any], chance: Chance, seen: Sequence[Any]
    ) -> Any:
        action = self._player.answer(table, decision, actions, chance, seen)
        self._tell(table, decision, actions, action)
        return action


@dataclass(frozen=True, slots=True)
class Referee:
    """Has a fixture played, and notes every answer, if there is a way to."""

    note: Note | None = None

    def __call__(self, fixture: Fixture, watch: TimeLimit | None = None) -> Simulated:
        choices, rows = list[int](), list[Row]()

        def tell(table: Table, decision: Decision, actions: Sequence[Any], action: Any) -> None:
            choices.append(len(actions))
            if self.note is not None:
                rows.append(self.note(table, decision, actions, actions.index(action)))

        played = play(fixture, watch, lambda player: ObservedPlayer(player, tell))
        return noted(played, tuple(choices), tuple(rows))


def simulate(simulation: Simulation, processes: int, note: Note | None = None) -> Iterator[Simulated]:
    """The games in order, the same on any number of processes."""
    early, following = dict[int, Played](), 0
    for each in play_all(simulation.fixtures(), min(processes, len(simulation)), Referee(note)):
        early[each.fixture.number] = each
        while (played := early.pop(following, None)) is not None:
            following += 1
            yield played if isinstance(played, Simulated) else noted(played)


def noted(played: Played, choices: tuple[int, ...] = (), rows: tuple[Row, ...] = ()) -> Simulated:
    known = {each.name: getattr(played, each.name) for each in fields(played)}
    return Simulated(**known, choices=choices, rows=rows)


@dataclass(slots=True)
class Summary:
    """What the games come to; those that a bot forfeited are counted, and no more."""

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

    def add(self, game: Simulated) -> None:
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
        """For machines: the same numbers that the table shows."""
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
