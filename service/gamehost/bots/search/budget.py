"""How long a bot may think: in seconds, or in iterations when its games must come out the same again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

MOST_SECONDS = 60.0


class InvalidBudget(ValueError):
    """Words that are no budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    seconds: float | None = None
    iterations: int | None = None

    def spend(self) -> Iterator[float]:
        """One step for each iteration, with the share of the budget that is spent; the first is granted."""
        if self.seconds is None:
            yield from (number / (self.iterations or 1) for number in range(self.iterations or 1))
            return
        began, spent = time.perf_counter(), 0.0
        while spent < 1:
            yield spent
            spent = (time.perf_counter() - began) / self.seconds


def parse(words: str) -> Budget:
    """`0.5s` for seconds, `200` for iterations."""
    try:
        if words.endswith("s"):
            seconds = float(words[:-1])
            if 0 < seconds <= MOST_SECONDS:
                return Budget(seconds=seconds)
        elif int(words) > 0:
            return Budget(iterations=int(words))
    except ValueError:
        pass
    raise InvalidBudget(
        f"{words} is no budget: say seconds (0.5s, at most {MOST_SECONDS:g}s) or iterations (200)"
    )
