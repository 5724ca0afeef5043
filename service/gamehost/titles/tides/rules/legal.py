"""The legal actions of a seat: all those that `refusals` does not refuse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from gamehost.rules.kit import Seat

from .actions import Action, ChooseCard, ChooseRelic
from .model import State
from .refusals import refusal


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    return (action for action in conceivable(state, seat) if refusal(state, seat, action) is None)


def conceivable(state: State, seat: Seat) -> Iterator[Action]:
    if seat in range(len(state.seats)):
        yield from map(ChooseCard, sorted(state.seats[seat].hand))
        yield from (ChooseRelic(*pair) for pair in permutations(sorted(state.seats[seat].played), 2))
