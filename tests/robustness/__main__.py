"""`python3 tests robustness`: runs traffic with faults from a seed, and prints a report."""

from __future__ import annotations

import json
import secrets
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from .bug_detection import report_detection
from .faults import FAULTS
from .planted_bugs import PLANTS
from .report import Report
from .run import Plan, Progress, Result, run

MOVES_OF_A_RUN = 10_000  # then the next run begins, with the next seed
TOPOLOGIES = ("standalone", "embedded", "sentinel", "cluster")
err = Console(stderr=True)
app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)

EXAMPLES = (
    "Examples:\n\n    python3 tests robustness --minutes 2\n\n"
    "    python3 tests robustness --seed 7 --moves 100000 --report report.md\n\n"
    "    python3 tests robustness --seed 7 --faults service_kill,dropped_reply --json facts.json\n\n"
    "    python3 tests robustness --plant loses_moves --faults drain --minutes 0.3\n\n"
    "    python3 tests robustness --prove\n\n"
    f"Faults: {', '.join(FAULTS)}.\n\nBugs to plant: {', '.join(PLANTS)}."
)


@app.command(epilog=EXAMPLES)
def main(
    seed: Annotated[int | None, typer.Option(help="Seed of the first run; random if omitted.")] = None,
    minutes: Annotated[float, typer.Option(help="Duration of each run.")] = 0.0,
    moves: Annotated[int, typer.Option(help="Number of acknowledged moves, over all runs.")] = 0,
    faults: Annotated[
        str, typer.Option(help="Comma-separated faults; all by default, `none` for no faults.")
    ] = "",
    topology: Annotated[
        str, typer.Option(help=f"Topology of Redis: {', '.join(TOPOLOGIES)}.")
    ] = "standalone",
    plant: Annotated[str, typer.Option(help="Comma-separated bugs to plant in the service.")] = "",
    proving: Annotated[
        bool,
        typer.Option("--prove", help="Plant each bug alone under each fault, and check that it is found."),
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the report as JSON to this file.")
    ] = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="Write the report as Markdown to this file.")
    ] = None,
) -> None:
    """Runs players, bots and watchers on three processes of the service and a real Redis while faults occur.

    The seed decides which faults come when, and who plays what. Afterwards validators compare what clients
    saw with what is in the store. Exits with 1 if they find a violation.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that child processes are ended
    chosen = wanted(faults, topology)
    if proving:
        sys.exit(report_detection(chosen, topology, first_seed(seed), err))
    plan = Plan(first_seed(seed), chosen, moves, minutes * 60 if minutes or moves else 60.0, topology, plant)
    for results in all_runs(plan, moves):
        report = Report(results, command(plan, minutes, moves))
        text = "\n".join(report.lines())
        if report_file:
            report_file.write_text(f"{text}\n")
        if json_file:
            json_file.write_text(json.dumps(report.facts(), indent=1))
    print(text)
    sys.exit(not report.good)


def all_runs(plan: Plan, moves: int) -> Iterator[list[Result]]:
    """Runs with consecutive seeds until all moves are made; yields all results so far after each run."""
    results: list[Result] = []
    made = 0
    with bar() as shown:
        task = shown.add_task(f"seed {plan.seed}", total=moves or None)
        while not results or made < moves:
            part = min(moves - made, MOVES_OF_A_RUN) if moves else 0
            this = Plan(plan.seed + len(results), plan.faults, part, plan.seconds, plan.topology, plan.plant)
            results.append(one_run(this, made, shown, task))
            made += results[-1].history.moves
            err.print(f"seed {this.seed}: {made:,} moves, {results[-1].verdict.kinds or 'all good'}")
            yield results


def one_run(plan: Plan, made: int, shown: Bar, task: object) -> Result:
    def tell(moves: int, what: str) -> None:
        shown.update(task, completed=made + moves, description=f"seed {plan.seed} {what:18}")  # type: ignore[arg-type]

    with tempfile.TemporaryDirectory(prefix="shedu-robustness-") as folder:
        return uvloop.run(run(plan, Path(folder) / "run", Progress(tell)))


def wanted(faults: str, topology: str) -> tuple[str, ...]:
    if topology not in TOPOLOGIES:
        raise typer.BadParameter(f"{topology} is not one of {', '.join(TOPOLOGIES)}")
    given = [] if faults == "none" else faults.split(",") if faults else list(FAULTS)
    if unknown := [name for name in given if name not in FAULTS]:
        raise typer.BadParameter(f"{', '.join(unknown)} is not one of {', '.join(FAULTS)}")
    here = [name for name in given if topology in FAULTS[name].topologies]
    for name in here:
        if why := FAULTS[name].missing():
            err.print(f"[bold red]{name} IS LEFT OUT:[/] {why}")
    return tuple(name for name in here if not FAULTS[name].missing())


def first_seed(seed: int | None) -> int:
    return secrets.randbelow(1_000_000) if seed is None else seed


def command(plan: Plan, minutes: float, moves: int) -> str:
    """Returns the command that repeats this run."""
    words = ["python3 tests robustness", f"--seed {plan.seed}"]
    words += [f"--minutes {minutes:g}"] * bool(minutes) + [f"--moves {moves}"] * bool(moves)
    words += [f"--faults {','.join(plan.faults) or 'none'}"]
    words += [f"--topology {plan.topology}"] * (plan.topology != "standalone")
    return " ".join(words + [f"--plant {plan.plant}"] * bool(plan.plant))


def bar() -> Bar:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Bar(*columns, console=err, disable=not sys.stderr.isatty())


if __name__ == "__main__":
    app()
