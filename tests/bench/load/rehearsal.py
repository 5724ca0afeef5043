"""Computes all moves of a game in advance from its seed, so that a driver only sends them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gamehost.codec import json_write
from gamehost.codec.titles import TITLES
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import led_to, replay
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class Step:
    """One request as it is sent, and its seat."""

    seat: int
    request: bytes


def seats_of(title: str) -> int:
    return TITLES[title].rules.seats.start


def rehearsed(title: str, seed: bytes, coin: random.Random) -> Iterator[tuple[str, int, Any]]:
    """Plays a random game with the seed of a real one; yields decision, seat and action."""
    rules = TITLES[title].rules
    events = rules.setup(rules.options(), seats_of(title), SeededChance(seed, 0))
    state, position = replay(rules, events), len(events)
    while asked := rules.decisions(state):
        decision = asked[0]
        action = coin.choice(list(rules.legal_actions(state, decision.seat)))
        yield decision.id, decision.seat, action
        events = rules.decide(state, decision.seat, action, SeededChance(seed, position))
        state, position = led_to(rules, events, state), position + len(events)


def steps(title: str, game_id: str, seed: bytes, coin: random.Random, *, rest: bool) -> Iterator[Step]:
    for number, (decision, seat, action) in enumerate(rehearsed(title, seed, coin)):
        wired = game_pb2.Action(**{title: TITLES[title].action.encode(action)})
        asked = pb.PlayActionRequest(
            game_id=game_id, decision_id=decision, action=wired, request_id=f"load-{number:012d}"
        )
        yield Step(seat, json_write.write_message(asked) if rest else asked.SerializeToString())


def moves_of_a_game(title: str, samples: int = 3) -> int:
    """Returns the average number of moves of a random game."""
    coin = random.Random(1)
    counts = [sum(1 for _ in rehearsed(title, coin.randbytes(32), coin)) for _ in range(samples)]
    return sum(counts) // samples
