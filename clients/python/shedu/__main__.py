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

from .bot_config import is_config, read_config
from .bot_session import BadToken, Session, token_source
from .deciding import BadBot, load_in_time
from .errors import SheduError
from .finding import NEW_AT_ONCE, Wanted
from .reporting import Report
from .running import DECISION_SECONDS, Bot, Runner

SERVICE = 'this is the client, whose command is "bot run"; all commands come with the package shedu-gamehost'


class Commands(argparse.ArgumentParser):
    """Names the package with the other commands to who asks for one of them."""

    def error(self, message: str) -> NoReturn:
        super().error(f"{message}; {SERVICE}" if "invalid choice" in message else message)


def arguments(program: str) -> argparse.ArgumentParser:
    parser = Commands(program, description="Let your own bots play.")
    commands = parser.add_subparsers(required=True, metavar="bot", parser_class=argparse.ArgumentParser)
    bot = commands.add_parser("bot", help="your own bots")
    run = bot.add_subparsers(required=True, metavar="run").add_parser(
        "run",
        help="play with a bot",
        description="Play every game that the bot is invited to or, where the server asks for no identity, "
        "every public game of the title with a free seat. Stop it with Ctrl-C or SIGTERM. The exit code is "
        "1 if decisions failed.",
        epilog="Files for TLS: SHEDU_SERVER_CA to trust, SHEDU_CLIENT_CERT and SHEDU_CLIENT_KEY to present.",
    )
    run.add_argument(
        "file",
        type=Path,
        help="with a function decide(view, decision, actions) or (view, decision, actions, events), or a "
        "class Bot with it; or a TOML file with settings, see the README",
    )
    add_where_to_play(run)
    add_what_to_play(run)
    add_how_to_play(run)
    parser.set_defaults(run=run)
    return parser


def add_where_to_play(run: argparse.ArgumentParser) -> None:
    add = run.add_argument
    add("--server", default="", help="host:port, grpc:// or, with TLS, grpcs://; or SHEDU_SERVER")
    add("--token-file", type=Path, help="a file with the key of a caller; or SHEDU_TOKEN")
    add("--name", help="the name of the player; by default that of the file")
    add("--patience", type=float, default=math.inf, help="seconds without a server before it ends")


def add_what_to_play(run: argparse.ArgumentParser) -> None:
    add = run.add_argument
    add("--title", dest="titles", action=Repeated, help="a title to play; may be repeated")
    add("--games", type=count, help="stop after so many games")
    add("--create", type=count, default=0, help="create so many games, and play only those")
    add("--seats", type=count, default=0, help="the number of seats of new games")
    add("--against", action=Repeated, help="the level of a hosted bot in new games; may be repeated")
    add(
        "--challenge",
        action=Repeated,
        help="create games against this level, which plays all other seats; may be repeated, "
        "--create says how many for each",
    )
    add("--ladder", action="store_true", help="play rated games with opponents that the server finds")
    add("--join", action=Repeated, help="the id of a game to join; may be repeated")
    add("--at-once", type=count, help=f"games to play at a time; {NEW_AT_ONCE} with new games, otherwise all")


def add_how_to_play(run: argparse.ArgumentParser) -> None:
    add = run.add_argument
    add("--threads", type=count, default=1, help="decisions to make at a time; decide must be thread-safe")
    add("--decision-seconds", type=float, default=DECISION_SECONDS, help="a slower decision is a failure")
    add("--on-failure", choices=("first", "resign"), default="first", help="what to do if the bot fails")
    add("--json", action="store_true", help="print the report as JSON")


class Repeated(argparse.Action):
    """Collects the values of a repeated option. They replace its default, which a file may have set."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        given: argparse.Namespace,
        value: object,
        _option: str | None = None,
    ) -> None:
        before = getattr(given, self.dest)
        setattr(given, self.dest, [value] if before is self.default else [*before, value])


def parsed(program: str) -> argparse.Namespace:
    """Returns the options; what a TOML file says counts unless the same option is given."""
    parser = arguments(program)
    given = parser.parse_args()
    if not is_config(given.file):
        return given
    settings = read_config(given.file)
    given.run.set_defaults(**{name: value for name, value in settings.items() if name != "bot"})
    given = parser.parse_args()
    given.file = settings["bot"]
    return given


def count(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is less than 1")
    return number


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


def main(program: str = "python -m shedu") -> None:
    try:
        given = parsed(program)
        wanted = wanted_games(given)
        with redirect_stdout(sys.stderr):  # stdout has only the report
            report = played(wanted, given)
    except (BadBot, BadToken, SheduError, OSError, ValueError) as error:
        fail(str(error))
    show(report, given.json)
    if report.failures:
        raise SystemExit(1)


def wanted_games(given: argparse.Namespace) -> Wanted:
    wanted = Wanted(
        given.titles or [],
        (given.name or given.file.stem)[:40],
        given.create,
        given.seats,
        given.against or [],
        given.join or [],
        given.challenge or [],
        given.ladder,
    )
    if wanted.objection:
        fail(wanted.objection)
    return wanted


def played(wanted: Wanted, given: argparse.Namespace) -> Report:
    token = given.token_file.read_text(encoding="utf-8") if given.token_file else None
    source = token_source(token, given.token_file)
    session = Session(given.server, token, source, given.patience, wanted, given.games, given.at_once)
    bot = Bot(str(given.file), load_in_time(given.file), given.on_failure)
    limits = {"threads": given.threads, "decision_seconds": given.decision_seconds}
    with Runner(bot, tell, **limits) as runner, suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(session.play(runner, tell))
    return runner.report


if __name__ == "__main__":
    main()
