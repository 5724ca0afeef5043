"""The stages of the benchmark: highest rate, costs of more games, of watchers, and of each title."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .rehearsal import moves_of_a_game
from .site import Place, Reading, place

AT_ONCE = 50
PER_GAME = 20  # watchers
SHARES = (0.5, 0.7, 0.85, 1.0)  # of the highest throughput, one step after the other
WHOSE = ("service", "redis", "driver")


@dataclass(frozen=True)
class Plan:
    """Settings of a run; `bound` is the highest p99 allowed, in milliseconds."""

    seconds: float = 3.0
    bound: float = 50.0
    drivers: int = 1
    arrangements: tuple[tuple[str, str, int], ...] = ()  # mode, transport, processes
    at_once: int = 100  # games, where their number does not matter
    shares: tuple[float, ...] = SHARES
    games: tuple[int, ...] = (100, 1_000, 10_000)
    watchers: int = 1_000
    watched_over: tuple[str, ...] = ("grpc", "rest")
    watched_title: str = "tigris"  # whose views are the largest
    watched_moves: int = 70  # more than a watcher may fall behind
    titles: tuple[str, ...] = ("tides", "stone_age", "tigris", "tigris_cards")
    title_games: int = 40


@dataclass
class Figures:
    rates: list[dict[str, Any]] = field(default_factory=list)
    growth: list[dict[str, Any]] = field(default_factory=list)
    watchers: list[dict[str, Any]] = field(default_factory=list)
    titles: list[dict[str, Any]] = field(default_factory=list)


Tell = Callable[[str], None]


def count(plan: Plan) -> int:
    """Returns how often `tell` is called."""
    return (
        len(plan.arrangements)
        + len(plan.games)
        + len(plan.watched_over) * bool(plan.watchers)
        + len(plan.titles)
    )


def measured(plan: Plan, tell: Tell) -> Figures:
    figures = Figures()
    for mode, transport, workers in plan.arrangements:
        with site(plan, mode=mode, transport=transport, workers=workers) as here:
            figures.rates.append(highest(here, plan, mode, transport, workers))
            tell(f"{mode} {transport}, processes: {workers}")
    for row in growth(plan):
        figures.growth.append(row)
        tell(f"{row['games']:,} games")
    for transport in plan.watched_over if plan.watchers else ():
        with site(plan, transport=transport, title=plan.watched_title) as here:
            figures.watchers.append(watched(here, plan, transport))
            tell(f"{plan.watchers:,} watchers, {transport}")
    for title in plan.titles:
        with site(plan, title=title) as here:
            figures.titles.append(of_title(here, plan, title))
            tell(title)
    return figures


@contextmanager
def site(plan: Plan, **chosen: Any) -> Iterator[Place]:
    with (
        tempfile.TemporaryDirectory(prefix="bench-load-") as folder,
        place(Path(folder), drivers=plan.drivers, **chosen) as here,
    ):
        yield here


def highest(here: Place, plan: Plan, mode: str, transport: str, workers: int) -> dict[str, Any]:
    """Raises the rate until the p99 exceeds the bound; returns the steps, and the last good one."""
    most = at_most(here, plan)
    steps: list[dict[str, Any]] = []
    for share in plan.shares:
        steps.append(stretch(here, plan.at_once, most * share, plan.seconds))
        if steps[-1]["p99_ms"] > plan.bound:
            break
    good = [step for step in steps if step["p99_ms"] <= plan.bound]
    named = {"mode": mode, "transport": transport, "processes": workers, "at_most": most}
    return {
        **named,
        "within_bound": bool(good),
        "best": (good or steps)[-1],
        "half": steps[0],
        "steps": steps,
    }


def at_most(here: Place, plan: Plan) -> float:
    """Returns the highest throughput in moves per second, after a warm-up."""
    here.crew.open(plan.at_once, 500 * plan.seconds / 3)
    here.crew.race(AT_ONCE, plan.seconds / 3)
    here.crew.open(plan.at_once, 1500 * plan.seconds / 2)
    raced = here.crew.race(AT_ONCE, plan.seconds / 2)
    return sum(len(each["microseconds"]) / each["seconds"] for each in raced)


def stretch(here: Place, games: int, rate: float, seconds: float) -> dict[str, Any]:
    """Plays moves at that rate for so long; returns latencies, and the CPU time of each process."""
    here.crew.open(games, rate * seconds)
    before = here.reading()
    told = here.crew.run(rate, seconds)
    after = here.reading()
    times = sorted(time for each in told for time in each["microseconds"])
    if failed := [problem for each in told for problem in each["failed"]]:
        raise RuntimeError(f"{len(failed)} moves failed, the first with {failed[0]}")
    return {
        "rate": rate,
        "moves": len(times),
        "moves_per_second": len(times) / max(each["seconds"] for each in told),
        **{f"p{share}_ms": percentile(times, share) for share in (50, 99, 99.9)},
        "us_per_move": {who: used(before, after, who) / len(times) * 1e6 for who in WHOSE},
        "busy": {who: used(before, after, who) / (after.at - before.at) for who in WHOSE},
        "heard": sum(each["heard"] for each in told),
    }


def percentile(ordered: list[int], share: float) -> float:
    """Returns a percentile in milliseconds."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))] / 1000


