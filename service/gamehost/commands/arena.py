"""`shedu arena`: tournaments between bots, on the rules alone or on a server."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, span

from .console import err, fail, out, printable
from .options import AsJson, CallerTokenFile, Jobs, OptionsJson

if TYPE_CHECKING:
    from gamehost.arena.fixtures import Entrant, Season
    from gamehost.arena.match import GameResult
    from gamehost.arena.processes import Referee
    from gamehost.arena.results import Standings

STOPPED = 130  # the exit code that shells use for Ctrl-C
BROKEN = 1  # a worker process was lost

Title = Annotated[str, typer.Option(help="A title, as `shedu titles` lists them.")]
Bots = Annotated[
    str,
    typer.Option(
        help="The bots, separated by commas: levels (random, greedy, search, search:0.1s, search:200) "
        "or Python files (my_bot.py)."
    ),
]
Games = Annotated[int, typer.Option(min=1, help="Games per pairing; seats rotate.")]
Seats = Annotated[
    int | None, typer.Option(help="Seats at each table.", show_default="the fewest the title allows")
]
Seed = Annotated[
    int,
    typer.Option(
        help="The same seed gives the same games, on any number of cores. With --server it fixes the random "
        "numbers of the bots, but not those of the server."
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        help="Play on this server: its gRPC address, host:port, grpc:// or, with TLS, grpcs://. The bots "
        "run in this process.",
        show_default="play without a server",
    ),
]
DecisionSeconds = Annotated[
    float,
    typer.Option(
        min=0.001, help="Time limit for a decision of a bot in a file; exceeding it forfeits the game."
    ),
]
LogDir = Annotated[
    Path | None, typer.Option("--log", help="Write each game to this directory, for `shedu replay`.")
]
Plot = Annotated[Path | None, typer.Option(help="Draw win rates and scores into this image, e.g. arena.png.")]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        epilog="A file has a function decide(view, decision, actions) that returns one of the actions, or a "
        "class Bot with this method.\n\nThe file is loaded again for every game, and random and numpy.random "
        "are seeded. Games differ from run to run if a bot depends on the time, on generators without a "
        "seed, on threads, on files, or on state that imported modules keep between games.\n\n"
        "A search with a time budget (search, search:0.5s) depends on the speed of the machine, so its "
        "games differ from run to run; with a number of iterations (search:200) they do not.\n\n"
        "Ctrl-C stops the tournament and shows the results so far.\n\n"
        "Examples:\n\n    shedu arena --title tides --bots greedy,random --games 200\n\n"
        "    shedu arena --title stone_age --bots greedy,my_bot.py --games 50 --seed 7 --log games --json\n\n"
        "    shedu arena --title tides --bots greedy,my_bot.py --games 20 --server localhost:50051"
    )(arena)


def arena(
    title: Title,
    bots: Bots,
    games: Games = 100,
    seed: Seed = 1,
    seats: Seats = None,
    options: OptionsJson = "{}",
    jobs: Jobs = None,
    log: LogDir = None,
    plot: Plot = None,
    as_json: AsJson = False,
    server: Server = None,
    token_file: CallerTokenFile = None,
    decision_seconds: DecisionSeconds = 60.0,
) -> None:
    """Play a tournament between bots, without a server or on one, and compare their strength."""
    from gamehost.arena.results import Standings

    # Everything that can be wrong with the arguments is reported before the first game, which may be long.
    season = make_season(title, bots, games, seed, seats, options, logged=log is not None)
    if plot is not None:
        check_plot(plot)
    standings = Standings(season)
    # `closing`, because an abandoned generator is closed only when it is collected: until then the worker
    # processes of the tournament would play on after Ctrl-C.
    with (
        open_referee(server, token_file, title) as referee,
        closing(play_season(season, jobs, referee, decision_seconds)) as playing,
    ):
        code = run_games(standings, playing, log)
    if standings.games:
        show_standings(standings, as_json)
    if plot is not None and standings.games:
        draw(standings, plot)
    raise typer.Exit(code)


def run_games(standings: Standings, playing: Iterable[GameResult], log: Path | None) -> int:
    """Play the games, add them to the standings, and return the exit code."""
    from gamehost.arena.processes import ProcessLost

    season, began = standings.season, time.perf_counter()
    try:
        for played in with_progress(season, playing):
            standings.add(played)
            if log is not None:
                write_game(log, played)
    except KeyboardInterrupt:
        # The games so far count: the caller still shows their standings.
        err.print(f"[bold yellow]stopped[/] after {len(standings.games)} of {len(season)} games")
        return STOPPED
    except ProcessLost as lost:
        err.print("[bold red]shedu:[/]", escape(printable(str(lost))), highlight=False, soft_wrap=True)
        return BROKEN
    finally:
        standings.seconds = time.perf_counter() - began
    return 0


def show_standings(standings: Standings, as_json: bool) -> None:
    if as_json:
        print(json.dumps(standings.facts()))
    else:
        out.print(standings_table(standings))
    for failure, count in standings.failures.items():
        why = escape(printable(failure))
        err.print(f"[bold red]forfeited {count}:[/]", why, highlight=False, soft_wrap=True)


def make_season(
    title: str, bots: str, games: int, seed: int, seats: int | None, options: str, *, logged: bool
) -> Season:
    from gamehost.arena.fixtures import Season

    rules, count = rules_and_seats(title, seats)
    entrants = parse_bots(title, bots)
    if len(entrants) < 2:
        fail("--bots needs at least two bots, separated by commas")
    return Season(title, parse_title_options(rules, options), entrants, count, games, seed, logged)


def rules_and_seats(title: str, seats: int | None) -> tuple[AnyRules, int]:
    """Return the rules of the title and the number of seats."""
    if title not in CATALOG:
        fail(f"there is no title {title}; there are: {', '.join(sorted(CATALOG))}")
    rules = CATALOG[title]
    count = rules.seats.start if seats is None else seats
    if count not in rules.seats:
        fail(f"{title} is for {span(rules.seats[0], rules.seats[-1])} players, not {count}")
    return rules, count


def parse_bots(title: str, bots: str) -> tuple[Entrant, ...]:
    from gamehost.arena.fixtures import enter
    from gamehost.bots.levels import NoSuchBot
    from shedu.deciding import BadBot

    try:
        return tuple(enter(title, [word.strip() for word in bots.split(",") if word.strip()]))
    except (BadBot, NoSuchBot) as error:
        fail(f"--bots: {error}")


def parse_title_options(rules: AnyRules, text: str) -> Any:
    """Parse the title's options with the checks of the API."""
    from google.protobuf import json_format

    from gamehost.api.pipeline.validation import validate
    from gamehost.codec.titles import TITLES
    from gamehost.play.errors import InvalidRequest

    codec = TITLES[rules.title]
    try:
        message = json_format.Parse(text, codec.wire.Options())
        validate(message)
        return codec.options.decode(message)
    except (json_format.ParseError, ValueError, InvalidRequest) as error:
        fail(f"--options: {error}")


