"""Solves zero-sum matrix games: two players choose at the same time."""

from __future__ import annotations

from collections.abc import Sequence

Payoffs = Sequence[Sequence[float]]
"""The gain of the row player, by row and column."""

TINY = 1e-12  # below this, a coefficient counts as zero


def solve(payoffs: Payoffs) -> tuple[float, list[float]]:
    """Return the value of the game and the probability of each row in the row player's optimal strategy."""
    lows = [min(row) for row in payoffs]
    value = max(lows)
    if value >= min(map(max, zip(*payoffs, strict=True))):  # a saddle point: a pure strategy is optimal
        best = lows.index(value)
        return value, [float(row == best) for row in range(len(payoffs))]
    return _simplex(payoffs)


def _simplex(payoffs: Payoffs) -> tuple[float, list[float]]:
    """Solve the column player's linear program with the simplex tableau; the row player's mix is its dual.

    With all payoffs shifted to be positive: maximise sum(y) subject to payoffs * y <= 1. The value of the
    shifted game is 1 / sum(y).
    """
    shift = 1 - min(map(min, payoffs))
    height, width = len(payoffs), len(payoffs[0])
    rows = [
        [*(value + shift for value in row), *(float(at == other) for other in range(height)), 1.0]
        for at, row in enumerate(payoffs)
    ]
    goal = [-1.0] * width + [0.0] * (height + 1)
    basis = [width + row for row in range(height)]
    while (enters := next((at for at in range(width + height) if goal[at] < -TINY), None)) is not None:
        leaves = _leaving(rows, basis, enters)
        basis[leaves] = enters
        rows[leaves] = [value / rows[leaves][enters] for value in rows[leaves]]
        for at in range(height):
            if at != leaves:
                rows[at] = _eliminated(rows[at], rows[leaves], enters)
        goal = _eliminated(goal, rows[leaves], enters)
    total = goal[-1]
    return 1 / total - shift, [price / total for price in goal[width:-1]]


def _leaving(rows: Sequence[Sequence[float]], basis: Sequence[int], enters: int) -> int:
    """Return the row with the smallest ratio, and among ties the lowest variable (Bland's rule, which
    prevents cycling)."""
    ratios = [(row[-1] / row[enters], basis[at], at) for at, row in enumerate(rows) if row[enters] > TINY]
    return min(ratios)[2]


def _eliminated(row: Sequence[float], pivot: Sequence[float], column: int) -> list[float]:
    factor = row[column]
    return [value - factor * other for value, other in zip(row, pivot, strict=True)] if factor else [*row]
