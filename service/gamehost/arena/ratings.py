"""Statistics: confidence intervals of win rates, and Elo ratings with theirs."""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]
Duel = tuple[str, str, float]
"""Two names and the result of the first: 1 for a win, 0.5 for a draw, 0 for a loss."""

Z_95 = 1.96  # standard deviations that cover 95 % of a normal distribution
ROUNDS = 60  # iterations until the ratings have converged
SCALE = 400 / math.log(10)  # Elo points per unit of natural log strength


def wilson(points: float, games: int) -> Interval:
    """Return the 95 % Wilson score interval of a win rate."""
    if not games:
        return 0.0, 1.0
    share, square = points / games, Z_95 * Z_95
    middle = (share + square / (2 * games)) / (1 + square / games)
    half_width = (
        Z_95 / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    )
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


def elo(names: Sequence[str], duels: Sequence[Duel]) -> dict[str, float]:
    """Return the maximum-likelihood ratings of the Bradley-Terry model, with mean 0.

    Every pair gets one extra draw; otherwise a bot that never lost would have an infinite rating.
    """
    points, met = _totals(names, duels)
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


def _totals(
    names: Sequence[str], duels: Sequence[Duel]
) -> tuple[dict[str, float], dict[tuple[str, str], int]]:
    """Return the points of each name and the number of games of each pair, with the extra draws."""
    met = {(one, other): 1 for one in names for other in names if one != other}
    points = dict.fromkeys(names, (len(names) - 1) / 2)
    for one, other, won in duels:
        met[one, other] += 1
        met[other, one] += 1
        points[one] += won
        points[other] += 1 - won
    return points, met


def elo_errors(names: Sequence[str], duels: Sequence[Duel]) -> dict[str, float]:
    """Return half the width of each rating's 95 % interval, from the inverse of the Fisher information."""
    ratings, (_, met) = elo(names, duels), _totals(names, duels)
    size = len(names)
    # The ratings are determined only up to a common shift, so the information matrix is singular. The first
    # term adds the constraint that their mean is 0; its contribution is subtracted again below.
    information = [[1 / size] * size for _ in names]
    for (one, other), games in met.items():
        row, column = names.index(one), names.index(other)
        share = 1 / (1 + math.exp((ratings[other] - ratings[one]) / SCALE))
        weight = games * share * (1 - share)
        information[row][row] += weight
        information[row][column] -= weight
    covariance = _inverse(information)
    return {
        name: Z_95 * SCALE * math.sqrt(max(0.0, covariance[at][at] - 1 / size))
        for at, name in enumerate(names)
    }


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a matrix by Gauss-Jordan elimination; it is positive definite, so no pivot is zero."""
    size = len(matrix)
    rows = [[*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
