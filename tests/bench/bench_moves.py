"""Measures the CPU time of calls on the server, as a ratio to a bare echo in the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated, Any
from urllib.request import urlopen

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.moves import load, parts, peers, plot, server
from gamehost.rules.catalog import CATALOG
from support.servers import can_connect, free_port, redis_server
from support.waiting import wait_until

TRANSPORTS = ("grpc", "connect", "rest", "stream")
TITLES = tuple(CATALOG)
# Aims of the ratios: PlayAction to one echo, ListLegalActions and PlayAction to two.
# The aim of PlayStream is the moves a second of boardgame.io, see `remarks`.
AIMS: dict[str, tuple[float | None, float | None]] = {
    "grpc": (2.8, 3.0),
    "connect": (10.0, None),
    "rest": (12.0, 13.0),
    "stream": (None, None),
}
TIGRIS_AIMS = AIMS | {"grpc": (4.0, 4.0), "connect": (18.0, None), "rest": (18.0, 20.0)}
WATCHER_AIM = 60.0  # microseconds for one message to one of 100 watchers

out, err = Console(), Console(stderr=True)


@dataclass(frozen=True)
class Plan:
    moves: int
    games: int
    rounds: int
    fsync: str
    transports: tuple[str, ...]
    titles: tuple[str, ...]
    watchers: bool
    open_games: int  # the greatest number of open games to measure; 0 for none

    @property
    def stretches(self) -> int:
        measured = len(self.transports) * (1 + len(self.titles)) + self.watchers
        return self.rounds * measured + bool(self.open_games)


@dataclass
class Report:
    """The results of all rounds, by title (or echo, or watchers) and transport."""

    plan: Plan
    measured: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    peer: dict[str, Any] | None = None  # of boardgame.io, if it was measured
    growth: dict[str, Any] | None = None  # with the number of open games and of watchers

    def cpu(self, name: str, transport: str, kind: str, who: str = "server") -> float:
        """Returns the CPU microseconds of one call, the median of the rounds."""
        return median(float(each[kind][f"{who}_cpu_us"]) for each in self.measured[name, transport])

    def ratio(self, title: str, transport: str, *kinds: str) -> float:
        """Returns the cost of calls of these kinds as a multiple of as many echoes in the same round."""
        pairs = zip(self.measured[title, transport], self.measured["echo", transport], strict=True)
        return median(
            sum(each[kind]["server_cpu_us"] for kind in kinds) / len(kinds) / echo["echo"]["server_cpu_us"]
            for each, echo in pairs
        )

    def costs(self) -> list[plot.Cost]:
        """Returns the costs of all titles and transports, for the plot."""
        found = {title: parts.measure(title) for title in self.plan.titles}
        return [
            plot.Cost(
                title,
                transport,
                self.cpu("echo", transport, "echo"),
                self.cpu(title, transport, "play"),
                self.cpu(title, transport, "legal"),
                found[title].rules,
                found[title].json if transport == "rest" else found[title].binary,
                aims_of(title, transport)[0],
            )
            for transport in self.plan.transports
            for title in self.plan.titles
        ]

    def watcher(self) -> float:
        """Returns the microseconds of one message to one of 100 watchers."""
        watched, alone = (self.cpu("watchers", "grpc", kind) for kind in ("watched", "alone"))
        return (watched - alone) / 100


@dataclass(frozen=True)
class Running:
    server: server.Server
    pid: int


def measure(plan: Plan) -> Report:
    report = Report(plan)
    with tempfile.TemporaryDirectory(prefix="bench-moves-") as name, progress() as bar, ExitStack() as stack:
        folder, task = Path(name), bar.add_task("", total=plan.stretches)
        settings = {"appendfsync": plan.fsync, "auto-aof-rewrite-percentage": "0"}
        redis = stack.enter_context(redis_server(folder / "redis", **settings))
        redis_pid = int(redis.ask("INFO", "server")["process_id"])
        shedu, echo = (stack.enter_context(serving(folder, kind, redis.url)) for kind in ("shedu", "echo"))
        for _ in range(plan.rounds):
            for what, transport, title in stretches(plan):
                bar.update(task, description=f"{title or what} over {transport}")
                running = echo if what == "echo" else shedu
                pids = {"server": running.pid, "redis": redis_pid}
                result = loaded(plan, what, transport, title, running, pids)
                report.measured.setdefault((title or what, transport), []).append(result)
                bar.advance(task)
        if plan.open_games:
            bar.update(task, description="open games over grpc")
            pids = {"server": shedu.pid, "redis": redis_pid}
            report.growth = loaded(plan, "open_games", "grpc", plan.titles[0], shedu, pids)
            bar.advance(task)
    return report


def stretches(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Yields the measurements of a round: an echo before the titles of each transport, then the watchers."""
    for transport in plan.transports:
        yield "echo", transport, ""
        for title in plan.titles:
            yield "moves", transport, title
    if plan.watchers:
        yield "watchers", "grpc", ""


