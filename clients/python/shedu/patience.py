"""When to try again, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from .errors import SheduError, TimedOut, TooMuch, Unavailable

ONE_ATTEMPT = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
AT_ONCE = "DRAINING"


class Attempts:
    """The attempts at one call, or at one stream between two messages.

    Patience is for a call from its beginning, and after a success, which every message of a stream is, from
    the next failure: a stream may be silent for as long as it likes. Trying again is safe: whatever changes
    something carries a request id, the same in every attempt.
    """

    def __init__(
        self,
        patience: float,
        now: Callable[[], float] = time.monotonic,
        coin: Callable[[], float] = random.random,
    ) -> None:
        self._patience, self._now, self._coin = patience, now, coin
        self._since: float | None = now()
        self._failures = 0

    def succeeded(self) -> None:
        """Counts the next failure as the first one."""
        self._since, self._failures = None, 0

    @property
    def left(self) -> float:
        return self._patience if self._since is None else self._patience - (self._now() - self._since)

    @property
    def timeout(self) -> float:
        """Seconds for the next attempt."""
        return max(0.001, min(self.left, ONE_ATTEMPT))

    def pause(self, error: SheduError) -> float:
        """Seconds to wait before the next attempt; raises the error where there is to be none."""
        if self._since is None:
            self._since = self._now()
        wait = self._wait(error)
        if wait is None or wait > self.left:
            raise error
        self._failures += 1
        return wait

    def _wait(self, error: SheduError) -> float | None:
        """None where waiting does not help."""
        asked = error.retry_after
        if isinstance(error, TooMuch):
            return None if asked is None else asked * (1 + self._coin() / 10)
        if not isinstance(error, Unavailable | TimedOut):
            return None
        return self._backoff() if error.reason == AT_ONCE else max(self._backoff(), asked or 0.0)

    def _backoff(self) -> float:
        """Twice as long each time, and never as long as another's."""
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self._failures, 16))
        return longest * (0.5 + self._coin() / 2)
