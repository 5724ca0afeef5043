"""`shedu bot run`: plays on a server with a bot in a file."""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from gamehost.rules.catalog import CATALOG

from .console import err, fail, out, printable
from .options import AsJson, CallerTokenFile, ServerAddress

if TYPE_CHECKING:
    from shedu.bot_session import Session
    from shedu.reporting import Report
    from shedu.running import Bot, Runner

MAX_FAILURES_SHOWN = 10
MAX_NEW_GAMES = 16  # default limit of open games that it creates

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


def apply_config(context: typer.Context, file: Path) -> Path:
    """Take a TOML file as defaults of the options, and return the file of the bot that it names."""
    from shedu.bot_config import is_config, read_config
    from shedu.deciding import BadBot

    if context.resilient_parsing or not is_config(file):
        return file
    try:
        settings = read_config(file)
    except BadBot as bad:
        fail(str(bad))
    bot: Path = settings.pop("bot")
    context.default_map = settings
    return bot


BotFile = Annotated[
    Path,
    typer.Argument(
        help="With a function decide(view, decision, actions) or (view, decision, actions, events), or a "
        "class Bot with it; or a TOML file with settings.",
        is_eager=True,
        callback=apply_config,
    ),
]
Titles = Annotated[
    list[str] | None,
    typer.Option(
        "--title",
        help="A title to play, as `shedu titles` lists them; repeat it for several.",
        autocompletion=lambda: list(CATALOG),
    ),
]
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
Challenge = Annotated[
    list[str] | None,
    typer.Option(
        help="Create games against this level, which plays all other seats; repeat it for several. --create "
        "says how many for each."
    ),
]
Ladder = Annotated[
    bool,
    typer.Option(
        "--ladder",
        help="Play one game after the other with opponents that the server finds; rated if it has a key.",
    ),
]
Join = Annotated[list[str] | None, typer.Option(help="The id of a game to join; repeat it for several.")]
AtOnce = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How many games to play at a time, including those that wait for other players.",
        show_default=f"{MAX_NEW_GAMES} with new games, otherwise all",
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
    "    shedu bot run my_bot.py --join t7q2mxk4wz5r3ncvb6ha --json\n\n"
    "    shedu bot run my_bot.py --title tides --ladder --token-file key --games 50\n\n"
    "    shedu bot run my_bot.toml",
)
def bot_run(
    file: BotFile,
    titles: Titles = None,
    server: ServerAddress = "localhost:50051",
    token_file: CallerTokenFile = None,
    name: Name = None,
    games: Games = None,
    create: Create = 0,
    seats: SeatCount = 0,
    against: Against = None,
    challenge: Challenge = None,
    join: Join = None,
    ladder: Ladder = False,
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
    from shedu.bot_session import Session, token_source
    from shedu.finding import Wanted

    from .server_calls import token

    new = (create, seats, against or [], join or [], challenge or [], ladder)
    wanted = Wanted(titles or [], (name or file.stem)[:40], *new)
    if wanted.objection:
        fail(wanted.objection)
    given = token(token_file)
    session = Session(server, given, token_source(given, token_file), patience, wanted, games, at_once)
    with redirect_stdout(sys.stderr):  # bots may print; stdout may carry the JSON of --json
        report = played(load_bot(file, on_failure), session, threads, decision_seconds)
    show_report(report, as_json)
    raise typer.Exit(1 if report.failures else 0)


def played(bot: Bot, session: Session, threads: int, decision_seconds: float) -> Report:
    """Play until all games are over or a signal comes, the usual way to stop this command."""
    from shedu.bot_session import BadToken
    from shedu.running import Runner

    from .server_calls import call_errors_explained

    runner = Runner(bot, FailureLog(), threads=threads, decision_seconds=decision_seconds)
    with call_errors_explained(session.server), runner, suppress(KeyboardInterrupt, asyncio.CancelledError):
        try:
            asyncio.run(run_bot(runner, session))
        except BadToken as bad:
            fail(str(bad))
    return runner.report


def load_bot(file: Path, on_failure: OnFailure) -> Bot:
    """Load the bot and make one instance, so that a broken file is reported before the first game."""
    from shedu.deciding import BadBot, load_in_time
    from shedu.running import Bot

    try:
        return Bot(str(file), load_in_time(file), on_failure.value)
    except BadBot as bad:
        fail(str(bad))


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


async def run_bot(runner: Runner, session: Session) -> None:
    wanted = session.wanted
    with progress(runner.report, session.games or wanted.new_games or len(wanted.join) or None):
        await session.play(runner, tell)


def tell(message: str) -> None:
    err.print("shedu:", escape(printable(message)), highlight=False, soft_wrap=True)


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
