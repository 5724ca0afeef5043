"""Tells the supervising process which bot is deciding, and since when, through shared memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field

DECISION_SECONDS = 60.0  # default limit for a decision of a bot in a file


def _idle() -> MutableSequence[float]:
    return [0.0, 0.0]


@dataclass(frozen=True, slots=True)
class DecisionTimer:
    """`shared` holds the start time of the current decision, 0 if there is none, and its seat."""

    shared: MutableSequence[float] = field(default_factory=_idle)

    @contextmanager
    def running(self, seat: int) -> Iterator[None]:
        """Mark the seat's bot as deciding."""
        # The seat first: the supervisor reads it only once the start time is set.
        self.shared[1] = seat
        self.shared[0] = time.monotonic()
        try:
            yield
        finally:
            self.shared[0] = 0.0

    @property
    def seat(self) -> int | None:
        """The seat whose bot is deciding."""
        return int(self.shared[1]) if self.shared[0] else None

    @property
    def seconds(self) -> float:
        """The seconds since the decision began; 0 if no bot is deciding."""
        since = self.shared[0]
        return time.monotonic() - since if since else 0.0
