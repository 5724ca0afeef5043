"""Measures decisions per second in the arena, by title and level, on two cores.

    python3 tests bench arena                            every title, random and greedy
    python3 tests bench arena tides --levels greedy      one title, one level
    python3 tests bench arena --seconds 3 --json         a short run, printed as JSON

Bots of one level play each other, game after game, in two processes. The time includes views, legal actions,
the thinking of the bots, the rules and the folding of tables. It is wall-clock time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from gamehost.arena.fixtures import Season, enter
from gamehost.arena.match import play_game
from gamehost.bots.levels import LEVEL_BY_NAME
from gamehost.rules.catalog import CATALOG

CORES = 2
SECONDS = 10.0
console = Console(stderr=True)


def decisions_in(title: str, level: str, seconds: float, seed: int) -> tuple[int, int, float]:
    """Plays games in this process; returns decisions, games and seconds."""
    entrants = tuple(enter(title, [level, level]))
    rules = CATALOG[title]
    season = Season(title, rules.options(), entrants, rules.seats.start, 1_000_000, seed)
    decisions = games = 0
    began, spent, fixtures = time.perf_counter(), 0.0, season.fixtures()
    while spent < seconds:
        decisions += sum(effort.decisions for effort in play_game(next(fixtures)).efforts)
        games, spent = games + 1, time.perf_counter() - began
    return decisions, games, spent


def measured(pool: ProcessPoolExecutor, title: str, level: str, seconds: float) -> dict[str, Any]:
    jobs = [pool.submit(decisions_in, title, level, seconds, seed) for seed in range(CORES)]
    results = [job.result() for job in jobs]
    return {
        "title": title,
        "level": level,
        "games": sum(games for _, games, _ in results),
        "per_second": round(sum(decisions / spent for decisions, _, spent in results), 1),
        "games_per_second": round(sum(games / spent for _, games, spent in results), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("titles", nargs="*", default=list(CATALOG), help="default: all")
    parser.add_argument("--levels", default="random,greedy", help="with commas between")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each title and level")
    parser.add_argument("--json", action="store_true", help="for machines")
    asked = parser.parse_args()
    if unknown := set(asked.titles) - CATALOG.keys():
        parser.error(f"no such title: {', '.join(sorted(unknown))}")
    levels = asked.levels.split(",")
    if unknown := {level.partition(":")[0] for level in levels} - LEVEL_BY_NAME.keys():
        parser.error(f"no such level: {', '.join(sorted(unknown))}")
    pairs = [(title, level) for title in asked.titles for level in levels]
    steps = track(pairs, description="arena", console=console, disable=not sys.stderr.isatty())
    with ProcessPoolExecutor(CORES, mp_context=multiprocessing.get_context("spawn")) as pool:
        rows = [measured(pool, title, level, asked.seconds) for title, level in steps]
    if asked.json:
        print(json.dumps(rows))
        return
    table = Table(*rows[0], title=f"decisions a second on {CORES} cores")
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
