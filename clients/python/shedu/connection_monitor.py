"""Reports when a server stops answering, and when it answers again."""

from __future__ import annotations

import time
from collections.abc import Callable

from .errors import SheduError, TimedOut, Unavailable

Tell = Callable[[str], None]

QUIET = 0.5  # seconds of failures before they are reported: a program says within a second what it waits for


class ConnectionMonitor:
    """Calls `tell` once when no server has answered for a while, and once when one answers again."""

    def __init__(self, target: str, tell: Tell | None, now: Callable[[], float] = time.monotonic) -> None:
        self._target, self._tell, self._now = target, tell, now
        self._dead_since: float | None = None
        self._told = False

    def answered(self) -> None:
        told, self._told, self._dead_since = self._told, False, None
        if told:
            self._say(f"{self._target} is back")

    def failed(self, error: SheduError) -> None:
        """Records a failed attempt; an error that the server itself sent counts as an answer."""
        if not isinstance(error, Unavailable | TimedOut):
            self.answered()
            return
        if self._dead_since is None:
            self._dead_since = self._now()
        long = isinstance(error, TimedOut) or self._now() - self._dead_since >= QUIET
        if long and not self._told:
            self._told = True
            self._say(f"waiting for {self._target}: {error.message}")

    def _say(self, message: str) -> None:
        if self._tell is not None:
            self._tell(message)
