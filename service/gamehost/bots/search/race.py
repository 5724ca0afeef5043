"""A racing algorithm: candidates are tried in the same worlds, and the losing ones are dropped early.

All candidates of a round meet the same luck (common random numbers), so paired differences have a much
smaller variance than the averages. A candidate that is clearly behind the leader is dropped at once. The
race is over when no other candidate can be better than the leader by more than TOLERANCE.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

PRIOR_WEIGHT: Final = 0.05  # lets the heuristic decide between candidates with nearly equal values
MIN_ROUNDS: Final = 10  # before a candidate may be dropped for its values
STANDARD_ERRORS: Final = 2.5  # width of the confidence interval; wider while there are few rounds
MIN_DEVIATION: Final = 0.01  # assumed standard deviation, in case the first rounds happen to be equal
TOLERANCE: Final = 0.004  # of a win: a smaller gain does not justify more search


class Race:
    """Record one value from 0 to 1 for each pending candidate, then call `next_round`.

    `alive` are the candidates still in the race, `pending` those without a value in this round.
    """

    def __init__(self, priors: Mapping[Any, float]) -> None:
        self._values: dict[Any, list[float]] = {candidate: [] for candidate in priors}
        self._sums = dict.fromkeys(priors, 0.0)
        self._priors, self._size = priors, len(priors)
        self.alive = list(priors)
        self.pending = list(priors)

    def record(self, candidate: Any, value: float) -> None:
        self._values[candidate].append(value)
        self._sums[candidate] += value

    @property
    def leader(self) -> Any:
        """The candidate with the best estimate."""
        return max(self.alive, key=self._estimate)

    def next_round(self, spent: float) -> list[Any]:
        """Drop candidates and return those that remain. `spent` is the used share of the budget."""
        ranked = sorted(self.alive, key=self._estimate, reverse=True)
        # The field shrinks linearly with the budget, so that the last rounds go to the closest candidates.
        ranked = ranked[: max(2, round(self._size * (1 - spent)))]
        leader, *others = ranked
        self.alive = [leader, *(other for other in others if not self._is_beaten(other, leader))]
        self.pending = list(self.alive)
        return self.alive

    def _estimate(self, candidate: Any) -> float:
        tried = len(self._values[candidate])
        return self._sums[candidate] / max(1, tried) + PRIOR_WEIGHT * self._priors[candidate]

    def _is_beaten(self, other: Any, leader: Any) -> bool:
        """Whether `other` is, with confidence, not better than `leader` by more than TOLERANCE."""
        pairs = zip(self._values[leader], self._values[other], strict=True)
        behind = [ahead - value for ahead, value in pairs]
        rounds = len(behind)
        if rounds < MIN_ROUNDS:
            return False
        mean = sum(behind) / rounds
        spread = MIN_DEVIATION**2 + sum((each - mean) ** 2 for each in behind) / (rounds - 1)
        return mean - STANDARD_ERRORS * (1 + 2 / rounds) * sqrt(spread / rounds) > -TOLERANCE
