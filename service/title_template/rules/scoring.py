"""The result at the end."""

from __future__ import annotations

from gamehost.rules.kit import Result

from .model import State


def result(state: State) -> Result | None:
    """XT-5: most points win; equal points share the place."""
    return Result(tuple(seat.points for seat in state.seats), "CARDS_PLAYED") if state.over else None