@contextmanager
def open_referee(server: str | None, token_file: Path | None, title: str) -> Iterator[Referee]:
    """Return the function that plays a fixture. A server that cannot be reached is reported at once."""
    from gamehost.arena.match import play_game

    if server is None:
        yield play_game
        return
    import shedu
    from gamehost.arena.online import OnlineReferee

    from .server_calls import CONNECT_SECONDS, call_errors_explained, token

    key = token(token_file)
    with call_errors_explained(server, "--server"):
        with shedu.connect(server, token=key, patience=CONNECT_SECONDS) as there:
            there.title(title)
        # Inside the block, so that an error in the middle of the tournament gets a message, too.
        yield OnlineReferee(server, key)


def play_season(
    season: Season, jobs: int | None, referee: Referee, decision_seconds: float
) -> Generator[GameResult, None, None]:
    from gamehost.arena.decision_timer import DecisionTimer
    from gamehost.arena.processes import play_all

    processes = min(jobs or os.cpu_count() or 1, len(season))
    if processes > 1 or season.runs_files:
        yield from play_all(season.fixtures(), processes, referee, decision_seconds)
        return
    for fixture in season.fixtures():  # levels are trusted, so they need no worker process
        yield referee(fixture, DecisionTimer())


def with_progress(season: Season, played: Iterable[GameResult]) -> Iterable[GameResult]:
    """Show a progress bar on stderr if it is a terminal."""
    # A progress bar in a log file or a pipe would be noise.
    name, hidden = CATALOG[season.title].name, not sys.stderr.isatty()
    return track(played, total=len(season), description=name, console=err, disable=hidden)


