"""`shedu bot run`: a bot in a file plays on a server."""

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
from .recorded.commands import AsJson, Server

if TYPE_CHECKING:
    from shedu.finding import Wanted
    from shedu.reporting import Report
    from shedu.running import Bot, Runner

MOST_COMPLAINTS = 10
NEW_AT_ONCE = 16  # games that it opens itself need not all be open at a time

TIMES = {
    "thinking_ms": "your bot thought",
    "waiting_ms": "it was busy with other games",
    "answering_ms": "the server answered in",
}

bot = typer.Typer(no_args_is_help=True, help="Let your own bots play.", rich_markup_mode="rich")


@bot.callback()
def about() -> None:
    """Let your own bots play."""


class OnFailure(StrEnum):
    FIRST = "first"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    server: str
    token: str | None
    patience: float


BotFile = Annotated[
    Path,
    typer.Argument(help="With a function decide(view, decision, actions), or a class Bot with it."),
]
Title = Annotated[str, typer.Option(help="Which title to play, as `shedu titles` lists them.")]
Name = Annotated[str | None, typer.Option(help="Shown at the table.", show_default="the file's name")]
Games = Annotated[int | None, typer.Option(min=1, help="Stop after so many. [default: never]")]
Create = Annotated[int, typer.Option(min=0, help="Open so many games, and play those alone.")]
SeatCount = Annotated[
    int, typer.Option("--seats", help="How many seats new games have.", show_default="as few as possible")
]
Against = Annotated[
    list[str] | None, typer.Option(help="A hosted bot that sits in new games; repeat it for several.")
]
Join = Annotated[list[str] | None, typer.Option(help="The id of a game to join; repeat it for several.")]
TokenFile = Annotated[
    Path | None,
    typer.Option(help="A file with an API key or a JWT, if the server asks who you are; or set SHEDU_TOKEN."),
]
AtOnce = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How many games to play at a time, those that wait for others included.",
        show_default=f"{NEW_AT_ONCE} with --create, otherwise all",
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        min=1,
        help="How many games to think about at a time. With more than one, decide must bear being called by "
        "several threads, each for a game of its own.",
    ),
]
DecisionSeconds = Annotated[
    float, typer.Option(min=0.001, help="The most that a decision may take; a slower one is a failure.")
]
Failure = Annotated[
    OnFailure,
    typer.Option(
        help="If the bot raises, answers nonsense or is too slow: play the first legal action, or resign."
    ),
]
Patience = Annotated[
    float, typer.Option(min=0.1, help="Seconds without a server before it gives up.", show_default="never")
]


@bot.command(
    epilog="Examples:\n\n    shedu bot run my_bot.py --title tides --create 10 --against greedy\n\n"
    "    shedu bot run my_bot.py --title tigris --server grpcs://play.example.org --token-file key\n\n"
    "    shedu bot run my_bot.py --join t7q2mxk4wz5r3ncvb6ha --json"
)
def run(
    file: BotFile,
    title: Title = "",
    server: Server = "localhost:50051",
    token_file: TokenFile = None,
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
    """Play with a bot of your own: every game it is invited to or, where the server asks for no identity,
    every public game of the title with a free seat. Stop it with Ctrl-C."""
    from shedu.finding import Wanted
    from shedu.running import Runner

    from .server_calls import explained, token

    wanted = Wanted(title, (name or file.stem)[:40], create, seats, against or [], join or [])
    if wanted.objection:
        fail(wanted.objection)
    line = ServerOptions(server, token(token_file), patience)
    together = at_once or (NEW_AT_ONCE if create else None)
    with redirect_stdout(sys.stderr):  # what a bot prints is for people; the report may be for machines
        runner = Runner(
            loaded(file, on_failure), Complaints(), threads=threads, decision_seconds=decision_seconds
        )
        with explained(server), runner, suppress(KeyboardInterrupt):
            asyncio.run(play_games(runner, line, wanted, games, together))
    show(runner.report, as_json)


def loaded(file: Path, on_failure: OnFailure) -> Bot:
    """A bot that can play at least its first game."""
    from shedu.deciding import BadBot, load
    from shedu.running import Bot

    try:
        make = load(file)
        make()
    except BadBot as bad:
        fail(str(bad))
    return Bot(str(file), make, on_failure.value)


def say(message: str) -> None:
    err.print("[bold yellow]shedu:[/]", escape(printable(message)), highlight=False, soft_wrap=True)


class Complaints:
    """Tells what goes wrong, until it is clear that it does."""

    def __init__(self) -> None:
        self._told = 0

    def __call__(self, message: str) -> None:
        self._told += 1
        if self._told <= MOST_COMPLAINTS:
            say(message)
        if self._told == MOST_COMPLAINTS:
            say("from now on failures are only counted")


async def play_games(
    runner: Runner, line: ServerOptions, wanted: Wanted, games: int | None, at_once: int | None
) -> None:
    from shedu import aio
    from shedu.addresses import token_of
    from shedu.finding import seats

    known = bool(token_of(line.token))
    total = games or wanted.create or len(wanted.join) or None
    async with aio.connect(line.server, token=line.token, patience=line.patience, tell=say) as server:
        if wanted.title:
            await server.title(wanted.title)  # nobody will ever invite to one that there is not
        with progress(runner.report, total):
            await runner.run(seats(server, wanted, known), games, at_once)


@contextmanager
def progress(report: Report, total: int | None) -> Iterator[None]:
    """A bar where somebody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=total)
        report.watchers.append(lambda: bar.update(task, completed=report.games))
        yield


def show(report: Report, as_json: bool) -> None:
    facts = report.facts()
    if as_json:
        print(json.dumps(facts))
        return
    table = Table("what", "how much")
    for name in ("games", "wins", "decisions", "failures", "late", "lost"):
        table.add_row(name, f"{facts[name]:g}")
    for name, what in TIMES.items():
        if facts[name]["p50"] is not None:
            table.add_row(what, f"{facts[name]['p50']} ms (p50), {facts[name]['p99']} ms (p99)")
    out.print(table)
