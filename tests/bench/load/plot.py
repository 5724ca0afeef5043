"""Plots latency by rate."""

from __future__ import annotations

from pathlib import Path

from .stages import Figures, Plan


def draw(figures: Figures, plan: Plan, file: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    chart, axes = pyplot.subplots(figsize=(8, 5))
    for row in figures.rates:
        name = f"{row['mode']} {row['transport']} × {row['processes']}"
        rates = [step["moves_per_second"] for step in row["steps"]]
        axes.plot(rates, [step["p99_ms"] for step in row["steps"]], marker="o", label=name)
    axes.axhline(plan.bound, linestyle="--", color="grey")
    axes.set(xlabel="moves a second", ylabel="p99, ms", yscale="log", title="PlayAction, open loop")
    axes.legend()
    chart.savefig(file, dpi=120)
    pyplot.close(chart)
