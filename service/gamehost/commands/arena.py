"""`shedu arena`: bots against bots, without a server or on one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import track
from rich.table import Table

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules

from .console import err, fail, out, printable

if TYPE_CHECKING:
    from gamehost.arena.crew import Referee
    from gamehost.arena.fixtures import Season
    from gamehost.arena.match import Played
    from gamehost.arena.standings import Standings

Title = Annotated[str, typer.Option(help="A title, as `shedu titles` lists them.")]
Bots = Annotated[
    str,
    typer.Option(
        help="Who plays, with commas between: levels (random, greedy, search, search:0.1s, search:200) "
        "and files of your own (my_bot.py)."
    ),
]
Games = Annotated[int, typer.Option(min=1, help="For each pairing; the seats go round.")]
Seats = Annotated[int | None, typer.Option(help="At each table.", show_default="as few as possible")]
Seed = Annotated[
    int,
    typer.Option(
        help="The same seed plays the same games, on any number of cores; with --server it fixes the bots' "
        "luck alone, and the server deals as it likes."
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        help="Play on this server: its gRPC address, host:port, grpc:// or, with TLS, grpcs://. The bots "
        "think here.",
        show_default="no server: on the rules",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(help="A file with the key of a caller, if the server wants one; or SHEDU_TOKEN."),
]
OptionsJson = Annotated[
    str, typer.Option("--options", help="The title's options, in JSON as the API takes them.")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one for each core")]
LogDir = Annotated[Path | None, typer.Option("--log", help="Write each game there, for `shedu replay`.")]
Plot = Annotated[Path | None, typer.Option(help="Draw win rates and scores into this PNG file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def join(app: typer.Typer) -> None:
    """Give the command to the app."""
    app.command(
        epilog="A file has a function decide(view, decision, actions) that returns one of the actions, or a "
        "class Bot with it.\n\nA search with a time budget (search, search:0.5s) thinks as far as the "
        "machine lets it, so its games differ from run to run; one with a number of iterations (search:200) "
        "does not.\n\nExamples:\n\n    shedu arena --title tides --bots greedy,random --games 200\n\n"
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
    token_file: TokenFile = None,
) -> None:
    """Let bots play each other on the pure rules, or on a server, and see who is stronger."""
    from gamehost.arena.standings import Standings

    season = planned(title, bots, games, seed, seats, options, logged=log is not None)
    if plot is not None:
        can_draw()
    standings = Standings(season)
    with referee(server, token_file, title) as judge:
        for played in shown(season, played_by(season, jobs, judge)):
            standings.add(played)
            if log is not None:
                write(log, played)
    if as_json:
        print(json.dumps(standings.facts()))
    else:
        out.print(table(standings))
    for failure, count in standings.failures.items():
        err.print(f"[bold red]forfeited {count}:[/]", printable(failure), highlight=False, soft_wrap=True)
    if plot is not None:
        draw(standings, plot)


def planned(
    title: str, bots: str, games: int, seed: int, seats: int | None, options: str, *, logged: bool
) -> Season:
    from gamehost.arena.fixtures import Season, enter
    from gamehost.bots.levels import NoSuchBot
    from shedu.deciding import BadBot

    if title not in CATALOG:
        fail(f"there is no title {title}; there are: {', '.join(sorted(CATALOG))}")
    rules = CATALOG[title]
    count = rules.seats.start if seats is None else seats
    if count not in rules.seats:
        fail(f"{title} is for {rules.seats.start} to {rules.seats.stop - 1} players, not {count}")
    try:
        entrants = tuple(enter(title, [word.strip() for word in bots.split(",") if word.strip()]))
    except (BadBot, NoSuchBot) as error:
        fail(str(error))
    if len(entrants) < 2:
        fail("it takes two to play: give --bots at least two, with a comma between")
    return Season(title, chosen(rules, options), entrants, count, games, seed, logged)


def chosen(rules: AnyRules, text: str) -> Any:
    """The title's options out of what the API would take."""
    from google.protobuf import json_format

    from gamehost.codec.titles import TITLES

    codec = TITLES[rules.title]
    try:
        return codec.options.decode(json_format.Parse(text, codec.wire.Options()))
    except (json_format.ParseError, ValueError) as error:
        fail(f"--options: {error}")


@contextmanager
def referee(server: str | None, token_file: Path | None, title: str) -> Iterator[Referee]:
    """Who has the games played; that a server is not there is said before the first."""
    from gamehost.arena.match import play

    if server is None:
        yield play
        return
    import shedu
    from gamehost.arena.online import Online

    from .remote import PATIENCE, explained, token

    key = token(token_file)
    with explained(server):
        with shedu.connect(server, token=key, patience=PATIENCE) as there:
            there.title(title)
        yield Online(server, key)


def played_by(season: Season, jobs: int | None, judge: Referee) -> Iterable[Played]:
    from gamehost.arena.crew import run

    processes = min(jobs or os.cpu_count() or 1, len(season))
    return run(season.fixtures(), processes, judge)


def shown(season: Season, played: Iterable[Played]) -> Iterable[Played]:
    """The same games with a bar that grows."""
    name, hidden = CATALOG[season.title].name, not sys.stderr.isatty()
    return track(played, total=len(season), description=name, console=err, disable=hidden)


def write(directory: Path, played: Played) -> None:
    """One file for each game; a forfeited one has no end that could be replayed."""
    if not played.log:
        return
    fixture = played.fixture
    path = directory / f"{fixture.title}-{fixture.seed}-{fixture.number:05}.jsonl"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in played.log), encoding="utf-8")
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror}")


def can_draw() -> None:
    """Said before the games are played, not after."""
    from gamehost.arena.plot import NoMatplotlib, figure_kind

    try:
        figure_kind()
    except NoMatplotlib as error:
        fail(str(error))


def draw(standings: Standings, path: Path) -> None:
    from gamehost.arena.plot import save

    try:
        save(standings, path)
    except (OSError, ValueError) as error:
        fail(f"cannot write {path}: {error}")


def table(standings: Standings) -> Table:
    facts = standings.facts()
    heading = (
        f"{CATALOG[facts['title']].name}: {facts['games']} games for {facts['seats']}, seed {facts['seed']}"
    )
    columns = ("bot", "games", "wins", "draws", "win rate (95 %)", "score", "Elo (95 %)", "decisions/s")
    grid = Table(*columns, title=heading)
    for bot in sorted(facts["bots"], key=lambda bot: -bot["elo"]):
        low, high = bot["win_rate_interval"]
        least, most = bot["elo_interval"]
        score = "–" if bot["mean_score"] is None else f"{bot['mean_score']:.1f}"
        forfeits = f" ({bot['forfeits']} forfeited)" if bot["forfeits"] else ""
        grid.add_row(
            bot["name"],
            f"{bot['games']}{forfeits}",
            f"{bot['wins']}",
            f"{bot['draws']}",
            f"{bot['win_rate']:.1%} ({low:.1%} to {high:.1%})",
            score,
            f"{bot['elo']:+.0f} ({least:+.0f} to {most:+.0f})",
            f"{bot['decisions_per_second'] or 0:,.0f}",
        )
    return grid
