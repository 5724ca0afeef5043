"""Formats the figures as Markdown tables and an example, for the sizing part of `k8s/README.md`."""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamehost.settings import LIMITS

from .stages import PER_GAME, Figures, Plan

BUSY = 0.7  # of a core in use: the target of the autoscaler


@dataclass(frozen=True)
class Wish:
    """The load of a service to be sized."""

    games: int = 10_000
    seconds_between_moves: float = 20.0
    watchers: int = 20_000
    finished_a_day: int = 50_000
    days_kept: int = 30


def page(figures: Figures, plan: Plan, when: str, remark: str = "") -> str:
    parts = [
        f"Measured {when} with `python3 tests bench load` on {machine()}. {remark}".strip(),
        f"Service, Redis and the driver that plays share these cores, so a figure for several processes shows"
        f" what is left for them, not what they could do; count by CPU time per move. Moves begin at random"
        f' moments by a schedule and are timed from the moment it names. "Highest rate" is the last step with'
        f" a p99 below {plan.bound:g} ms; each step takes {plan.seconds:g} s.",
        rates(figures.rates),
        growth(figures.growth),
        titles(figures.titles),
        watchers(figures.watchers, plan),
        example(figures, Wish()),
    ]
    return "\n\n".join(part for part in parts if part)


def machine() -> str:
    found = re.findall(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    model = f" ({found[0]})" if found else ""
    return f"{len(found) or 1} cores{model}, Python {platform.python_version()}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table; all columns but the first are numbers."""
    rules = ["---", *("---:" for _ in headings[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, rules, *rows))


def rates(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return ""
    headings = [
        "store, transport, processes", "highest rate, moves/s", "p50 ms", "p99 ms", "p99.9 ms",
        "service µs/move", "Redis µs/move", "driver µs/move", "service, Redis, driver busy",
    ]  # fmt: skip
    return table(headings, map(rate_row, rows))


def rate_row(row: dict[str, Any]) -> list[str]:
    best = row["best"]
    cost, busy = best["us_per_move"], best["busy"]
    return [
        f"{row['mode']}, {row['transport']}, {row['processes']}",
        f"{best['moves_per_second']:,.0f}" if row["within_bound"] else f"under {best['rate']:,.0f}",
        *(f"{best[name]:.1f}" for name in ("p50_ms", "p99_ms", "p99.9_ms")),
        *(f"{cost[who]:.0f}" for who in ("service", "redis", "driver")),
        ", ".join(f"{busy[who]:.2f}" for who in ("service", "redis", "driver")),
    ]


def growth(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return ""
    headings = [
        "open games", "moves/s", "p50 ms", "p99 ms", "p99.9 ms", "service µs/move", "Redis µs/move",
        "service KiB/game", "Redis KiB/game",
    ]  # fmt: skip
    return table(headings, map(growth_row, rows))


def growth_row(row: dict[str, Any]) -> list[str]:
    """Returns a row; leaves out the memory of few games, which is lost in that of the process."""
    each = row["bytes_per_game"]
    memory = [f"{each[who] / 1024:.1f}" if row["opened"] >= 500 else "" for who in ("service", "store")]
    return [
        f"{row['games']:,}",
        f"{row['moves_per_second']:,.0f}",
        *(f"{row[name]:.1f}" for name in ("p50_ms", "p99_ms", "p99.9_ms")),
        *(f"{row['us_per_move'][who]:.0f}" for who in ("service", "redis")),
        *memory,
    ]


def titles(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return ""
    headings = [
        "title, two seats", "service µs/move", "Redis µs/move", "p99 ms", "moves of a random game",
        "Redis KiB, new game", "Redis bytes/move", "Redis KiB, finished game",
    ]  # fmt: skip
    return table(headings, map(title_row, rows))


def title_row(row: dict[str, Any]) -> list[str]:
    return [
        f"`{row['title']}`",
        *(f"{row['us_per_move'][who]:.0f}" for who in ("service", "redis")),
        f"{row['p99_ms']:.1f}",
        f"{row['moves_of_a_game']}",
        f"{row['bytes_new'] / 1024:.1f}",
        f"{row['bytes_per_move']:.0f}",
        f"{row['bytes_finished'] / 1024:.1f}",
    ]


def watchers(rows: Sequence[dict[str, Any]], plan: Plan) -> str:
    if not rows:
        return ""
    headings = ["watchers over", "service KiB/watcher", "service µs/message", "messages/s", "p99 ms of moves"]
    return f"{table(headings, map(watcher_row, rows))}\n\n{told(plan)}"


def told(plan: Plan) -> str:
    return (
        f"Watchers are {PER_GAME} to a game of `{plan.watched_title}`, its seats among them; what they hold"
        f" is weighed after each was told {plan.watched_moves} moves and what was told lately has its room."
    )


def watcher_row(row: dict[str, Any]) -> list[str]:
    seconds = row["moves"] / row["moves_per_second"]
    return [
        f"{'gRPC' if row['transport'] == 'grpc' else 'server-sent events'}",
        f"{row['bytes_per_watcher'] / 1024:.1f}",
        f"{row['us_per_message']['service']:.0f}",
        f"{row['messages'] / seconds:,.0f}",
        f"{row['p99_ms']:.1f}",
    ]


def example(figures: Figures, wish: Wish) -> str:
    if not (figures.growth and figures.titles and figures.watchers):
        return ""
    return "\n".join(
        [
            f"**Example:** {wish.games:,} games at once with a move every {wish.seconds_between_moves:g} s,"
            f" {wish.watchers:,} watchers spread over them, {wish.finished_a_day:,} finished games a day kept"
            f" for {wish.days_kept} days, by the dearest title above:",
            "",
            *(f"- {line}" for line in sums(figures, wish)),
        ]
    )


def sums(figures: Figures, wish: Wish) -> Iterator[str]:
    """Yields every step of the calculation, so that readers can use their own numbers."""
    moves = wish.games / wish.seconds_between_moves
    messages = moves * wish.watchers / wish.games
    dearest = max(figures.titles, key=lambda row: row["us_per_move"]["service"])
    cost, redis = (dearest["us_per_move"][who] for who in ("service", "redis"))
    watcher = max(figures.watchers, key=lambda row: row["bytes_per_watcher"])
    message = max(0.0, *(row["us_per_message"]["service"] for row in figures.watchers))
    cores = (moves * cost + messages * message) / 1e6
    by_cores, by_streams = math.ceil(cores / BUSY), math.ceil(wish.watchers / LIMITS["streams"])
    pods = max(2, by_cores, by_streams) + 1
    yield (
        f"{moves:,.0f} moves/s × {cost:,.0f} µs + {messages:,.0f} messages/s × {message:,.0f} µs ="
        f" {cores:.2f} cores of the service: {by_cores} pods with {BUSY} of a core in use."
        f" {wish.watchers:,} watchers at {LIMITS['streams']:,} streams in a pod: {by_streams} pods."
        f" The greater of the two, and one to spare: {pods} pods."
    )
    yield f"Redis: {moves:,.0f} moves/s × {redis:,.0f} µs = {moves * redis / 1e6:.2f} cores."
    each = watcher["bytes_per_watcher"]
    yield (
        f"Watchers: {wish.watchers:,} × {each / 1024:.0f} KiB = {wish.watchers * each / 2**20:,.0f} MiB,"
        f" {wish.watchers * each / 2**20 / (pods - 1):,.0f} MiB in a pod while one is away."
    )
    largest = max(figures.titles, key=lambda row: row["bytes_finished"])
    kept = wish.finished_a_day * wish.days_kept * largest["bytes_finished"]
    yield (
        f"Redis memory: {wish.games:,} open games × {largest['bytes_finished'] / 1024:.0f} KiB ="
        f" {wish.games * largest['bytes_finished'] / 2**30:.2f} GiB at the end of each; finished games"
        f" {wish.finished_a_day * wish.days_kept:,} × the same = {kept / 2**30:.1f} GiB."
    )


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def rewritten(text: str, part: str, name: str = "load") -> str:
    """Returns the page with the text between the marks replaced."""
    first, last = marks(name)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"the page has no {first} … {last}")
    return f"{before}{first}\n{part}\n{last}{after}"
