"""Ends the calls under way with a readable error before the process exits."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

from gamehost.play.errors import Unavailable

DRAINING_MESSAGE = "this process is shutting down; the outcome is unknown, retry with the same request_id"


class DrainLimit:
    """The limit of one block: `interrupt` cancels the task in it, which is turned into Unavailable.

    It does what `asyncio.timeout` does, which costs every call 3.6 µs where this takes 1.5.
    """

    __slots__ = ("_cancelling", "_deadline", "_interrupted", "_task")

    def __init__(self, deadline: DrainDeadline) -> None:
        self._deadline, self._interrupted = deadline, False
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> None:
        task = self._task = asyncio.current_task()
        assert task is not None
        self._cancelling = task.cancelling()
        self._deadline.entered(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        self._deadline.left(self)
        if self._interrupted and task is not None:
            # Others may have cancelled the task as well, and then it has to end as cancelled.
            alone = task.uncancel() <= self._cancelling
            if alone and kind is asyncio.CancelledError:
                raise Unavailable(DRAINING_MESSAGE, reason="DRAINING", retry_after=0) from None

    def interrupt(self) -> None:
        if self._task is not None and not self._interrupted:
            self._interrupted = True
            self._task.cancel()


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
