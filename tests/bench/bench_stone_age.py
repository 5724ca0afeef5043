"""Random play of Stone Age with full lists of legal actions, beside random chess by python-chess.

    PYTHONPATH=service python tests/bench/bench_stone_age.py speed
    PYTHONPATH=service python tests/bench/bench_stone_age.py count --games 1000

`speed` needs the package `chess`. Both sides list every legal move and toss a coin; stretches of
processor time alternate, so that a busy machine slows both, and the ratio is the median over them.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, median
from typing import TypeVar

from gamehost.rules.kit import replay
from gamehost.rules.stone_age import STONE_AGE
from gamehost.rules.stone_age.model import State

AIM = 0.5
T = TypeVar("T")


class QuickChance:
    """Luck without a proof: the rules are measured here, not the proof."""

    def __init__(self, coin: random.Random) -> None:
        self._coin = coin

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return tuple(self._coin.choices(range(1, sides + 1), k=dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._coin.sample(bag, count))


def stone_age_game(number: int) -> Iterator[tuple[State, int]]:
    """The state and the number of legal actions at every decision of a game for two, three or four."""
    coin = random.Random(number)
    chance = QuickChance(coin)
    state = replay(STONE_AGE, STONE_AGE.setup(STONE_AGE.options(), 2 + number % 3, chance))
    while questions := STONE_AGE.decisions(state):
        seat = questions[0].seat
        actions = list(STONE_AGE.legal_actions(state, seat))
        yield state, len(actions)
        events = STONE_AGE.decide(state, seat, coin.choice(actions), chance)
        state = replay(STONE_AGE, events, state)


def chess_game(number: int) -> Iterator[object]:
    """As the documentation of python-chess has it: ask whether it is over, list, push."""
    import chess

    coin, board = random.Random(number), chess.Board()
    while not board.is_game_over():
        yield board
        board.push(coin.choice(list(board.legal_moves)))


def bare_chess_game(number: int) -> Iterator[object]:
    """Without asking whether it is over, as long as there are moves."""
    import chess

    coin, board = random.Random(number), chess.Board()
    while (moves := list(board.legal_moves)) and board.halfmove_clock < 150:
        yield board
        board.push(coin.choice(moves))


def per_second(game: Callable[[int], Iterator[object]], seconds: float, first: int) -> float:
    decisions, begun, number = 0, time.process_time(), first
    while time.process_time() - begun < seconds:
        decisions += sum(1 for _ in game(number))
        number += 1
    return decisions / (time.process_time() - begun)


def speed(seconds: float, stretches: int) -> None:
    per_second(stone_age_game, seconds, 0)
    ratios, bare_ratios = [], []
    for stretch in range(stretches):
        kinds = (stone_age_game, chess_game, bare_chess_game)
        ours, chess, bare = (per_second(game, seconds, 100 * stretch) for game in kinds)
        ratios.append(ours / chess)
        bare_ratios.append(ours / bare)
        print(
            f"stone_age {ours:7.0f}/s  python-chess {chess:7.0f}/s  without asking for the end {bare:7.0f}/s"
        )
    print(
        f"median ratio {median(ratios):.2f}, aim {AIM}; without asking for the end {median(bare_ratios):.2f}"
    )


def count(games: int) -> None:
    counts, ends, longest = [], Counter[str](), (0, "")
    for number in range(games):
        for state, found in stone_age_game(number):
            counts.append(found)
            longest = max(longest, (found, type(state.agenda[-1]).__name__))
        ends[f"{state.round // 10 * 10}+ rounds"] += 1
    print(f"{games} games, {len(counts)} decisions")
    print(
        f"legal actions: most {longest[0]} ({longest[1]}), median {median(counts)}, mean {mean(counts):.1f}"
    )
    print(dict(sorted(ends.items())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["speed", "count"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--stretches", type=int, default=7)
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    speed(given.seconds, given.stretches) if given.what == "speed" else count(given.games)


if __name__ == "__main__":
    main()
