"""How sure one can be: intervals of shares, and Elo ratings with theirs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

Interval = tuple[float, float]
Duel = tuple[str, str, float]
"""Two names, and what the first made of it: 1 a win, 0.5 a draw, 0 a loss."""

SURE = 1.96  # standard deviations around 95 % of a normal distribution
RESAMPLES = 200
ROUNDS = 60
SCALE = 400 / math.log(10)


def wilson(points: float, games: int) -> Interval:
    """Wilson's interval of a share of `games`, 95 %."""
    if not games:
        return 0.0, 1.0
    share, square = points / games, SURE * SURE
    middle = (share + square / (2 * games)) / (1 + square / games)
    reach = SURE / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def elo(names: Sequence[str], duels: Sequence[Duel]) -> dict[str, float]:
    """The ratings, 0 on average, under which these results are likeliest.

    Every pair is given one draw more than it played, so that who never lost is not rated infinite.
    """
    points, met = _met(names, duels)
    strength = dict.fromkeys(names, 1.0)
    for _ in range(ROUNDS):
        for name in names:
            games = ((other, count) for (one, other), count in met.items() if one == name)
            strength[name] = points[name] / sum(
                count / (strength[name] + strength[other]) for other, count in games
            )
        middle = math.exp(sum(map(math.log, strength.values())) / len(names))
        strength = {name: each / middle for name, each in strength.items()}
    return {name: SCALE * math.log(each) for name, each in strength.items()}


def _met(names: Sequence[str], duels: Sequence[Duel]) -> tuple[dict[str, float], dict[tuple[str, str], int]]:
    """What everybody won, and how often every two met."""
    met = {(one, other): 1 for one in names for other in names if one != other}
    points = dict.fromkeys(names, (len(names) - 1) / 2)
    for one, other, won in duels:
        met[one, other] += 1
        met[other, one] += 1
        points[one] += won
        points[other] += 1 - won
    return points, met


def elo_intervals(names: Sequence[str], games: Sequence[Sequence[Duel]], seed: int) -> Mapping[str, Interval]:
    """Where 95 % of the ratings lie when the games are drawn anew from those that were played."""
    random = Random(seed)
    drawn: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(RESAMPLES):
        duels = [duel for game in random.choices(games, k=len(games)) for duel in game]
        for name, rating in elo(names, duels).items():
            drawn[name].append(rating)
    return {name: _middle_of(sorted(ratings)) for name, ratings in drawn.items()}


def _middle_of(ratings: Sequence[float]) -> Interval:
    edge = round(len(ratings) * 0.025)
    return ratings[edge], ratings[-1 - edge]
