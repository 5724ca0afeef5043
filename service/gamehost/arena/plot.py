"""Win rates and scores as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamehost.rules.catalog import CATALOG

from .standings import Standings


class NoMatplotlib(Exception):
    """Pictures need what is not installed; the message says how to get it."""


def figure_kind() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NoMatplotlib(
            "--plot needs matplotlib, which is not installed: pip install 'shedu-gamehost[plot]'"
        ) from error
    return Figure


def save(standings: Standings, path: Path) -> None:
    figure = figure_kind()(figsize=(10, 4.5), layout="constrained")
    rates, scores = figure.subplots(1, 2)
    _rates(rates, standings)
    _scores(scores, standings)
    figure.suptitle(f"{CATALOG[standings.season.title].name}: {len(standings.games)} games")
    figure.savefig(path)


def _rates(axes: Any, standings: Standings) -> None:
    names = list(standings.records)
    shares = [record.points / record.games for record in standings.records.values()]
    ends = [record.interval for record in standings.records.values()]
    below = [share - low for share, (low, _) in zip(shares, ends, strict=True)]
    above = [high - share for share, (_, high) in zip(shares, ends, strict=True)]
    axes.bar(names, shares, yerr=[below, above], capsize=4)
    axes.set(ylim=(0, 1.05), ylabel="share of the wins", title="win rate (95 %)")


def _scores(axes: Any, standings: Standings) -> None:
    for name, record in standings.records.items():
        if record.scores:
            axes.hist(record.scores, bins=20, alpha=0.6, label=name)
    axes.set(xlabel="score", ylabel="games", title="scores")
    axes.legend()
