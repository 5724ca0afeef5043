"""Rewards of a finished game, by seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gamehost.rules.kit import Outcome


def by_rank(outcome: Outcome) -> list[float]:
    """Return 1 for the first to -1 for the last, evenly spaced. Ties share the mean, so the sum is 0."""
    ranks = outcome.ranks
    places = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
    return [1 - 2 * (place - 1) / (len(ranks) - 1) for place in places]


def by_margin(outcome: Outcome) -> list[float]:
    """Return each seat's points ahead of the best other seat; negative if it is behind."""
    scores = outcome.scores
    return [float(score - max(scores[:seat] + scores[seat + 1 :])) for seat, score in enumerate(scores)]


REWARDS: Final[Mapping[str, Callable[[Outcome], list[float]]]] = {"ranks": by_rank, "margin": by_margin}
