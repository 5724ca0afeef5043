"""The legal actions of a seat."""

from __future__ import annotations

from collections.abc import Iterable

from gamehost.rules.kit import Seat

from .actions import Action, ChooseCard
from .model import State


def candidates(state: State, seat: Seat) -> Iterable[Action]:
    """Every card of the hand; the kit leaves out what `forbidden` refuses."""
    return map(ChooseCard, sorted(state.seats[seat].hand))
