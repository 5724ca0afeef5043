"""Checks whether an action is allowed, and gives the reason if it is not."""

from __future__ import annotations

from gamehost.rules.kit import IllegalAction, Seat

from .actions import Action
from .model import State


def forbidden(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns why the action is refused, or None. Must not depend on what is hidden from the seat."""
    if action.card not in state.seats[seat].hand:
        return IllegalAction("CARD_NOT_IN_HAND", "XT-2", f"card {action.card} is not in your hand")
    return None
