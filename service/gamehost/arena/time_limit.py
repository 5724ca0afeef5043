"""Whom a game waits for, in memory that the process which plays it shares with the one that gave it out."""

from __future__ import annotations

import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field

DECISION_SECONDS = 60.0  # that a bot in a file may think


def _nobody() -> MutableSequence[float]:
    return [0.0, 0.0]


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """`memory` is the moment since when a bot is at work, 0 for none, and its seat."""

    memory: MutableSequence[float] = field(default_factory=_nobody)

    @contextmanager
    def on(self, seat: int) -> Iterator[None]:
        self.memory[1] = seat
        self.memory[0] = time.monotonic()
        try:
            yield
        finally:
            self.memory[0] = 0.0

    @property
    def seat(self) -> int | None:
        """Whose bot is at work."""
        return int(self.memory[1]) if self.memory[0] else None

    @property
    def seconds(self) -> float:
        """For how long it has been."""
        since = self.memory[0]
        return time.monotonic() - since if since else 0.0
