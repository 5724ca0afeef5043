"""The retry policy: which calls are repeated, and after which pauses."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from .errors import SheduError, TimedOut, TooMuch, Unavailable

ONE_ATTEMPT = 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
AT_ONCE = "DRAINING"


class Attempts:
    """The attempts of one call, or of one stream between two messages.

    The patience of a call counts from its beginning. After a success, such as a message of a stream, it
    counts from the next failure, so that a stream may be silent without a limit. Retries are safe: every call
    that changes something has a request id, the same in every attempt.
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
        """The time limit of the next attempt, in seconds."""
        return max(0.001, min(self.left, ONE_ATTEMPT))

    def pause(self, error: SheduError) -> float:
        """Returns the seconds to wait before the next attempt; raises the error if there is none."""
        if self._since is None:
            self._since = self._now()
        wait = self._wait(error)
        if wait is None or wait > self.left:
            raise error
        self._failures += 1
        return wait

    def _wait(self, error: SheduError) -> float | None:
        """Returns the seconds to wait; None if waiting does not help."""
        asked = error.retry_after
        if isinstance(error, TooMuch):
            return None if asked is None else asked * (1 + self._coin() / 10)
        if not isinstance(error, Unavailable | TimedOut):
            return None
        return self._backoff() if error.reason == AT_ONCE else max(self._backoff(), asked or 0.0)

    def _backoff(self) -> float:
        """Doubles the pause each time; half of it is random, so that clients do not retry at once."""
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self._failures, 16))
        return longest * (0.5 + self._coin() / 2)
