"""Two players choose at once, what one wins the other loses: the value, and how to mix."""

from __future__ import annotations

from collections.abc import Sequence

Payoffs = Sequence[Sequence[float]]
"""To the row player, by row and column."""

TINY = 1e-12


def solve(payoffs: Payoffs) -> tuple[float, list[float]]:
    """The value of the game, and with what probability the row player takes each row."""
    lows = [min(row) for row in payoffs]
    value = max(lows)
    if value >= min(map(max, zip(*payoffs, strict=True))):  # a saddle point: no need to mix
        best = lows.index(value)
        return value, [float(row == best) for row in range(len(payoffs))]
    return _simplex(payoffs)


def _simplex(payoffs: Payoffs) -> tuple[float, list[float]]:
    """The linear program of the column player, by tableau; the row player's mix is its dual.

    With all payoffs positive: most y with payoffs * y <= 1; the value is 1 / sum(y).
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
    """The tightest row; of several the one whose variable comes first (Bland), so that it never cycles."""
    ratios = [(row[-1] / row[enters], basis[at], at) for at, row in enumerate(rows) if row[enters] > TINY]
    return min(ratios)[2]


def _eliminated(row: Sequence[float], pivot: Sequence[float], column: int) -> list[float]:
    factor = row[column]
    return [value - factor * other for value, other in zip(row, pivot, strict=True)] if factor else [*row]
