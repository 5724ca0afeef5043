"""The score at the end (EC-61, EC-62)."""

from __future__ import annotations

from gamehost.rules.kit import Outcome, ranks

from .model import State


def outcome(state: State) -> Outcome | None:
    """EC-61, EC-62: returns the outcome. Seats are compared by their weakest colour, then by the next."""
    if state.ending is None:
        return None
    strengths = [balanced(pile.counts) for pile in state.piles]
    return Outcome(ranks(strengths), tuple(row[0] for row in strengths), state.ending.name)


def balanced(counts: tuple[int, ...]) -> tuple[int, ...]:
    """EC-61: returns the points of the four colours in ascending order, each treasure added to the lowest."""
    *colours, treasures = counts
    for _ in range(treasures):
        colours[colours.index(min(colours))] += 1
    return tuple(sorted(colours))
