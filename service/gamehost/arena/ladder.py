"""A season on the ladder: how the rating of each bot develops, and who wins against whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from gamehost.play.players.rating_model import Rating, rated

from .fixtures import Season
from .match import GameResult
from .ratings import wilson


@dataclass(slots=True)
class Meetings:
    """The results of one bot against another: a shared place is half a win."""

    games: int = 0
    points: float = 0.0

    def add(self, mine: int, theirs: int) -> None:
        """Count a game in which these ranks were reached."""
        self.games += 1
        self.points += 0.5 if mine == theirs else float(mine < theirs)


@dataclass(slots=True)
class LadderSeason:
    """The ratings of a season, computed game by game as the service computes those of its players.

    `curves` has the ratings of each bot, beginning with that of a new player.
    """

    season: Season
    curves: dict[str, list[Rating]] = field(default_factory=dict)
    meetings: dict[tuple[str, str], Meetings] = field(default_factory=lambda: defaultdict(Meetings))
    games: int = 0
    _early: dict[int, GameResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.curves = {entrant.name: [Rating()] for entrant in self.season.entrants}

    def add(self, played: GameResult) -> None:
        """Count a game. Processes end them in any order; they are rated by rounds, in which all meet once."""
        lineup, round_number = divmod(played.fixture.number, self.season.games)
        self._early[round_number * (len(self.season) // self.season.games) + lineup] = played
        while (following := self._early.pop(self.games, None)) is not None:
            self._rate(following)
            self.games += 1

    def _rate(self, played: GameResult) -> None:
        names = [player.name for player in played.fixture.players]
        if len(set(names)) < len(names):
            return  # a bot on two seats plays against itself
        ranks = list(zip(names, played.ranks, strict=True))
        after = rated({name: self.curves[name][-1] for name in names}, ranks)
        for name, rating in after.items():
            self.curves[name].append(rating)
        for (one, mine), (other, theirs) in permutations(ranks, 2):
            self.meetings[one, other].add(mine, theirs)

    @property
    def order(self) -> list[str]:
        """The bots, the best first, in the order of leaderboards."""
        return sorted(self.curves, key=lambda name: -self.curves[name][-1].leaderboard_score)

    def facts(self) -> dict[str, Any]:
        """Return the output of `--json`."""
        return {
            "title": self.season.title,
            "seats": self.season.seats,
            "seed": self.season.seed,
            "games": self.games,
            "bots": [self._facts_of(name) for name in self.order],
        }

    def _facts_of(self, name: str) -> dict[str, Any]:
        last = self.curves[name][-1]
        return {
            "name": name,
            "games": last.games,
            "rating": last.points,
            "rating_interval": list(interval(last)),
            "curve": [rating.points for rating in self.curves[name]],
            "against": {
                other: meeting_facts(self.meetings[name, other])
                for other in self.order
                if other != name and self.meetings[name, other].games
            },
        }


def meeting_facts(meetings: Meetings) -> Mapping[str, Any]:
    """Return the win rate of one bot against another, with its 95 % interval."""
    return {
        "games": meetings.games,
        "win_rate": round(meetings.points / meetings.games, 4),
        "win_rate_interval": [round(end, 4) for end in wilson(meetings.points, meetings.games)],
    }


def interval(rating: Rating) -> Sequence[int]:
    """Return the interval that has the strength with a probability of 95 %."""
    return rating.points - 2 * rating.points_deviation, rating.points + 2 * rating.points_deviation
