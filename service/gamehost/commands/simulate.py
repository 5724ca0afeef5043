"""`shedu simulate`: plays many games without a server, for statistics and datasets."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from gamehost.rules.catalog import CATALOG

from .arena import STOPPED, parse_bots, parse_title_options, rules_and_seats
from .console import err, fail, out, printable
from .options import AsJson, Jobs, OptionsJson

if TYPE_CHECKING:
    from gamehost.dataset import ParquetRecorder
    from gamehost.simulate import Simulation, Summary

Title = Annotated[str, typer.Argument(help="A title, as `shedu titles` lists them.")]
Games = Annotated[int, typer.Option(min=1, help="Total number of games.")]
Bots = Annotated[
    str,
    typer.Option(
        help="The bots, separated by commas: levels (random, greedy, search:200) or files (my_bot.py). "
        "Fewer bots than seats take several seats; seats rotate."
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="Number of seats.", show_default="the fewest the title allows")
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same games, on any number of cores.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write every decision to this Parquet file.")]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        epilog="A search with a time budget (search, search:0.5s) depends on the speed of the machine, so "
        "its games differ from run to run; with a number of iterations (search:200) they do not.\n\n"
        "After Ctrl-C the file holds the games so far.\n\n"
        "Examples:\n\n    shedu simulate tides --games 1000\n\n"
        "    shedu simulate tides --games 100 --bots greedy,search:200 --seed 7 --json\n\n"
        "    shedu simulate stone_age --games 1000 --bots greedy --options '{\"maxRounds\": 5}' "
        "--out games.parquet"
    )(simulate)


def simulate(
    title: Title,
    games: Games = 100,
    bots: Bots = "random",
    seats: Seats = None,
    seed: Seed = 1,
    options: OptionsJson = "{}",
    jobs: Jobs = None,
    to: Out = None,
    as_json: AsJson = False,
) -> None:
    """Play games between bots without a server, print statistics, and optionally record every decision."""
    from gamehost.simulate import Summary

    summary = Summary(make_simulation(title, games, bots, seats, seed, options))
    with open_recorder(to) as recorder:
        finished = play_games(summary, jobs or os.cpu_count() or 1, recorder)
    if not finished:
        written = f", and wrote {recorder.games} to {to}" if recorder is not None else ""
        why = f"after {summary.games + summary.failures.total()} of {games} games{written}"
        err.print("[bold yellow]stopped[/]", escape(printable(why)), highlight=False, soft_wrap=True)
    show_summary(summary, as_json)
    if not finished:
        raise typer.Exit(STOPPED)
    if not summary.games:
        fail("no game was finished")


@contextmanager
def open_recorder(path: Path | None) -> Iterator[ParquetRecorder | None]:
    """Yield the recorder for --out, or None. Fails before the first game if the file cannot be written."""
    if path is None:
        yield None
        return
    from gamehost.dataset import SUFFIX, NoPyarrow, ParquetRecorder

    if path.suffix != SUFFIX:
        fail(f"--out: {path} does not end in {SUFFIX}; Parquet is the only format")
    try:
        with ParquetRecorder(path) as recorder:
            yield recorder
    except NoPyarrow as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror or error}")


def play_games(summary: Summary, processes: int, recorder: ParquetRecorder | None) -> bool:
    """Play the games and return whether all were played, that is, whether there was no Ctrl-C."""
    from gamehost.dataset import decision_row
    from gamehost.simulate import simulated_games

    asked, began = summary.simulation, time.perf_counter()
    games = simulated_games(asked, processes, None if recorder is None else decision_row)
    name, hidden = CATALOG[asked.title].name, not sys.stderr.isatty()
    try:
        for game in track(games, total=len(asked), description=name, console=err, disable=hidden):
            if recorder is not None:
                recorder.add(game)
            summary.add(game)
            summary.seconds = time.perf_counter() - began
    except KeyboardInterrupt:
        return False
    return True


def make_simulation(
    title: str, games: int, bots: str, seats: int | None, seed: int, options: str
) -> Simulation:
    from gamehost.simulate import Simulation

    rules, count = rules_and_seats(title, seats)
    entrants = parse_bots(title, bots)
    if not entrants:
        fail("--bots: name at least one")
    return Simulation(title, parse_title_options(rules, options), entrants, count, games, seed)


def show_summary(summary: Summary, as_json: bool) -> None:
    if summary.games and as_json:
        print(json.dumps(summary.facts()))
    elif summary.games:
        out.print(summary_table(summary))
    for failure, count in summary.failures.items():
        err.print(
            f"[bold red]forfeited {count}:[/]", escape(printable(failure)), highlight=False, soft_wrap=True
        )


def summary_table(summary: Summary) -> Table:
    facts = summary.facts()
    name, bots = CATALOG[facts["title"]].name, escape(printable(", ".join(facts["bots"])))
    grid = Table(
        "statistic", "value", title=f"{name}: {facts['games']} games of {bots}, seed {facts['seed']}"
    )
    length, legal = facts["decisions_per_game"], facts["legal_actions"]
    grid.add_row("decisions per game", f"{length['mean']:.1f}  (from {length['least']} to {length['most']})")
    grid.add_row("legal actions", f"median {legal['median']:g}, at most {legal['most']}")
    for seat, (wins, score) in enumerate(
        zip(facts["wins_by_seat"], facts["mean_score_by_seat"], strict=True)
    ):
        grid.add_row(
            f"seat {seat}", f"{wins / facts['games']:.1%} of the wins, {score:.1f} points on average"
        )
    grid.add_row("ends", ", ".join(f"{reason} {count}" for reason, count in sorted(facts["ends"].items())))
    grid.add_row("decisions per second", f"{facts['decisions_per_second']:,}")
    return grid
