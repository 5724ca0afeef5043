"""PlayAction under load, beside what the same server does with an empty handler and with a bare append."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.moves import load, server
from bench.moves.player import MOVES
from support.servers import can_connect, free_port, redis_server
from support.waiting import wait_until

VARIANTS = ("empty", "append", "real")
TRANSPORTS = ("grpc", "rest")
FSYNCS = ("everysec", "always")
AIM = 0.6
BUSY = 0.9  # of one processor

out, err = Console(), Console(stderr=True)


@dataclass(frozen=True)
class Plan:
    seconds: float
    games: int
    rounds: int
    fsyncs: tuple[str, ...]
    transports: tuple[str, ...]
    variants: tuple[str, ...]

    @property
    def stretches(self) -> int:
        return self.rounds * len(self.fsyncs) * len(self.transports) * len(self.variants)


@dataclass
class Report:
    plan: Plan
    fsync_ms: float
    measured: dict[tuple[str, str, str], list[dict[str, Any]]] = field(default_factory=dict)

    def figure(self, of: tuple[str, str, str], name: str) -> float:
        return median(float(result[name]) for result in self.measured[of])

    def busy(self, of: tuple[str, str, str], who: str) -> float:
        return median(float(result["busy"][who]) for result in self.measured[of])

    def shares(self, fsync: str, transport: str, of: str) -> list[float]:
        """How the real server stands to another, by moves per second and by processor time for a move.

        The second is the steadier one where other work shares the machine. Medians of the rounds.
        """
        ours, theirs = (self.measured.get((fsync, transport, variant)) for variant in ("real", of))
        if not ours or not theirs:
            return []
        pairs = list(zip(ours, theirs, strict=True))
        by_rate = median(mine["moves_per_second"] / its["moves_per_second"] for mine, its in pairs)
        cpu = "server_cpu_us_per_move"
        return [by_rate, median(its[cpu] / mine[cpu] for mine, its in pairs)]


@dataclass(frozen=True)
class Running:
    variant: server.Variant
    pid: int


def measure(plan: Plan) -> Report:
    with tempfile.TemporaryDirectory(prefix="bench-moves-") as name, progress() as bar:
        folder = Path(name)
        report = Report(plan, fsync_ms(folder))
        task = bar.add_task("", total=plan.stretches)
        for fsync in plan.fsyncs:
            for transport, variant, result in measure_store(plan, folder, fsync):
                report.measured.setdefault((fsync, transport, variant), []).append(result)
                rate = f"{result['moves_per_second']:,.0f}/s"
                bar.update(task, advance=1, description=f"{fsync} {transport} {variant} {rate}")
        return report


def measure_store(plan: Plan, folder: Path, fsync: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """All servers run the whole time and are measured in turn, so that what slows one slows all."""
    settings = {"appendfsync": fsync, "auto-aof-rewrite-percentage": "0"}
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(folder / fsync, **settings))
        redis_pid = int(redis.ask("INFO", "server")["process_id"])
        running = {name: stack.enter_context(serving(folder, name, redis.url)) for name in plan.variants}
        for number in range(plan.rounds):
            for transport in plan.transports:
                for name in turned(plan.variants, number):
                    yield transport, name, loaded(plan, transport, running[name], redis_pid)


def turned(names: tuple[str, ...], number: int) -> tuple[str, ...]:
    start = number % len(names)
    return names[start:] + names[:start]


def loaded(plan: Plan, transport: str, running: Running, redis_pid: int) -> dict[str, Any]:
    variant, pids = running.variant, {"server": running.pid, "redis": redis_pid}
    task = load.Task(
        transport,
        variant.name == "real",
        plan.games,
        plan.seconds,
        variant.port,
        variant.grpc_port,
        pids,
    )
    done = subprocess.run(
        [sys.executable, *load.arguments(task)], env=environment(), stdout=subprocess.PIPE, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@contextmanager
def serving(folder: Path, name: str, redis: str) -> Iterator[Running]:
    variant = server.Variant(name, redis, free_port(), free_port())
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *server.arguments(variant)], env=environment(), stdout=log, stderr=log
        )
    try:
        wait_until(lambda: can_connect(variant.port) and can_connect(variant.grpc_port))
        yield Running(variant, process.pid)
    finally:
        process.terminate()
        process.wait(15)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def fsync_ms(folder: Path, times: int = 50) -> float:
    """What this disk takes to keep a small write, in milliseconds."""
    with (folder / "probe").open("wb") as probe:
        began = time.perf_counter()
        for _ in range(times):
            probe.write(bytes(512))
            probe.flush()
            os.fsync(probe.fileno())
        return (time.perf_counter() - began) / times * 1000


def progress() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=err, disable=not sys.stderr.isatty())


def table(report: Report) -> Table:
    plan = report.plan
    title = f"PlayAction, {plan.games} games of Tides at once: median of {plan.rounds} x {plan.seconds:g} s"
    shown = Table(title=title)
    shown.add_column("appendfsync")
    shown.add_column("over")
    shown.add_column("server")
    for heading in (
        "moves/s", "p50 ms", "p99 ms", "CPU µs/move", "server busy", "client busy", "redis busy",
        "real is", "by CPU",
    ):  # fmt: skip
        shown.add_column(heading, justify="right")
    for of in report.measured:
        shown.add_row(*of, *figures(report, of), end_section=of[2] == plan.variants[-1])
    return shown


def figures(report: Report, of: tuple[str, str, str]) -> list[str]:
    fsync, transport, variant = of
    shares = () if variant == "real" else report.shares(fsync, transport, variant)
    return [
        f"{report.figure(of, 'moves_per_second'):,.0f}",
        f"{report.figure(of, 'p50_ms'):.1f}",
        f"{report.figure(of, 'p99_ms'):.1f}",
        f"{report.figure(of, 'server_cpu_us_per_move'):.0f}",
        *(f"{report.busy(of, who):.0%}" for who in ("server", "client", "redis")),
        *(f"{share:.0%}" for share in shares),
    ]


def verdicts(report: Report) -> Iterator[str]:
    """A rate tells about a server only if that server, and nothing else on the machine, was the limit."""
    for fsync in report.plan.fsyncs:
        for transport in report.plan.transports:
            if not (shares := report.shares(fsync, transport, "append")):
                continue
            busy = min(report.busy((fsync, transport, variant), "server") for variant in ("append", "real"))
            word = "[green]met[/]" if shares[0] >= AIM else "[red]missed[/]"
            word = word if busy >= BUSY else f"[yellow]unsure, a server was only {busy:.0%} busy[/]"
            rate, cpu = (f"{share:.0%}" for share in shares)
            yield f"{transport}, {fsync}: {rate} of append, {cpu} by CPU (aim {AIM:.0%}: {word})"


def facts(report: Report) -> dict[str, Any]:
    plan = report.plan
    return {
        "seconds": plan.seconds,
        "games": plan.games,
        "rounds": plan.rounds,
        "moves_of_a_game": MOVES,
        "fsync_ms": report.fsync_ms,
        "aim": AIM,
        "measured": [
            {"appendfsync": fsync, "transport": transport, "server": variant, "rounds": results}
            for (fsync, transport, variant), results in report.measured.items()
        ],
        "real_to_append": [
            {"appendfsync": fsync, "transport": transport, "by_rate": shares[0], "by_cpu": shares[1]}
            for fsync in plan.fsyncs
            for transport in plan.transports
            if (shares := report.shares(fsync, transport, "append"))
        ],
    }


app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
Choices = Annotated[list[str] | None, typer.Option(help="Only this one; may be repeated.")]


@app.command(
    epilog="Examples:\n\n    python3 tests bench bench_moves --quick\n\n"
    "    python3 tests bench bench_moves --seconds 10 --rounds 5 --json\n\n"
    "    python3 tests bench bench_moves --transport grpc --fsync always"
)
def main(
    seconds: Annotated[float, typer.Option(min=0.5, help="How long each stretch is measured.")] = 5.0,
    games: Annotated[int, typer.Option(min=1, help="Games at once, one move under way in each.")] = 50,
    rounds: Annotated[int, typer.Option(min=1, help="How often each server is measured, in turn.")] = 3,
    fsync: Choices = None,
    transport: Choices = None,
    server: Choices = None,
    quick: Annotated[bool, typer.Option(help="One round of 2 seconds: a first impression.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Moves per second and latency of PlayAction on a real redis-server, and the ceiling beside them.

    [bold]empty[/] answers nothing; [bold]append[/] writes one event and answers a message of typical size,
    without rules; [bold]real[/] is the service. All else is the same for the three.
    """
    plan = Plan(
        2.0 if quick else seconds,
        games,
        1 if quick else rounds,
        chosen(FSYNCS, fsync),
        chosen(TRANSPORTS, transport),
        chosen(VARIANTS, server),
    )
    report = measure(plan)
    if as_json:
        print(json.dumps(facts(report)))
        return
    out.print(table(report))
    out.print(f"An fsync of this disk takes {report.fsync_ms:.2f} ms.", highlight=False)
    for line in verdicts(report):
        out.print(line, highlight=False)


def chosen(known: tuple[str, ...], wanted: list[str] | None) -> tuple[str, ...]:
    if unknown := set(wanted or ()) - set(known):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))} is not one of {', '.join(known)}")
    return tuple(name for name in known if not wanted or name in wanted)


if __name__ == "__main__":
    app()
