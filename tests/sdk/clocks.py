"""Clocks for the client's patience, so that no test waits for it to end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from shedu.line import Line
from shedu.patience import Attempts
from support.waiting import PATIENCE

WIRES = ("shedu.aio.wire", "shedu.blocking.wire")


class Leaping:
    """Real time, and whatever is added to it."""

    added = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.added


class Ticking:
    """Each look at it takes so many seconds."""

    def __init__(self, step: float) -> None:
        self._now, self._step = -step, step

    def __call__(self) -> float:
        self._now += self._step
        return self._now


@contextmanager
def leaping() -> Iterator[Leaping]:
    """The clock by which all clients that connect meanwhile lose patience."""
    clock = Leaping()
    with _clock_of("Attempts", lambda: clock):
        yield clock


@contextmanager
def tried(times: int) -> Iterator[float]:
    """How patient a client must be so that it makes just so many attempts, each with all the time it wants.

    An attempt takes two looks at the clock: how much time it has, and how much is left when it has failed.
    """
    step = PATIENCE / (2 * times - 0.5)
    with _clock_of("Attempts", lambda: Ticking(step)), _clock_of("Line", lambda: Ticking(step)):
        yield PATIENCE


@contextmanager
def _clock_of(name: str, make: object) -> Iterator[None]:
    kinds = {"Attempts": Attempts, "Line": Line}

    def made(*given: object) -> object:
        return partial(kinds[name], now=make())(*given)

    with patch(f"{WIRES[0]}.{name}", made), patch(f"{WIRES[1]}.{name}", made):
        yield
