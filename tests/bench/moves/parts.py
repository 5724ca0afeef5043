"""Measures what rules and encoding take of a move, alone in one process."""

from __future__ import annotations

import gc
import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import orjson

from gamehost.codec.titles import TITLES
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import led_to

MOVES = 400


@dataclass(frozen=True)
class Parts:
    """CPU microseconds of a move: deciding and viewing by the rules; events and view as bytes or as JSON."""

    rules: float
    binary: float
    json: float


def measure(title: str) -> Parts:
    """Plays random games of two seats."""
    gc.collect()
    gc.freeze()  # as the service does: a collection of all modules would be charged to some part
    codec, coin, spent, state = TITLES[title], random.Random(1), Counter[str](), None
    rules, position = codec.rules, 0

    def timed(part: str, work: Any, *arguments: Any) -> Any:
        began = time.thread_time()
        result = work(*arguments)
        spent[part] += time.thread_time() - began  # type: ignore[assignment]
        return result

    for number in range(MOVES):
        if state is None or not rules.decisions(state):
            events = rules.setup(rules.options(), rules.seats[0], SeededChance(b"%d" % number, 0))
            state, position = led_to(rules, events, rules.blank), len(events)
        seat = rules.decisions(state)[0].seat
        action = coin.choice(list(rules.legal_actions(state, seat)))
        chance = SeededChance(b"bench", position)
        events = timed("rules", rules.decide, state, seat, action, chance)
        state, position = led_to(rules, events, state), position + len(events)
        view = timed("rules", rules.view, state, seat)
        timed(
            "binary",
            lambda events, view: [*map(codec.event_bytes, events), codec.view_bytes(view)],
            events,
            view,
        )
        timed(
            "json",
            lambda events, view: orjson.dumps([*map(codec.event_json, events), codec.view_json(view)]),
            events,
            view,
        )
    return Parts(*(spent[part] / MOVES * 1e6 for part in ("rules", "binary", "json")))
