"""The search budget: seconds, or iterations where games must be reproducible.

Seconds are CPU time of the searching thread, so that a busy machine makes a bot slower but not weaker. Wall
time is bounded by DELAY times the budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

MOST_SEARCH_SECONDS = 60.0
DELAY = 10.0  # the most wall time, as a multiple of the budget, while the CPU runs other threads


class InvalidBudget(ValueError):
    """A text that is not a budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Either `seconds` or `iterations` is set."""

    seconds: float | None = None
    iterations: int | None = None

    def reduced(self, share: float) -> Budget:
        """Scale the seconds by `share`. Iterations stay as they are."""
        return self if self.seconds is None else replace(self, seconds=self.seconds * share)

    def spend(self) -> Iterator[float]:
        """Yield the spent share of the budget, from 0 to 1, before each iteration.

        The first iteration is always granted, so that a search has at least one result.
        """
        if self.seconds is None:
            yield from (number / (self.iterations or 1) for number in range(self.iterations or 1))
            return
        cpu_start, wall_start, spent = time.thread_time(), time.monotonic(), 0.0
        while spent < 1:
            yield spent
            wall_share = (time.monotonic() - wall_start) / DELAY
            spent = max(time.thread_time() - cpu_start, wall_share) / self.seconds


def parse_budget(text: str) -> Budget:
    """Parse `0.5s` as seconds and `200` as iterations. Raises InvalidBudget."""
    try:
        if text.endswith("s"):
            seconds = float(text[:-1])
            if 0 < seconds <= MOST_SEARCH_SECONDS:
                return Budget(seconds=seconds)
        elif int(text) > 0:
            return Budget(iterations=int(text))
    except ValueError:
        pass
    raise InvalidBudget(
        f"{text} is not a budget: use seconds (0.5s, at most {MOST_SEARCH_SECONDS:g}s) or iterations (200)"
    )
