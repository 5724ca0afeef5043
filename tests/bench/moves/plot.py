"""Plots the CPU time of calls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """The CPU microseconds of calls of a title over a transport."""

    name: str
    echo: float
    play: float
    legal: float


def draw(costs: list[Cost], file: Path) -> None:
    """Draws a bar for each title and transport: a bare echo, the rest of PlayAction, ListLegalActions."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    chart, axes = pyplot.subplots(figsize=(9, 2 + 0.35 * len(costs)), layout="constrained")
    names = [cost.name for cost in costs]
    echo = [cost.echo for cost in costs]
    play = [max(0.0, cost.play - cost.echo) for cost in costs]
    axes.barh(names, echo, color="lightgrey", label="a bare echo")
    axes.barh(names, play, left=echo, color="tab:blue", label="PlayAction without the echo")
    whole = [cost.play for cost in costs]
    axes.barh(names, [cost.legal for cost in costs], left=whole, color="tab:orange", label="ListLegalActions")
    for place, cost in enumerate(costs):
        axes.text(cost.play + cost.legal, place, f" {cost.play / cost.echo:.1f} echoes", va="center")
    axes.invert_yaxis()
    axes.set(xlabel="CPU time of the server, µs", title="CPU time of a step of a bot")
    axes.margins(x=0.2)  # room for the texts at the ends of the bars
    chart.legend(loc="outside lower center", ncols=3)
    chart.savefig(file, dpi=120)
    pyplot.close(chart)
