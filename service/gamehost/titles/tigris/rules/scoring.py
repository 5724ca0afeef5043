"""The end of the game: the weakest sphere counts."""

from __future__ import annotations

from gamehost.rules.kit import Outcome, Seat, ranks

from .events import EndReason, Standing
from .model import Counts, State


def spheres(points: Counts, treasures: int) -> Counts:
    """TE-73: the treasures go to the weakest colour one by one."""
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
    """TE-73: weakest colours are compared, then the second weakest, and so on."""
    if state.ended is None:
        return None
    rows = [tuple(sorted(standing.spheres)) for standing in standings(state)]
    return Outcome(ranks(rows), tuple(row[0] for row in rows), state.ended.name)


def end_reason(state: State) -> EndReason | None:
    """TE-71, TE-72: judged at the end of a turn."""
    if state.board.treasures.bit_count() <= 2:
        return EndReason.FEW_TREASURES
    if state.draw_failed:
        return EndReason.BAG_EXHAUSTED
    if state.turn - state.busy_turn >= 5 * len(state.hands):
        return EndReason.STANDSTILL
    return None
