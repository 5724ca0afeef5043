"""Waits that end on an event.

A wait polls or listens for its condition and returns as soon as that holds. `PATIENCE` only bounds a wait
that would never end: it is far longer than a busy machine needs, so no test passes or fails by its speed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 180.0  # seconds
T = TypeVar("T")


def wait_until(condition: Callable[[], T], patience: float = PATIENCE, pause: float = 0.02) -> T:
    """Polls until the condition is true, and returns what it returned."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, f"not true after {patience:g} s"
        time.sleep(pause)
    return found


async def until(condition: Callable[[], T], patience: float = PATIENCE, pause: float = 0.002) -> T:
    """The same in an event loop, whose other tasks go on meanwhile."""
    async with asyncio.timeout(patience):
        while not (found := condition()):
            await asyncio.sleep(pause)
    return found


async def settle(turns: int = 5) -> None:
    """Lets tasks that are ready run, without waiting for time to pass."""
    for _ in range(turns):
        await asyncio.sleep(0)