def loaded(
    plan: Plan, what: str, transport: str, title: str, running: Running, pids: dict[str, int]
) -> dict[str, Any]:
    most = {
        "echo": max(plan.moves, 1000),
        "watchers": max(plan.moves // 20, 20),
        "open_games": plan.open_games,
    }
    calls = most.get(what, plan.moves)
    ports = running.server.port, running.server.grpc_port
    task = load.Task(what, transport, title or "tides", plan.games, calls, *ports, pids)
    command = [sys.executable, *load.arguments(task)]
    done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@contextmanager
def serving(folder: Path, name: str, redis: str) -> Iterator[Running]:
    started = server.Server(name, redis, free_port(), free_port())
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *server.arguments(started)], env=environment(), stdout=log, stderr=log
        )
    try:
        wait_until(lambda: can_connect(started.port) and can_connect(started.grpc_port))
        if name == "shedu":  # its ports are open before it has reached the store
            wait_until(lambda: is_ready(started.port))
        yield Running(started, process.pid)
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a server; one that drains for long on a busy machine must not cost the results."""
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def is_ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def progress() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=err, disable=not sys.stderr.isatty())


def table(report: Report) -> Table:
    plan = report.plan
    shown = Table(
        title=f"Processor time of the server, {plan.games} games at once: median of {plan.rounds} x "
        f"{plan.moves} moves, appendfsync {plan.fsync}"
    )
    shown.add_column("over")
    shown.add_column("title")
    for heading in ("play µs", "legal µs", "redis µs", "play / echo", "step / 2 echoes", "aims"):
        shown.add_column(heading, justify="right")
    for transport in plan.transports:
        shown.add_row(transport, "echo", f"{report.cpu('echo', transport, 'echo'):.0f}")
        for title in plan.titles:
            shown.add_row(transport, title, *figures(report, title, transport))
        shown.add_section()
    return shown


def aims_of(title: str, transport: str) -> tuple[float | None, float | None]:
    return (TIGRIS_AIMS if title == "tigris" else AIMS)[transport]


def figures(report: Report, title: str, transport: str) -> list[str]:
    aims = aims_of(title, transport)
    ratios = report.ratio(title, transport, "play"), report.ratio(title, transport, "legal", "play")
    return [
        f"{report.cpu(title, transport, 'play'):.0f}",
        f"{report.cpu(title, transport, 'legal'):.0f}",
        f"{report.cpu(title, transport, 'play', 'redis'):.0f}",
        *(
            f"[{'green' if aim is None or ratio <= aim else 'red'}]{ratio:.1f}[/]"
            for ratio, aim in zip(ratios, aims, strict=True)
        ),
        " ".join("–" if aim is None else f"{aim:g}" for aim in aims),
    ]


def facts(report: Report) -> dict[str, Any]:
    plan = report.plan
    return {
        "moves": plan.moves,
        "games": plan.games,
        "rounds": plan.rounds,
        "appendfsync": plan.fsync,
        "measured": [
            {"name": name, "transport": transport, "rounds": results}
            for (name, transport), results in report.measured.items()
        ],
        "ratios": [
            {
                "title": title,
                "transport": transport,
                "play": report.ratio(title, transport, "play"),
                "legal_and_play": report.ratio(title, transport, "legal", "play"),
            }
            for transport in plan.transports
            for title in plan.titles
        ],
        "watcher_us": report.watcher() if plan.watchers else None,
        "growth": report.growth,
        "boardgame_io": report.peer,
        "play_stream_to_boardgame_io": stream_shares(report),
    }


app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
Choices = Annotated[list[str] | None, typer.Option(help="Only this one; may be repeated.")]


@app.command(
    epilog="Examples:\n\n    python3 tests bench moves --quick\n\n"
    "    python3 tests bench moves --moves 4000 --rounds 5 --json\n\n"
    "    python3 tests bench moves --transport grpc --title tigris\n\n"
    "    python3 tests bench moves --peers --plot moves.png"
)
def main(
    moves: Annotated[int, typer.Option(min=40, help="Moves of each title over each transport.")] = 2000,
    games: Annotated[
        int, typer.Option(min=1, help="Concurrent games, with one call in flight in each.")
    ] = 40,
    rounds: Annotated[int, typer.Option(min=1, help="Number of rounds; each measures everything.")] = 3,
    fsync: Annotated[str, typer.Option(help="appendfsync of Redis: everysec or always.")] = "everysec",
    transport: Choices = None,
    title: Choices = None,
    watchers: Annotated[bool, typer.Option(help="Also measure messages to watchers.")] = True,
    open_games: Annotated[
        int,
        typer.Option(help="Also measure moves and memory with 100, 1,000, … up to so many open games."),
    ] = 0,
    with_peers: Annotated[
        bool,
        typer.Option("--peers", help="Also measure boardgame.io from npm, with its own client, in memory."),
    ] = False,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Plot where the time goes into this file, PNG or SVG.")
    ] = None,
    quick: Annotated[bool, typer.Option(help="One short round.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Measures the CPU time of PlayAction and ListLegalActions on the service, beside bare echoes.

    The service runs on a real redis-server. An echo is a bare grpc.aio server or a bare uvicorn application
    that sends the request back, on the same machine in the same run: ratios to it can be compared between
    machines. A step of a bot is ListLegalActions and then PlayAction. Over `stream` the moves are items of
    one PlayStream, and legal actions are listed over gRPC.
    """
    plan = Plan(
        600 if quick else moves,
        games,
        1 if quick else rounds,
        fsync,
        chosen(TRANSPORTS, transport),
        chosen(TITLES, title),
        watchers,
        open_games,
    )
    report = measure(plan)
    if with_peers:
        report.peer = peers.measure(games, plan.moves)
    if picture:
        plot.draw(report.costs(), picture)
    if as_json:
        print(json.dumps(facts(report)))
        return
    out.print(table(report))
    for line in remarks(report, with_peers):
        out.print(line, highlight=False)