def write_game(directory: Path, played: GameResult) -> None:
    """Write a game to its own file. Forfeited games have no log, because they cannot be replayed."""
    if not played.log:
        return
    fixture = played.fixture
    path = directory / f"{fixture.title}-{fixture.seed}-{fixture.number:05}.jsonl"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in played.log), encoding="utf-8")
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}")


def check_plot(path: Path) -> None:
    """Fail before the games are played if the plot cannot be written."""
    from gamehost.arena.plot import PlotError, check_path

    try:
        check_path(path)
    except PlotError as error:
        fail(str(error))


def draw(standings: Standings, path: Path) -> None:
    from gamehost.arena.plot import save

    try:
        save(standings, path)
    except (OSError, ValueError) as error:
        fail(f"cannot write {path}: {error}")


def standings_table(standings: Standings) -> Table:
    """Return the table of results, which fits into 80 columns."""
    facts = standings.facts()
    grid = Table(title=heading(facts), caption=caption(facts), caption_justify="left")
    grid.box, grid.padding, grid.pad_edge = SIMPLE_HEAD, (0, 1, 0, 0), False
    grid.add_column("bot", overflow="fold")
    for column in ("games", "wins", "draws", "failed", "win % (95 %)", "score", "Elo ±95 %", "dec./s"):
        grid.add_column(column, justify="right", no_wrap=True)
    for bot in sorted(facts["bots"], key=lambda bot: -bot["elo"]):
        grid.add_row(escape(printable(bot["name"])), *cells(bot))
    return grid


def cells(bot: dict[str, Any]) -> list[str]:
    low, high = bot["win_rate_interval"]
    least, most = bot["elo_interval"]
    return [
        f"{bot['games']}",
        f"{bot['wins']}",
        f"{bot['draws']}",
        f"{bot['forfeits']}",
        f"{100 * bot['win_rate']:.1f} ({100 * low:.0f}–{100 * high:.0f})",
        "–" if bot["mean_score"] is None else f"{bot['mean_score']:.1f}",
        f"{bot['elo']:+.0f} ±{(most - least) / 2:.0f}",
        f"{bot['decisions_per_second'] or 0:,.0f}",
    ]


def heading(facts: dict[str, Any]) -> str:
    return (
        f"{CATALOG[facts['title']].name}: {facts['games']} games for {facts['seats']}, seed {facts['seed']}"
    )


def caption(facts: dict[str, Any]) -> str:
    """Explain the columns that may be misunderstood."""
    sentences = [
        f"{facts['seconds']:,.1f} s, {facts['decisions_per_second'] or 0:,.0f} decisions per second.",
        "dec./s: decisions per second of the bot's own time.",
    ]
    if any(bot["forfeits"] for bot in facts["bots"]):
        sentences.append("failed: games that the bot forfeited.")
    if facts["seats"] > len(facts["bots"]):
        sentences.append("Bots take several seats at a table, and every seat counts as a game.")
    return "\n".join(sentences)
