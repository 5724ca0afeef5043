"""Draws win rates and scores with matplotlib."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gamehost.extras import install_command
from gamehost.rules.catalog import CATALOG

from .results import Standings


class PlotError(Exception):
    """The plot cannot be made; the message says why."""


def figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PlotError(
            f"--plot needs matplotlib, which is not installed: {install_command('plot')}"
        ) from error
    return Figure


def check_path(path: Path) -> None:
    """Raise PlotError if the plot could not be written to `path`."""
    kinds = sorted(figure_class()().canvas.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in kinds:
        raise PlotError(f"--plot: {path} has no image suffix; use one of .{', .'.join(kinds)}")
    if not path.parent.is_dir():
        raise PlotError(f"--plot: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK) or path.is_dir():
        raise PlotError(f"--plot: cannot write {path}")


def save(standings: Standings, path: Path) -> None:
    draw_figure(standings).savefig(path)


def draw_figure(standings: Standings) -> Any:
    figure = figure_class()(figsize=(10, 4.5), layout="constrained")
    rates, scores = figure.subplots(1, 2)
    _rates(rates, standings)
    _scores(scores, standings)
    figure.suptitle(f"{CATALOG[standings.season.title].name}: {len(standings.games)} games")
    return figure


def _rates(axes: Any, standings: Standings) -> None:
    names = list(standings.records)
    shares = [record.points / record.games for record in standings.records.values()]
    ends = [record.interval for record in standings.records.values()]
    below = [share - low for share, (low, _) in zip(shares, ends, strict=True)]
    above = [high - share for share, (_, high) in zip(shares, ends, strict=True)]
    axes.bar(names, shares, yerr=[below, above], capsize=4)
    axes.set(ylim=(0, 1.05), ylabel="share of the wins", title="win rate (95 %)")


def _scores(axes: Any, standings: Standings) -> None:
    """Draw the histograms of all bots with the same bins, so that they can be compared."""
    scores = [score for record in standings.records.values() for score in record.scores]
    ends = (min(scores), max(scores) + 1) if scores else None
    for name, record in standings.records.items():
        if record.scores:
            axes.hist(record.scores, bins=20, range=ends, alpha=0.6, label=name)
    axes.set(xlabel="score", ylabel="games", title="scores")
    if scores:
        axes.legend()
