"""How sure one can be: intervals of shares, and Elo ratings with theirs."""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]
Duel = tuple[str, str, float]
"""Two names, and what the first made of it: 1 a win, 0.5 a draw, 0 a loss."""

SURE = 1.96  # standard deviations around 95 % of a normal distribution
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


def elo_errors(names: Sequence[str], duels: Sequence[Duel]) -> dict[str, float]:
    """Half the width of each rating's 95 % interval, from how much the results say about it."""
    ratings, (_, met) = elo(names, duels), _met(names, duels)
    size = len(names)
    # Ratings are known up to a common shift; that they are 0 on average is told by the first term.
    known = [[1 / size] * size for _ in names]
    for (one, other), games in met.items():
        row, column = names.index(one), names.index(other)
        share = 1 / (1 + math.exp((ratings[other] - ratings[one]) / SCALE))
        told = games * share * (1 - share)
        known[row][row] += told
        known[row][column] -= told
    doubt = _inverse(known)
    return {
        name: SURE * SCALE * math.sqrt(max(0.0, doubt[at][at] - 1 / size)) for at, name in enumerate(names)
    }


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """By elimination; the matrix is positive definite, so no pivot is zero."""
    size = len(matrix)
    rows = [[*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
