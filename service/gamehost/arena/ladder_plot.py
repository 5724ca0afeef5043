"""Draws a season on the ladder: ratings over games with their confidence, and the matrix of wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamehost.rules.catalog import CATALOG

from .ladder import LadderSeason
from .plot import figure_class


def save_ladder(ladder: LadderSeason, path: Path) -> None:
    """Write the plot as an image."""
    draw_ladder(ladder).savefig(path)


def draw_ladder(ladder: LadderSeason) -> Any:
    """Return the figure."""
    figure = figure_class()(figsize=(11, 4.8), layout="constrained")
    curves, matrix = figure.subplots(1, 2)
    _curves(curves, ladder)
    _matrix(matrix, ladder)
    figure.suptitle(f"{CATALOG[ladder.season.title].name}: {ladder.games} games on the ladder")
    return figure


def _curves(axes: Any, ladder: LadderSeason) -> None:
    for name in ladder.order:
        ratings = ladder.curves[name]
        games = range(len(ratings))
        points = [rating.points for rating in ratings]
        width = [2 * rating.points_deviation for rating in ratings]
        [line] = axes.plot(games, points, label=name)
        below = [point - half for point, half in zip(points, width, strict=True)]
        above = [point + half for point, half in zip(points, width, strict=True)]
        axes.fill_between(games, below, above, color=line.get_color(), alpha=0.12)
    axes.set(xlabel="games", ylabel="rating", title="rating over games (95 %)")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.14), ncols=3, frameon=False)


def _matrix(axes: Any, ladder: LadderSeason) -> None:
    names = ladder.order
    rates = [[_rate(ladder, row, column) for column in names] for row in names]
    axes.imshow(rates, vmin=0, vmax=1, cmap="RdYlGn")
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    for row, values in enumerate(rates):
        for column, rate in enumerate(values):
            if rate == rate:  # not a number where two have not met
                axes.text(column, row, f"{100 * rate:.0f}", ha="center", va="center")
    axes.set(title="% won by the row against the column")


def _rate(ladder: LadderSeason, one: str, other: str) -> float:
    meetings = ladder.meetings[one, other] if one != other else None
    return meetings.points / meetings.games if meetings and meetings.games else float("nan")
