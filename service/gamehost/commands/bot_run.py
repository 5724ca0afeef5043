"""`shedu bot run`: plays on a server with a bot in a file."""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from .console import err, fail, out, printable
from .options import AsJson, CallerTokenFile, ServerAddress

if TYPE_CHECKING:
    from shedu.finding import Wanted
    from shedu.reporting import Report
    from shedu.running import Bot, Runner

MAX_FAILURES_SHOWN = 10
MAX_NEW_GAMES = 16  # default limit of open games with --create

TIMES = {
    "thinking_ms": "your bot thought",
    "waiting_ms": "it was busy with other games",
    "answering_ms": "the server answered in",
}

bot_app = typer.Typer(no_args_is_help=True, help="Let your own bots play.", rich_markup_mode="rich")


@bot_app.callback()
def bot_help() -> None:
    """Let your own bots play."""


class OnFailure(StrEnum):
    FIRST = "first"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The address and the token with which to connect to the server."""

    server: str
    token: str | None
    patience: float


BotFile = Annotated[
    Path,
    typer.Argument(help="With a function decide(view, decision, actions), or a class Bot with it."),
]
Title = Annotated[str, typer.Option(help="Which title to play, as `shedu titles` lists them.")]
Name = Annotated[
    str | None, typer.Option(help="The name shown to other players.", show_default="the file's name")
]
Games = Annotated[int | None, typer.Option(min=1, help="Stop after this many games. [default: never]")]
Create = Annotated[int, typer.Option(min=0, help="Create this many games and play only those.")]
SeatCount = Annotated[
    int, typer.Option("--seats", help="Seats of new games.", show_default="the fewest the title allows")
]
Against = Annotated[
    list[str] | None, typer.Option(help="The level of a hosted bot in new games; repeat it for several.")
]
Join = Annotated[list[str] | None, typer.Option(help="The id of a game to join; repeat it for several.")]
AtOnce = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How many games to play at a time, including those that wait for other players.",
        show_default=f"{MAX_NEW_GAMES} with --create, otherwise all",
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        help="How many games to think about at a time. With more than one, decide is called from "
        "several threads, each for another game.",
    ),
]
DecisionSeconds = Annotated[
    float, typer.Option(min=0.001, help="Time limit for a decision; exceeding it is a failure.")
]
Failure = Annotated[
    OnFailure,
    typer.Option(
        help="If the bot raises, returns no legal action or is too slow: play the first one, or resign."
    ),
]
Patience = Annotated[
    float,
    typer.Option(min=0.1, help="Give up after this many seconds without a server.", show_default="never"),
]


@bot_app.command(
    name="run",
    epilog="Examples:\n\n    shedu bot run my_bot.py --title tides --create 10 --against greedy\n\n"
    "    shedu bot run my_bot.py --title tigris --server grpcs://play.example.org --token-file key\n\n"
    "    shedu bot run my_bot.py --join t7q2mxk4wz5r3ncvb6ha --json",
)
def bot_run(
    file: BotFile,
    title: Title = "",
    server: ServerAddress = "localhost:50051",
    token_file: CallerTokenFile = None,
    name: Name = None,
    games: Games = None,
    create: Create = 0,
    seats: SeatCount = 0,
    against: Against = None,
    join: Join = None,
    at_once: AtOnce = None,
    threads: Threads = 1,
    decision_seconds: DecisionSeconds = 60.0,
    on_failure: Failure = OnFailure.FIRST,
    patience: Patience = math.inf,
    as_json: AsJson = False,
) -> None:
    """Play with your own bot: every game that it is invited to or, if the server requires no identity, every
    public game of the title with a free seat. Stop it with Ctrl-C or SIGTERM. Ends with exit code 1 if
    decisions failed."""
    from shedu.finding import Wanted
    from shedu.running import Runner

    from .server_calls import call_errors_explained, token

    search = Wanted(title, (name or file.stem)[:40], create, seats, against or [], join or [])
    if search.objection:
        fail(search.objection)
    connection = ServerOptions(server, token(token_file), patience)
    at_once_limit = at_once or (MAX_NEW_GAMES if create else None)
    with redirect_stdout(sys.stderr):  # bots may print; stdout may carry the JSON of --json
        runner = Runner(
            load_bot(file, on_failure), FailureLog(), threads=threads, decision_seconds=decision_seconds
        )
        # Signals are the usual way to stop this command, not a failure: the report is printed in any case.
        with call_errors_explained(server), runner, suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(run_bot(runner, connection, search, games, at_once_limit))
    show_report(runner.report, as_json)
    raise typer.Exit(1 if runner.report.failures else 0)


def load_bot(file: Path, on_failure: OnFailure) -> Bot:
    """Load the bot and make one instance, so that a broken file is reported before the first game."""
    from shedu.deciding import BadBot, load
    from shedu.running import Bot

    try:
        make = load(file)
        make()
    except BadBot as bad:
        fail(str(bad))
    return Bot(str(file), make, on_failure.value)


def warn(message: str) -> None:
    err.print("[bold yellow]shedu:[/]", escape(printable(message)), highlight=False, soft_wrap=True)


class FailureLog:
    """Prints the first failures; a bot that always fails would flood the terminal.

    A message with a traceback is always printed: there is one for each kind of failure.
    """

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, message: str) -> None:
        self._count += 1
        if self._count <= MAX_FAILURES_SHOWN or "\n" in message:
            warn(message)
        if self._count == MAX_FAILURES_SHOWN:
            warn("further failures are counted, but not shown")


async def run_bot(
    runner: Runner, connection: ServerOptions, search: Wanted, games: int | None, at_once: int | None
) -> None:
    from shedu import aio
    from shedu.addresses import token_of
    from shedu.finding import seats
    from shedu.running import stop_on_sigterm

    stop_on_sigterm()
    known = bool(token_of(connection.token))
    total = games or search.create or len(search.join) or None
    async with aio.connect(
        connection.server, token=connection.token, patience=connection.patience, tell=warn
    ) as server:
        if search.title:
            await server.title(
                search.title
            )  # fails now for an unknown title, instead of waiting forever for invitations
        with progress(runner.report, total):
            if (source := search.source(known)) is not None:
                err.print("shedu: waiting for", escape(source), highlight=False, soft_wrap=True)
            await runner.run(seats(server, search, known), games, at_once)


@contextmanager
def progress(report: Report, total: int | None) -> Iterator[None]:
    """Show a progress bar on stderr if it is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=total)
        report.watchers.append(lambda: bar.update(task, completed=report.games))
        yield


def show_report(report: Report, as_json: bool) -> None:
    facts = report.facts()
    if as_json:
        print(json.dumps(facts))
        return
    table = Table("statistic", "value")
    for name in ("games", "wins", "decisions", "failures", "late", "lost"):
        table.add_row(name, f"{facts[name]:g}")
    for name, what in TIMES.items():
        if facts[name]["p50"] is not None:
            table.add_row(what, f"{facts[name]['p50']} ms (p50), {facts[name]['p99']} ms (p99)")
    out.print(table)