def remarks(report: Report, with_peers: bool) -> Iterator[str]:
    """Yields the lines below the table."""
    if report.plan.watchers:
        yield f"A message to one of 100 watchers over gRPC: {report.watcher():.0f} µs (aim {WATCHER_AIM:g})."
    if report.growth:
        yield from growth_lines(report.growth)
    if report.peer:
        yield (
            f"boardgame.io, tic-tac-toe in memory: {report.peer['server_cpu_us']:.0f} µs a move, "
            f"{1e6 / report.peer['server_cpu_us']:.0f} moves per second of CPU time."
        )
        for title, share in stream_shares(report).items():
            yield f"{title} over PlayStream: {share:.2f} times as many moves per second of CPU time (aim 1)."
    elif with_peers:
        yield peers.NO_NPM


def growth_lines(growth: dict[str, Any]) -> Iterator[str]:
    for size, found in growth["open_games"].items():
        yield (
            f"{size} open games: {found['play']['server_cpu_us']:.0f} µs a move, "
            f"{found['legal']['server_cpu_us']:.0f} a list; {found['resident_kib'] / 1024:.0f} MiB."
        )
    watching = growth["watching"]
    yield (
        f"A watcher, of {watching['watchers']}: {watching['kib_per_watcher']:.0f} KiB; "
        f"{watching['kib_per_watcher_after_moves']:.0f} after {watching['moves']} moves, "
        f"{watching['kib_per_watcher_after_twice_the_moves']:.0f} after twice as many."
    )


def stream_shares(report: Report) -> dict[str, float]:
    """Returns the moves per second of CPU time over PlayStream, as multiples of those of boardgame.io."""
    if report.peer is None or "stream" not in report.plan.transports:
        return {}
    peer = float(report.peer["server_cpu_us"])
    return {title: peer / report.cpu(title, "stream", "play") for title in report.plan.titles}


def chosen(known: tuple[str, ...], wanted: list[str] | None) -> tuple[str, ...]:
    if unknown := set(wanted or ()) - set(known):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} is not one of {', '.join(known)}")
    return tuple(name for name in known if not wanted or name in wanted)


if __name__ == "__main__":
    app()