def used(before: Reading, after: Reading, who: str) -> float:
    return after.cpu[who] - before.cpu[who]


def held(before: Reading, after: Reading, who: str) -> int:
    return after.held[who] - before.held[who]


def growth(plan: Plan) -> Iterator[dict[str, Any]]:
    """Measures the same rate with more and more open games, and the memory of each game."""
    if not plan.games:
        return
    with site(plan) as here:
        half = at_most(here, plan) / 2
        for games in plan.games:
            before = here.reading()
            opened = sum(each["opened"] for each in here.crew.open(games))
            after = here.reading()
            row = stretch(here, games, half, plan.seconds)
            each = {who: held(before, after, who) / max(1, opened) for who in ("service", "store")}
            yield {"games": games, "opened": opened, "bytes_per_game": each, **row}


def watched(here: Place, plan: Plan, transport: str) -> dict[str, Any]:
    """Measures the memory of a watcher after many messages, and the cost of a message.

    Before that, one watcher of each game gets as many messages, so that the caches are full.
    """
    games, rate = max(1, plan.watchers // PER_GAME), 50.0
    here.crew.open(games, 3 * rate * plan.seconds)
    alone = stretch(here, games, rate, plan.seconds)
    here.crew.watch(games)
    here.crew.play(plan.watched_moves)
    before = here.reading()
    here.crew.watch(plan.watchers)
    here.crew.play(plan.watched_moves)
    after = here.reading()
    row = stretch(here, games, rate, plan.seconds)
    told = max(1, row["heard"])
    more = {who: row["us_per_move"][who] - alone["us_per_move"][who] for who in WHOSE}
    return {
        "transport": transport,
        "watchers": plan.watchers,
        "games": games,
        "bytes_per_watcher": held(before, after, "service") / (plan.watchers - games),
        "us_per_message": {who: more[who] * row["moves"] / told for who in WHOSE},
        "messages": told,
        "alone": alone,
        **row,
    }


def of_title(here: Place, plan: Plan, title: str) -> dict[str, Any]:
    """Measures moves of games of one title, and the memory of their keys in the store."""
    opened = sum(each["opened"] for each in here.crew.open(plan.title_games, 250 * plan.seconds))
    new = here.weight()
    warm = here.crew.run(100, 1)
    row = stretch(here, plan.title_games, 150, plan.seconds)
    moves = row["moves"] + sum(len(each["microseconds"]) for each in warm)
    length, each_move = moves_of_a_game(title), (here.weight() - new) / moves
    return {
        "title": title,
        "moves_of_a_game": length,
        "bytes_new": new / opened,
        "bytes_per_move": each_move,
        "bytes_finished": new / opened + length * each_move,
        **row,
    }
