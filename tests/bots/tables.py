"""Set-ups of every title, and whole random games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any

from gamehost.bots.bot import QuickChance
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import AnyRules, Decision, led_to, replay


def luck(seed: object) -> QuickChance:
    return QuickChance(SeededChance(str(seed).encode(), 0))


def options_of(rules: AnyRules) -> list[Any]:
    """Returns the default options, and variants with one option changed."""
    default = rules.options()
    found = [default]
    for field in fields(default):
        now = getattr(default, field.name)
        if isinstance(now, bool):
            others: list[Any] = [not now]
        elif isinstance(now, Enum):
            others = [other for other in type(now) if other is not now]
        else:
            others = [2]
        found += [rules.options(**{field.name: other}) for other in others]
    return found


def set_ups() -> list[tuple[str, int, Any]]:
    """Returns title, number of seats and options of every set-up."""
    return [
        (title, seats, options)
        for title, rules in CATALOG.items()
        for number, options in enumerate(options_of(rules))
        for seats in (rules.seats if number == 0 else [rules.seats[number % len(rules.seats)]])
    ]


def random_game(
    rules: AnyRules, seats: int, options: Any, seed: object
) -> Iterator[tuple[Any, Decision, list[Any]]]:
    """Plays a random game; yields view, decision and legal actions at every decision."""
    coin = luck(seed)
    state = replay(rules, rules.setup(options, seats, coin))
    while decisions := rules.decisions(state):
        [asked] = coin.draw(decisions, 1)
        actions = list(rules.legal_actions(state, asked.seat))
        yield rules.view(state, asked.seat), asked, actions
        [action] = coin.draw(actions, 1)
        state = led_to(rules, rules.decide(state, asked.seat, action, coin), state)
