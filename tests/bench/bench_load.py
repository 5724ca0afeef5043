"""Measures the real service with scheduled moves: rates, latencies, costs of moves, games and watchers."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.load import page, stages
from bench.load.plot import draw

FULL = stages.Plan(
    arrangements=(
        *(("durable", "grpc", processes) for processes in (1, 2, 3)),
        *(("durable", "rest", processes) for processes in (1, 2)),
        *(("memory", transport, 1) for transport in ("grpc", "rest")),
        ("memory", "grpc", 2),
    )
)
QUICK = stages.Plan(
    seconds=1.5,
    arrangements=(("durable", "grpc", 1), ("durable", "rest", 1)),
    shares=(0.5, 0.8),
    games=(100, 1_000),
    watchers=200,
    titles=("tides", "tigris"),
)
SMOKE = replace(
    QUICK,
    seconds=0.6,
    at_once=20,
    arrangements=(("memory", "grpc", 1),),
    shares=(0.3,),
    games=(20,),
    watchers=20,
    watched_over=("rest",),
    titles=("tides",),
    title_games=5,
)

out, err = Console(), Console(stderr=True)
app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


@app.command(
    epilog="Examples:\n\n    python3 tests bench load --quick\n\n"
    "    python3 tests bench load --page k8s/README.md --plot load.png\n\n"
    "    python3 tests bench load --only rates --seconds 10 --bound 20 --json"
)
def main(
    seconds: Annotated[float | None, typer.Option(min=0.5, help="Duration of each step.")] = None,
    bound: Annotated[float, typer.Option(min=1, help="The highest p99 allowed, in milliseconds.")] = 50.0,
    drivers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    only: Annotated[str, typer.Option(help="One part: rates, growth, watchers or titles.")] = "",
    quick: Annotated[bool, typer.Option(help="A short run of about a minute.")] = False,
    smoke: Annotated[bool, typer.Option(help="A test run of a few seconds.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    sheet: Annotated[
        Path | None, typer.Option("--page", help="Rewrite the marked part of this Markdown page.")
    ] = None,
    remark: Annotated[str, typer.Option(help="A remark about the run, for the page.")] = "",
    plot: Annotated[Path | None, typer.Option(help="Draw rate and p99 into this PNG.")] = None,
) -> None:
    """Measures the highest rate of the service, and the cost of a move.

    Moves start by a schedule, whether earlier ones are answered or not, and are timed from their scheduled
    start. Everything runs on this machine; the share of the driver is reported. Takes about seven minutes.
    """
    plan = SMOKE if smoke else QUICK if quick else FULL
    plan = chosen(replace(plan, bound=bound, drivers=drivers, seconds=seconds or plan.seconds), only)
    figures = measure(plan)
    text = page.page(figures, plan, time.strftime("%Y-%m-%d"), remark)
    if as_json:
        print(json.dumps({"plan": asdict(plan), **asdict(figures)}))
    else:
        out.print(Markdown(text) if out.is_terminal else text, markup=False, soft_wrap=not out.is_terminal)
    if sheet:
        sheet.write_text(page.rewritten(sheet.read_text(), text))
    if plot:
        draw(figures, plan, plot)


def chosen(plan: stages.Plan, only: str) -> stages.Plan:
    parts = {"rates": "arrangements", "growth": "games", "watchers": "watchers", "titles": "titles"}
    if not only:
        return plan
    if only not in parts:
        raise typer.BadParameter(f"{only} is not one of {', '.join(parts)}")
    left = {field: 0 if field == "watchers" else () for name, field in parts.items() if name != only}
    return replace(plan, **left)


def measure(plan: stages.Plan) -> stages.Figures:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=stages.count(plan))
        return stages.measured(plan, lambda done: bar.update(task, advance=1, description=done))


if __name__ == "__main__":
    app()
