"""Decisions a second of random play, with the full list of legal actions at each, beside python-chess.

Run with `python3 tests bench rules [title ...]`; python-chess (`pip install chess`) is optional.
Time is the processor time of this process, and the two take turns, so that other work on the machine
weighs on both alike.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, replay

try:
    import chess
except ImportError:
    chess = None

T = TypeVar("T")

ROUNDS = 7
SECONDS = 1.0
COUNTED_GAMES = 1000


class Coin:
    """Luck that costs next to nothing: the rules are measured, not the proof of fairness."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return tuple(self._random.randint(1, sides) for _ in range(dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._random.sample(bag, count))

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random.random() * len(items))]


def random_game(rules: AnyRules, coin: Coin) -> list[int]:
    """How many legal actions each decision of one game had."""
    state = replay(rules, rules.setup(rules.options(), rules.seats[-1], coin))
    counts = []
    while questions := rules.decisions(state):
        seat = coin.pick(questions).seat
        actions = list(rules.legal_actions(state, seat))
        counts.append(len(actions))
        state = replay(rules, rules.decide(state, seat, coin.pick(actions), coin), state)
    return counts


def random_chess(coin: Coin) -> list[int]:
    assert chess is not None
    board, counts = chess.Board(), []
    while moves := list(board.legal_moves):
        counts.append(len(moves))
        board.push(coin.pick(moves))
        if board.halfmove_clock >= 100:
            break
    return counts


def decisions_a_second(play: Callable[[Coin], list[int]], seed: int) -> float:
    coin, decisions = Coin(seed), 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        decisions += len(play(coin))
    return decisions / spent


def compare(title: str) -> None:
    def play(coin: Coin) -> list[int]:
        return random_game(CATALOG[title], coin)

    if chess is None:
        print(f"{title}: {decisions_a_second(play, 0):,.0f}/s; python-chess is not installed")
        return
    rounds = [(decisions_a_second(play, n), decisions_a_second(random_chess, n)) for n in range(ROUNDS)]
    ours, theirs = (statistics.median(row) for row in zip(*rounds, strict=True))
    ratio = statistics.median(one / other for one, other in rounds)
    print(
        f"{title}: {ours:,.0f}/s, python-chess: {theirs:,.0f}/s, "
        f"ratio {ratio:.2f} (median of {ROUNDS} rounds)"
    )


def count(title: str) -> None:
    coin = Coin(0)
    counts = [number for _ in range(COUNTED_GAMES) for number in random_game(CATALOG[title], coin)]
    print(
        f"{title}: {len(counts):,} decisions in {COUNTED_GAMES:,} games, legal actions: "
        f"median {statistics.median(counts):.0f}, most {max(counts)}"
    )


def main() -> None:
    for title in sys.argv[1:] or ["tigris"]:
        compare(title)
        count(title)


if __name__ == "__main__":
    main()
