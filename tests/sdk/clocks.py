"""Fake clocks for the retries of the client, so that no test waits for a time limit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from shedu.connection_monitor import ConnectionMonitor
from shedu.retry import Attempts
from support.waiting import PATIENCE

WIRES = ("shedu.aio.wire", "shedu.blocking.wire")


class Leaping:
    """Returns the real time plus `added` seconds."""

    added = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.added


class Ticking:
    """Advances by a fixed number of seconds at each reading."""

    def __init__(self, step: float) -> None:
        self._now, self._step = -step, step

    def __call__(self) -> float:
        self._now += self._step
        return self._now


@contextmanager
def leaping() -> Iterator[Leaping]:
    """Replaces the clock of the retries of all clients that connect in this context."""
    clock = Leaping()
    with _clock_of("Attempts", lambda: clock):
        yield clock


@contextmanager
def tried(times: int) -> Iterator[float]:
    """Yields the patience with which a client makes exactly so many attempts, on a clock of the test.

    An attempt reads the clock twice: for its time limit, and for the time left after it failed.
    """
    step = PATIENCE / (2 * times - 0.5)
    with _clock_of("Attempts", lambda: Ticking(step)), _clock_of("ConnectionMonitor", lambda: Ticking(step)):
        yield PATIENCE


@contextmanager
def _clock_of(name: str, make: object) -> Iterator[None]:
    kinds = {"Attempts": Attempts, "ConnectionMonitor": ConnectionMonitor}

    def made(*given: object) -> object:
        return partial(kinds[name], now=make())(*given)

    with patch(f"{WIRES[0]}.{name}", made), patch(f"{WIRES[1]}.{name}", made):
        yield
