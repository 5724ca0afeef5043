"""The scores of a finished game."""

from __future__ import annotations

from gamehost.rules.kit import Result

from .model import State


def result(state: State) -> Result | None:
    """XT-5: returns the scores once the game is over; the most points win, equal points share the win."""
    return Result(tuple(seat.points for seat in state.seats), "CARDS_PLAYED") if state.over else None
