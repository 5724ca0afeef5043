"""The legal actions of a seat."""

from __future__ import annotations

from collections.abc import Iterable

from gamehost.rules.kit import Seat

from .actions import Action, ChooseCard
from .model import State


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """Returns an action for every card of the hand; the kit removes those that `forbidden` refuses."""
    return map(ChooseCard, sorted(state.seats[seat].hand))
