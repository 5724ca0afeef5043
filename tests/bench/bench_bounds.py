"""Runs attacks at full scale beside moves of other callers, and compares with the bounds of k8s/README.md."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.bounds.trials import KIB, TRIALS, Plan, Trial
from bench.load.page import machine, rewritten, table

QUICK = Plan(seconds=3, watchers=200, games=500, streams=200)
NAME = "bounds"

out, err = Console(), Console(stderr=True)
app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


@app.command(
    epilog="Examples:\n\n    python3 tests bench bounds --quick\n\n"
    "    python3 tests bench bounds --only storm --only unread\n\n"
    "    python3 tests bench bounds --page k8s/README.md"
)
def main(
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(TRIALS)}; repeatable.")] = None,
    seconds: Annotated[
        float, typer.Option(min=1, help="Seconds of play of others before and during an attack.")
    ] = 8.0,
    quick: Annotated[bool, typer.Option(help="Smaller and shorter attacks.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    sheet: Annotated[
        Path | None, typer.Option("--page", help="Rewrite the marked part of this Markdown page.")
    ] = None,
    remark: Annotated[str, typer.Option(help="A remark about the run, for the page.")] = "",
) -> None:
    """Checks that moves of other callers and the memory of the process stay within their bounds under attack.

    Limits per caller are off, so that only the limits of the process apply. The attacker uses CPU time of the
    same machine. Takes about four minutes; exits with 1 if a bound was exceeded.
    """
    if unknown := set(only or ()) - set(TRIALS):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} is not one of {', '.join(TRIALS)}")
    plan = QUICK if quick else Plan(seconds=seconds)
    trials = measure(plan, only or list(TRIALS))
    text = page(trials, remark)
    if as_json:
        print(json.dumps([{**asdict(each), "slower": each.slower, "met": each.met} for each in trials]))
    else:
        out.print(text, markup=False, soft_wrap=True)
    if sheet:
        sheet.write_text(rewritten(sheet.read_text(), text, NAME))
    raise typer.Exit(int(not all(each.met for each in trials)))


def measure(plan: Plan, names: list[str]) -> list[Trial]:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    trials: list[Trial] = []
    with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=name)
            trials.append(asyncio.run(TRIALS[name](plan)))
            bar.advance(task)
    return trials


def page(trials: list[Trial], remark: str) -> str:
    headings = [
        "attack", "others' p99 before, during", "times slower", "at most", "memory each",
        "at most", "also", "kept",
    ]  # fmt: skip
    head = f"Measured {time.strftime('%Y-%m-%d')} with `python3 tests bench bounds` on {machine()}. {remark}"
    return f"{head.strip()}\n\n{table(headings, map(row, trials))}"


def row(trial: Trial) -> list[str]:
    bound = trial.bound
    name = f"{trial.units:,} {bound.attack}" if trial.units > 1 else bound.attack
    facts = ", ".join(f"{name} {told(value)}" for name, value in trial.facts.items())
    return [
        name,
        f"{trial.before_ms:.1f} ms, {trial.during_ms:.1f} ms",
        f"{trial.slower:.1f}",
        f"{bound.slower:g}",
        f"{trial.each / KIB:,.0f} KiB",
        f"{bound.holds // KIB:,} KiB/{bound.unit}",
        f"{bound.also}{f' ({facts})' if facts else ''}",
        "yes" if trial.met else "**no**",
    ]


def told(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:.1f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    app()
