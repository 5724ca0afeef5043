"""The standings of a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import mean
from typing import Any

from .fixtures import Season
from .match import GameResult
from .ratings import Duel, Interval, elo, elo_errors, wilson


@dataclass(slots=True)
class BotResults:
    """The results of one entrant. A draw is a shared first place; `points` divides a win among them."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    points: float = 0.0
    forfeits: int = 0
    scores: list[int] = field(default_factory=list)
    decisions: int = 0
    seconds: float = 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.points, self.games)

    def add(self, played: GameResult, seat: int) -> None:
        first = played.ranks[seat] == 1
        winners = played.ranks.count(1)
        self.games += 1
        self.wins += first and winners == 1
        self.draws += first and winners > 1
        self.points += first / winners
        self.forfeits += played.forfeiter == seat
        if played.scores is not None:
            self.scores.append(played.scores[seat])
        self.decisions += played.efforts[seat].decisions
        self.seconds += played.efforts[seat].seconds

    def facts(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.games - self.wins - self.draws,
            "forfeits": self.forfeits,
            "win_rate": round(self.points / self.games, 4),
            "win_rate_interval": [round(end, 4) for end in self.interval],
            "mean_score": round(mean(self.scores), 2) if self.scores else None,
            "decisions": self.decisions,
            "decisions_per_second": round(self.decisions / self.seconds, 1) if self.seconds else None,
        }


class Standings:
    """The results of all entrants. `seconds` is the wall time of all games."""

    def __init__(self, season: Season) -> None:
        self.season, self.seconds = season, 0.0
        self.records = {entrant.name: BotResults() for entrant in season.entrants}
        self.games: list[list[Duel]] = []
        self.reasons: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def add(self, played: GameResult) -> None:
        names = [player.name for player in played.fixture.players]
        for seat, name in enumerate(names):
            self.records[name].add(played, seat)
        self.games.append(duels(names, played.ranks))
        if played.forfeiter is None:
            self.reasons[played.reason] += 1
        else:
            self.failures[played.reason] += 1

    def ratings(self) -> dict[str, tuple[float, Interval]]:
        """Return the Elo rating and its interval by name."""
        names, duels = list(self.records), [duel for game in self.games for duel in game]
        errors = elo_errors(names, duels)
        return {
            name: (rating, (rating - errors[name], rating + errors[name]))
            for name, rating in elo(names, duels).items()
        }

    def facts(self) -> dict[str, Any]:
        """Return the output of `--json`."""
        ratings, decisions = self.ratings(), sum(record.decisions for record in self.records.values())
        bots = [
            {
                "name": name,
                **record.facts(),
                "elo": round(ratings[name][0], 1),
                "elo_interval": [round(end, 1) for end in ratings[name][1]],
            }
            for name, record in self.records.items()
        ]
        return {
            "title": self.season.title,
            "seats": self.season.seats,
            "seed": self.season.seed,
            "games": len(self.games),
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(decisions / self.seconds, 1) if self.seconds else None,
            "bots": bots,
            "ends": dict(sorted(self.reasons.items())),
            "failures": dict(sorted(self.failures.items())),
        }


def duels(names: Sequence[str], ranks: Sequence[int]) -> list[Duel]:
    """Split a game into duels of its players, except those of a bot with itself."""
    two = combinations(zip(names, ranks, strict=True), 2)
    return [(one, other, _result(mine, theirs)) for (one, mine), (other, theirs) in two if one != other]


def _result(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine < theirs)
