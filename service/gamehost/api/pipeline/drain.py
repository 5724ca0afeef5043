"""Ends the calls under way with a readable error before the process exits."""

from __future__ import annotations

import asyncio

from gamehost.play.errors import Unavailable
from gamehost.play.interruption import InterruptibleBlock

DRAINING_MESSAGE = "this process is shutting down; the outcome is unknown, retry with the same request_id"


class DrainLimit(InterruptibleBlock):
    """The limit of one block of a call, which raises Unavailable once it is interrupted."""

    __slots__ = ("_deadline",)

    def __init__(self, deadline: DrainDeadline) -> None:
        super().__init__()
        self._deadline = deadline

    def entered(self) -> None:
        self._deadline.entered(self)

    def left(self) -> None:
        self._deadline.left(self)

    def error(self) -> Exception:
        return Unavailable(DRAINING_MESSAGE, reason="DRAINING", retry_after=0)


class DrainDeadline:
    """Interrupts what calls wait for once the process has no more time to finish them.

    A killed process, or one that cancels its tasks, closes connections without a status. The caller could not
    tell that from a network fault. A call that ends here is answered UNAVAILABLE with reason DRAINING
    instead.
    """

    def __init__(self) -> None:
        self._limits: set[DrainLimit] = set()
        self._ended = False

    def limit(self) -> DrainLimit:
        """Returns a context manager that raises Unavailable in its block as soon as `end_calls` is called."""
        return DrainLimit(self)

    def entered(self, limit: DrainLimit) -> None:
        self._limits.add(limit)
        if self._ended:
            asyncio.get_running_loop().call_soon(limit.interrupt)

    def left(self, limit: DrainLimit) -> None:
        self._limits.discard(limit)

    def end_calls(self) -> None:
        """Interrupts every block under way, and every later one as soon as it waits."""
        self._ended = True
        for limit in self._limits:
            limit.interrupt()
