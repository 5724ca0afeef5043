"""Measures steps per second of the learning environments with random legal actions, and prints their sizes.

    python3 tests bench learning                       every title
    python3 tests bench learning tides --rounds 3      one title, a short run
    python3 tests bench learning --json                as JSON

A step is the observation and the mask of an agent, a random legal action, and its effects. Time is the CPU
time of this process on one core.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from gamehost.learning import ENCODINGS, TitleEnv, aec_env

SECONDS = 1.0
console = Console(stderr=True)


def walk(env: TitleEnv, coin: np.random.Generator) -> None:
    """Makes one step; starts the next game when one is over."""
    observation, _, terminated, _, _ = env.last()
    if terminated:
        env.reset()
        return
    legal = np.flatnonzero(observation["action_mask"])
    env.step(int(legal[int(coin.random() * len(legal))]))


def steps_a_second(env: TitleEnv, seed: int) -> float:
    coin, steps = np.random.default_rng(seed), 0
    env.reset(seed=seed)
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        walk(env, coin)
        steps += 1
    return steps / spent


def copies_a_second(env: TitleEnv) -> float:
    copies, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS / 4:
        env.copy()
        copies += 1
    return copies / spent


def measured(title: str, seats: int, rounds: int) -> dict[str, Any]:
    env, encoding = aec_env(title, seats=seats), ENCODINGS[title]
    progress = track(range(rounds), description=title, console=console, disable=not sys.stderr.isatty())
    steps = statistics.median(steps_a_second(env, number) for number in progress)
    return {
        "title": title,
        "seats": seats,
        "observation": encoding.size,
        "actions": len(encoding.actions),
        "steps/s": round(steps),
        "copies/s": round(copies_a_second(env)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("titles", nargs="*", default=list(ENCODINGS), help="default: all")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="of a second each")
    parser.add_argument("--json", action="store_true", help="for machines")
    asked = parser.parse_args()
    if unknown := set(asked.titles) - ENCODINGS.keys():
        parser.error(f"no such title: {', '.join(sorted(unknown))}")
    rows = [measured(title, asked.seats, asked.rounds) for title in asked.titles]
    if asked.json:
        print(json.dumps(rows))
        return
    table = Table(*rows[0], title="learning environments, random masked play")
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
