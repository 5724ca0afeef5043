"""The end of the game, and the outcome: the colour with the fewest points is a seat's score."""

from __future__ import annotations

from gamehost.rules.kit import Outcome, Seat, ranks

from .events import EndReason, Standing
from .model import Counts, State


def spheres(points: Counts, treasures: int) -> Counts:
    """TE-73: returns the points with the treasures added, each to the colour with the fewest points."""
    rows = list(points)
    for _ in range(treasures):
        rows[rows.index(min(rows))] += 1
    return tuple(rows)


def standings(state: State) -> tuple[Standing, ...]:
    return tuple(
        Standing(Seat(seat), points, won, spheres(points, won))
        for seat, (points, won) in enumerate(zip(state.points, state.treasures, strict=True))
    )


def outcome(state: State) -> Outcome | None:
    """TE-73: returns the outcome. Seats are compared by their weakest colour, then the second weakest, …"""
    if state.ended is None:
        return None
    rows = [tuple(sorted(standing.spheres)) for standing in standings(state)]
    return Outcome(ranks(rows), tuple(row[0] for row in rows), state.ended.name)


def end_reason(state: State) -> EndReason | None:
    """Returns why the game ends after this turn, or None (TE-71, TE-72)."""
    if state.board.treasures.bit_count() <= 2:
        return EndReason.FEW_TREASURES
    if state.draw_failed:
        return EndReason.BAG_EXHAUSTED
    if state.turn - state.busy_turn >= 5 * len(state.hands):
        return EndReason.STANDSTILL
    return None
