"""`python -m shedu bot run my_bot.py --title tides`: runs a bot in a file on a server, without the service.

The command of the service, `shedu bot run`, takes the same options and shows more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import NoReturn

from . import aio
from .addresses import token_of
from .deciding import BadBot, load
from .errors import SheduError
from .finding import NEW_AT_ONCE, Wanted, seats
from .reporting import Report
from .running import DECISION_SECONDS, Bot, Runner, stop_on_sigterm


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m shedu", description="Let your own bots play.")
    bot = parser.add_subparsers(required=True, metavar="bot").add_parser("bot", help="your own bots")
    run = bot.add_subparsers(required=True, metavar="run").add_parser(
        "run",
        help="play with a bot",
        description="Play every game that the bot is invited to or, where the server asks for no identity, "
        "every public game of the title with a free seat. Stop it with Ctrl-C or SIGTERM. The exit code is "
        "1 if decisions failed.",
    )
    add = run.add_argument
    add("file", type=Path, help="with a function decide(view, decision, actions), or a class Bot with it")
    add("--title", default="", help="which title to play")
    add("--server", default="", help="host:port, grpc:// or, with TLS, grpcs://; or SHEDU_SERVER")
    run.epilog = "Files for TLS: SHEDU_SERVER_CA to trust, SHEDU_CLIENT_CERT and SHEDU_CLIENT_KEY to present."
    add("--token-file", type=Path, help="a file with the key of a caller; or SHEDU_TOKEN")
    add("--name", help="the name of the player; by default that of the file")
    add("--games", type=count, help="stop after so many games")
    add("--create", type=count, default=0, help="create so many games, and play only those")
    add("--seats", type=count, default=0, help="the number of seats of new games")
    add(
        "--against",
        action="append",
        default=[],
        help="the level of a hosted bot in new games; may be repeated",
    )
    add("--join", action="append", default=[], help="the id of a game to join; may be repeated")
    add("--at-once", type=count, help=f"games to play at a time; {NEW_AT_ONCE} with --create, otherwise all")
    add("--threads", type=count, default=1, help="decisions to make at a time; decide must be thread-safe")
    add("--decision-seconds", type=float, default=DECISION_SECONDS, help="a slower decision is a failure")
    add("--on-failure", choices=("first", "resign"), default="first", help="what to do if the bot fails")
    add("--patience", type=float, default=math.inf, help="seconds without a server before it ends")
    add("--json", action="store_true", help="print the report as JSON")
    return parser


def count(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is less than 1")
    return number


async def play(runner: Runner, wanted: Wanted, given: argparse.Namespace) -> None:
    stop_on_sigterm()
    token = given.token_file.read_text(encoding="utf-8") if given.token_file else None
    async with aio.connect(given.server, token=token, patience=given.patience, tell=tell) as server:
        if given.title:
            await server.title(given.title)  # fails now if the title does not exist
        together = given.at_once or (NEW_AT_ONCE if given.create else None)
        known = bool(token_of(token))
        if (source := wanted.source(known)) is not None:
            tell(f"waiting for {source}")
        await runner.run(seats(server, wanted, known), given.games, together)


def show(report: Report, as_json: bool) -> None:
    facts = report.facts()
    if as_json:
        print(json.dumps(facts))
        return
    for name, fact in facts.items():
        shown = f"{fact['p50']} (p50), {fact['p99']} (p99)" if isinstance(fact, dict) else fact
        print(f"{name.replace('_', ' '):13} {shown}")


def tell(message: str) -> None:
    shown = "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in message)
    print(f"shedu: {shown}", file=sys.stderr)


def fail(message: str) -> NoReturn:
    tell(message)
    raise SystemExit(2)


def main() -> None:
    given = arguments().parse_args()
    name = (given.name or given.file.stem)[:40]
    wanted = Wanted(given.title, name, given.create, given.seats, given.against, given.join)
    if wanted.objection:
        fail(wanted.objection)
    try:
        with redirect_stdout(sys.stderr):  # stdout has only the report
            report = played(wanted, given)
    except (BadBot, SheduError, OSError, ValueError) as error:
        fail(str(error))
    show(report, given.json)
    if report.failures:
        raise SystemExit(1)


def played(wanted: Wanted, given: argparse.Namespace) -> Report:
    make = load(given.file)
    make()  # fails now if it cannot be created
    bot = Bot(str(given.file), make, given.on_failure)
    limits = {"threads": given.threads, "decision_seconds": given.decision_seconds}
    with Runner(bot, tell, **limits) as runner, suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(play(runner, wanted, given))
    return runner.report


if __name__ == "__main__":
    main()
