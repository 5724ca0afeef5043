"""`shedu ladder`: a season of rated games among bots, with a report."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from gamehost.rules.catalog import CATALOG

from .arena import (
    Bots,
    DecisionSeconds,
    Seats,
    Seed,
    Server,
    Title,
    check_plot,
    make_season,
    open_referee,
    play_season,
    with_progress,
)
from .console import err, fail, out, printable
from .options import AsJson, CallerTokenFile, Jobs, OptionsJson

if TYPE_CHECKING:
    from gamehost.arena.ladder import LadderSeason

LadderGames = Annotated[int, typer.Option("--games", min=1, help="Games per pairing; seats rotate.")]
LadderPlot = Annotated[
    Path | None,
    typer.Option("--plot", help="Draw ratings and the matrix of wins into this image."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        epilog="Examples:\n\n    shedu ladder --title tides --bots greedy,my_bot.py --plot ladder.png\n\n"
        "    shedu ladder --title tigris --bots greedy,my_bot.py --games 20 --server localhost:50051 --json"
    )(ladder)


def ladder(
    title: Title,
    bots: Bots,
    games: LadderGames = 50,
    seed: Seed = 1,
    seats: Seats = None,
    options: OptionsJson = "{}",
    jobs: Jobs = None,
    plot: LadderPlot = None,
    as_json: AsJson = False,
    server: Server = None,
    token_file: CallerTokenFile = None,
    decision_seconds: DecisionSeconds = 60.0,
) -> None:
    """Play a season among bots, files and hosted levels, and rate them as the service rates players: game by
    game, with a confidence that grows. With --server the games are played there."""
    from gamehost.arena.ladder import LadderSeason

    season = make_season(title, bots, games, seed, seats, options, logged=False)
    if plot is not None:
        check_plot(plot)
    found = LadderSeason(season)
    with (
        open_referee(server, token_file, title) as referee,
        closing(play_season(season, jobs, referee, decision_seconds)) as playing,
    ):
        try:
            for played in with_progress(season, playing):
                found.add(played)
        except KeyboardInterrupt:
            err.print(f"[bold yellow]stopped[/] after {found.games} of {len(season)} games")
    if as_json:
        print(json.dumps(found.facts()))
    else:
        out.print(ladder_table(found))
    if plot is not None:
        draw_season(found, plot)


def draw_season(found: LadderSeason, path: Path) -> None:
    """Draw the plot, or fail with a message."""
    from gamehost.arena.ladder_plot import save_ladder

    try:
        save_ladder(found, path)
    except (OSError, ValueError) as error:
        fail(f"cannot write {path}: {error}")


def ladder_table(found: LadderSeason) -> Table:
    """Return the table of ratings and of wins against each other."""
    names = found.order
    grid = Table(title=f"{CATALOG[found.season.title].name}: {found.games} games on the ladder")
    grid.box, grid.padding, grid.pad_edge = SIMPLE_HEAD, (0, 1, 0, 0), False
    grid.caption = "Numbers: % won by the bot of the row against that of the column."
    grid.add_column("bot", overflow="fold")
    for column in ("games", "rating ±95 %", *(str(number) for number in range(1, len(names) + 1))):
        grid.add_column(column, justify="right", no_wrap=True)
    for number, name in enumerate(names, 1):
        last = found.curves[name][-1]
        wins = [won(found, name, other) for other in names]
        shown = f"{last.points} ±{2 * last.points_deviation}"
        grid.add_row(f"{number} {escape(printable(name))}", f"{last.games}", shown, *wins)
    return grid


def won(found: LadderSeason, one: str, other: str) -> str:
    """Return the share of games that one bot has won against another, in percent."""
    meetings = found.meetings[one, other]
    return f"{100 * meetings.points / meetings.games:.0f}" if meetings.games else "–"
