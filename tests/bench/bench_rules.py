"""Measures decisions per second of random play on the pure rules, beside python-chess, and counts actions.

    python3 tests bench rules                          every title
    python3 tests bench rules tigris --rounds 3        one title, a short run
    python3 tests bench rules --count 1000 --json      legal actions over 1,000 random games

Every decision lists all legal actions before one is picked. Time is the CPU time of this process on
one core; a title and chess take turns, so that other load on the machine affects both equally.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import chess
from rich.console import Console
from rich.progress import track
from rich.table import Table

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, led_to, replay

T = TypeVar("T")

AIM = 0.5
SECONDS = 1.0
console = Console(stderr=True)


class Coin:
    """Cheap luck, because the rules are measured and not the provable draws."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return tuple(self._random.choices(range(1, sides + 1), k=dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._random.sample(bag, count))

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random.random() * len(items))]


def random_game(rules: AnyRules, coin: Coin) -> list[int]:
    """Plays one game; returns the number of legal actions of each decision."""
    state = replay(rules, rules.setup(rules.options(), coin.pick(rules.seats), coin))
    counts = []
    while questions := rules.decisions(state):
        seat = coin.pick(questions).seat
        actions = list(rules.legal_actions(state, seat))
        counts.append(len(actions))
        state = led_to(rules, rules.decide(state, seat, coin.pick(actions), coin), state)
    return counts


def random_chess(coin: Coin) -> list[int]:
    """Plays one game of chess, with no draw but the fifty-move rule; returns the numbers of legal moves."""
    board, counts = chess.Board(), []
    while (moves := list(board.legal_moves)) and board.halfmove_clock < 100:
        counts.append(len(moves))
        board.push(coin.pick(moves))
    return counts


def decisions_a_second(play: Callable[[Coin], list[int]], seed: int) -> float:
    coin, decisions = Coin(seed), 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        decisions += len(play(coin))
    return decisions / spent


def compared(title: str, rounds: int) -> dict[str, Any]:
    def play(coin: Coin) -> list[int]:
        return random_game(CATALOG[title], coin)

    steps = track(range(rounds), description=title, console=console, disable=not sys.stderr.isatty())
    pairs = [(decisions_a_second(play, n), decisions_a_second(random_chess, n)) for n in steps]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    return {"title": title, "per_second": round(ours), "chess": round(theirs), "ratio": round(ratio, 2)}


def counted(title: str, games: int) -> dict[str, Any]:
    coin = Coin(0)
    steps = track(range(games), description=title, console=console, disable=not sys.stderr.isatty())
    counts = [number for _ in steps for number in random_game(CATALOG[title], coin)]
    return {
        "title": title,
        "games": games,
        "decisions": len(counts),
        "median": statistics.median(counts),
        "mean": round(statistics.mean(counts), 1),
        "most": max(counts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("titles", nargs="*", default=list(CATALOG), help="default: all")
    parser.add_argument("--rounds", type=int, default=7, help="of a second each, for either side")
    parser.add_argument("--count", type=int, default=0, metavar="GAMES", help="count legal actions instead")
    parser.add_argument("--json", action="store_true", help="for machines")
    asked = parser.parse_args()
    if unknown := set(asked.titles) - CATALOG.keys():
        parser.error(f"no such title: {', '.join(sorted(unknown))}")
    rows = [counted(t, asked.count) if asked.count else compared(t, asked.rounds) for t in asked.titles]
    if asked.json:
        print(json.dumps(rows))
        return
    table = Table(
        *rows[0], title="legal actions" if asked.count else f"decisions a second, aim {AIM} of chess"
    )
    for row in rows:
        table.add_row(*map(str, row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
