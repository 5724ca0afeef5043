"""Computes ratings from the ranks of a game, with the Plackett-Luce model of OpenSkill.

Why this model: games have two to four seats and end with a ranking, ties included. Elo and Glicko rate
games of two only; TrueSkill is patented and iterates until it converges. Plackett-Luce is made for rankings
of any length, has a closed form (about 75 µs for a game of two), and a test with players of known strength
shows that it finds their order. A rating is a mean and a standard deviation of the strength.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

MEAN, DEVIATION = 25.0, 25.0 / 3  # of a new player, the model's defaults
POINTS, NEW_PLAYER = 28.0, 1500  # what callers see: points per unit of the mean, and the mean of new players
LEADERBOARD_SCALE = 1000  # scores of rankings are integers


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player: mean and standard deviation, and the number of rated games."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def points(self) -> int:
        """The mean as callers see it."""
        return round(NEW_PLAYER + POINTS * (self.mean - MEAN))

    @property
    def points_deviation(self) -> int:
        """The standard deviation as callers see it."""
        return round(POINTS * self.deviation)

    @property
    def leaderboard_score(self) -> int:
        """The score by which leaderboards sort.

        Two deviations below the mean, so that nobody leads them after a few lucky games.
        """
        return round(LEADERBOARD_SCALE * (self.mean - 2 * self.deviation))


_model = PlackettLuce(mu=MEAN, sigma=DEVIATION)


def rated(before: Mapping[str, Rating], ranks: Sequence[tuple[str, int]]) -> dict[str, Rating]:
    """Return the ratings of the players of a game after it; `ranks` has the rank of each player.

    The same numbers give the same result in every process, bit for bit.
    """
    teams = [[_model.rating(mu=before[player].mean, sigma=before[player].deviation)] for player, _ in ranks]
    # The order of the teams must not matter, but it decides the order of additions, so it is fixed by the
    # seats.
    after = _model.rate(teams, ranks=[float(rank) for _, rank in ranks])
    return {
        player: Rating(team[0].mu, team[0].sigma, before[player].games + 1)
        for (player, _), team in zip(ranks, after, strict=True)
    }
