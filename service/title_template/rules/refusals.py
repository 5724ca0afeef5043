"""Why an action is refused."""

from __future__ import annotations

from gamehost.rules.kit import IllegalAction, Seat

from .actions import Action
from .model import State


def forbidden(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Why a seat that is asked for this may not do it so. It must not depend on what is hidden from it."""
    if action.card not in state.seats[seat].hand:
        return IllegalAction("CARD_NOT_IN_HAND", "XT-2", f"card {action.card} is not in your hand")
    return None
