"""A clock that a test moves."""

from __future__ import annotations


class ManualClock:
    """Returns microseconds when it is called; advances only when a test calls `advance`."""

    def __init__(self, now: int = 1_800_000_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += int(seconds * 1e6)
