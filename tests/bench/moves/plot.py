"""Plots the CPU time of calls: a panel for each transport, with a bar for each title."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Cost:
    """The CPU microseconds of calls over a transport. `rules` and `encoding` are parts of `play`."""

    title: str
    transport: str
    echo: float
    play: float
    legal: float
    rules: float
    encoding: float
    aim: float | None  # of `play`, in echoes

    @property
    def rest(self) -> float:
        return max(0.0, self.play - self.echo - self.rules - self.encoding)


PLAY_PARTS = (
    ("echo", "transport: a bare echo", "lightgrey"),
    ("rules", "rules: decide, view", "tab:green"),
    ("encoding", "encoding of events and view", "tab:purple"),
    ("rest", "all else: admission, store, log, event loop", "tab:blue"),
)
HEIGHT = 0.4  # of each of the two bars of a title


def draw(costs: list[Cost], file: Path) -> None:
    """Draws PlayAction, split into its parts, above ListLegalActions. A red line is the aim of PlayAction."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    transports = list(dict.fromkeys(cost.transport for cost in costs))
    titles = list(dict.fromkeys(cost.title for cost in costs))
    size = 11, 1.5 + len(transports) * (0.4 + 0.4 * len(titles))
    chart, panels = pyplot.subplots(
        len(transports), sharex=True, squeeze=False, figsize=size, layout="constrained"
    )
    for axes, transport in zip(panels[:, 0], transports, strict=True):
        draw_panel(axes, transport, [cost for cost in costs if cost.transport == transport])
    panels[-1, 0].set_xlabel("CPU time of the server, µs a call")
    chart.suptitle("Where the time of a call goes")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    chart.legend(handles, labels, loc="outside lower center", ncols=3)
    chart.savefig(file, dpi=120)
    pyplot.close(chart)


def draw_panel(axes: Any, transport: str, costs: list[Cost]) -> None:
    places = list(range(len(costs)))
    above, below = [place - HEIGHT / 2 for place in places], [place + HEIGHT / 2 for place in places]
    left = [0.0] * len(costs)
    for name, label, color in PLAY_PARTS:
        widths = [
            min(getattr(cost, name), cost.play - start) for cost, start in zip(costs, left, strict=True)
        ]
        axes.barh(above, widths, HEIGHT, left, color=color, label=label)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.barh(below, [cost.legal for cost in costs], HEIGHT, color="tab:orange", label="ListLegalActions")
    for place, cost in zip(above, costs, strict=True):
        aim = "" if cost.aim is None else f" (aim {cost.aim:g})"
        axes.text(
            cost.play, place, f" {cost.play:.0f} µs = {cost.play / cost.echo:.1f} echoes{aim}", va="center"
        )
        if cost.aim is not None:
            axes.vlines(cost.aim * cost.echo, place - HEIGHT / 2, place + HEIGHT / 2, color="red")
    axes.set(yticks=places, yticklabels=[cost.title for cost in costs], title=f"PlayAction over {transport}")
    axes.invert_yaxis()
    axes.margins(x=0.25)  # room for the texts at the ends of the bars
