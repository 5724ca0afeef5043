"""Random play of the Euphrates & Tigris card game beside random chess by python-chess.

    PYTHONPATH=service python tests/bench/bench_tigris_cards.py speed
    PYTHONPATH=service python tests/bench/bench_tigris_cards.py count --games 1000

`speed` needs the package `chess`. Both sides list every legal move before they toss a coin; stretches
of the two alternate, so that a busy machine slows both, and the ratio is the median over the pairs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import mean, median

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import replay
from gamehost.rules.tigris_cards import TIGRIS_CARDS
from gamehost.rules.tigris_cards.model import State

AIM = 0.5


def card_game(number: int) -> Iterator[tuple[State, int]]:
    """The state and the number of legal actions at every decision of a game for two, three or four."""
    coin, seed = random.Random(number), b"%d" % number
    events = TIGRIS_CARDS.setup(TIGRIS_CARDS.options(), 2 + number % 3, SeededChance(seed, 0))
    state, told = replay(TIGRIS_CARDS, events), len(events)
    while questions := TIGRIS_CARDS.decisions(state):
        seat = questions[0].seat
        actions = list(TIGRIS_CARDS.legal_actions(state, seat))
        yield state, len(actions)
        new = TIGRIS_CARDS.decide(state, seat, coin.choice(actions), SeededChance(seed, told))
        state, told = replay(TIGRIS_CARDS, new, state), told + len(new)
    yield state, 0


def chess_game(number: int) -> Iterator[object]:
    import chess

    coin, board = random.Random(number), chess.Board()
    while (moves := list(board.legal_moves)) and not board.is_seventyfive_moves():
        yield board
        board.push(coin.choice(moves))


def per_second(game: Callable[[int], Iterator[object]], seconds: float, first: int) -> float:
    decisions, begun, number = 0, time.process_time(), first
    while time.process_time() - begun < seconds:
        decisions += sum(1 for _ in game(number))
        number += 1
    return decisions / (time.process_time() - begun)


def speed(seconds: float, stretches: int) -> None:
    per_second(card_game, seconds, 0)
    ratios = []
    for stretch in range(stretches):
        ours, chess = (per_second(game, seconds, 1000 * stretch) for game in (card_game, chess_game))
        ratios.append(ours / chess)
        print(f"tigris_cards {ours:8.0f}/s   python-chess {chess:8.0f}/s   ratio {ours / chess:.2f}")
    print(f"median ratio {median(ratios):.2f}, aim {AIM}")


def count(games: int) -> None:
    counts, by_phase, ends = list[int](), dict[str, list[int]](), Counter[str]()
    for number in range(games):
        for state, found in card_game(number):
            if state.ending is not None:
                ends[state.ending.name] += 1
                continue
            counts.append(found)
            by_phase.setdefault(type(state.agenda[-1]).__name__, []).append(found)
    print(f"{games} games, {len(counts)} decisions, ends {dict(ends)}")
    print(f"legal actions: most {max(counts)}, median {median(counts)}, mean {mean(counts):.1f}")
    for phase, found in by_phase.items():
        print(f"  {phase:12} {len(found):8}  most {max(found):4}  median {median(found)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["speed", "count"])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--stretches", type=int, default=7)
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    speed(given.seconds, given.stretches) if given.what == "speed" else count(given.games)


if __name__ == "__main__":
    main()
