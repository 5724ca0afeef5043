"""The score at the end (EC-61, EC-62)."""

from __future__ import annotations

from gamehost.rules.kit import Outcome, ranks

from .model import State


def outcome(state: State) -> Outcome | None:
    """EC-61, EC-62: the weakest colour counts, then the next; a complete tie is shared."""
    if state.ending is None:
        return None
    strengths = [balanced(pile.counts) for pile in state.piles]
    return Outcome(ranks(strengths), tuple(row[0] for row in strengths), state.ending.name)


def balanced(counts: tuple[int, ...]) -> tuple[int, ...]:
    """EC-61: the four colours from the weakest up, each treasure given to the weakest in turn."""
    *colours, treasures = counts
    for _ in range(treasures):
        colours[colours.index(min(colours))] += 1
    return tuple(sorted(colours))
