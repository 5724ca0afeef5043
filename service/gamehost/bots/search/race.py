"""Candidates that are tried in the same worlds, and fewer and fewer of them.

Where all meet the same luck, the differences between two say much more than their averages: who is clearly
behind the leader drops out at once, and when nobody can be better by more than a hair, the thinking is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

FAITH: Final = 0.05  # in the instinct, when two candidates come out nearly the same
ROUNDS: Final = 10  # before anybody is sent away for being behind
SURE: Final = 2.5  # standard errors, and more while few rounds tell how large those are
NOISE: Final = 0.01  # the least that values are thought to stray, however alike the first rounds are
HAIR: Final = 0.004  # of a win: not worth thinking on


class Race:
    """Values, from 0 to 1, are told round by round: one for each that is alive."""

    def __init__(self, priors: Mapping[Any, float]) -> None:
        self._values: dict[Any, list[float]] = {candidate: [] for candidate in priors}
        self._sums = dict.fromkeys(priors, 0.0)
        self._priors, self._size = priors, len(priors)
        self.alive = list(priors)
        self.waiting = list(priors)

    def told(self, candidate: Any, value: float) -> None:
        self._values[candidate].append(value)
        self._sums[candidate] += value

    @property
    def leader(self) -> Any:
        return max(self.alive, key=self._standing)

    def next_round(self, spent: float) -> list[Any]:
        """Who is still alive; those are waiting again."""
        ranked = sorted(self.alive, key=self._standing, reverse=True)
        ranked = ranked[: max(2, round(self._size * (1 - spent)))]
        leader, *others = ranked
        self.alive = [leader, *(other for other in others if not self._beaten(other, leader))]
        self.waiting = list(self.alive)
        return self.alive

    def _standing(self, candidate: Any) -> float:
        tried = len(self._values[candidate])
        return self._sums[candidate] / max(1, tried) + FAITH * self._priors[candidate]

    def _beaten(self, other: Any, leader: Any) -> bool:
        """Whether it surely is not better by more than a hair, as far as the rounds tell."""
        pairs = zip(self._values[leader], self._values[other], strict=True)
        behind = [ahead - value for ahead, value in pairs]
        rounds = len(behind)
        if rounds < ROUNDS:
            return False
        mean = sum(behind) / rounds
        spread = NOISE**2 + sum((each - mean) ** 2 for each in behind) / (rounds - 1)
        return mean - SURE * (1 + 2 / rounds) * sqrt(spread / rounds) > -HAIR
