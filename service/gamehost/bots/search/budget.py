"""How long a bot may think: in seconds, or in iterations when its games must come out the same again.

Seconds are those that the processor spent on the thinking thread, so a busy machine makes a bot slower and
not weaker; but nobody is kept waiting for more than a few times as long.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

MOST_SECONDS = 60.0
DELAY = 10.0  # how many times the budget may pass on the wall while the processor serves others


class InvalidBudget(ValueError):
    """Words that are no budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    seconds: float | None = None
    iterations: int | None = None

    def reduced(self, share: float) -> Budget:
        """That share of the seconds, or as many iterations."""
        return self if self.seconds is None else replace(self, seconds=self.seconds * share)

    def spend(self) -> Iterator[float]:
        """One step for each iteration, with the share of the budget that is spent; the first is granted."""
        if self.seconds is None:
            yield from (number / (self.iterations or 1) for number in range(self.iterations or 1))
            return
        thought, passed, spent = time.thread_time(), time.monotonic(), 0.0
        while spent < 1:
            yield spent
            waited = (time.monotonic() - passed) / DELAY
            spent = max(time.thread_time() - thought, waited) / self.seconds


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
