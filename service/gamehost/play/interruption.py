"""Blocks of a task that can be interrupted from outside, and time-outs made of them.

`asyncio.timeout` does the same for one block. It costs every call 10 µs, most of it for a timer of its own.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from types import TracebackType
from typing import Any


class InterruptibleBlock:
    """A context manager: `interrupt` cancels the task in the block, which then raises `error` instead."""

    __slots__ = ("_cancelling", "_interrupted", "_task")

    def __init__(self) -> None:
        self._interrupted = False
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> None:
        task = self._task = asyncio.current_task()
        assert task is not None
        self._cancelling = task.cancelling()
        self.entered()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        self.left()
        if self._interrupted and task is not None:
            # Others may have cancelled the task as well, and then it has to end as cancelled.
            alone = task.uncancel() <= self._cancelling
            if alone and kind is asyncio.CancelledError:
                raise self.error() from None

    def interrupt(self) -> None:
        if self._task is not None and not self._interrupted:
            self._interrupted = True
            self._task.cancel()

    def entered(self) -> None:
        """Called when the block begins."""

    def left(self) -> None:
        """Called when the block has ended."""

    def error(self) -> Exception:
        raise NotImplementedError


class TimedBlock(InterruptibleBlock):
    """A block that raises TimeoutError if it takes longer than its `TimeLimit` allows."""

    __slots__ = ("_limit", "ends")

    def __init__(self, limit: TimeLimit) -> None:
        super().__init__()
        self._limit, self.ends = limit, 0.0

    def entered(self) -> None:
        self._limit.entered(self)

    def left(self) -> None:
        self._limit.left(self)

    def error(self) -> Exception:
        return TimeoutError()


class TimeLimit:
    """Limits blocks to the same number of seconds, with one timer for all of them."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # In the order in which they end, because all have the same time.
        self._blocks: OrderedDict[TimedBlock, None] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def block(self) -> TimedBlock:
        """Returns a context manager that raises TimeoutError in its block when the time is up."""
        return TimedBlock(self)

    def entered(self, block: TimedBlock) -> None:
        loop = asyncio.get_running_loop()
        block.ends = loop.time() + self._seconds
        self._blocks[block] = None
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._interrupt_late)

    def left(self, block: TimedBlock) -> None:
        self._blocks.pop(block, None)

    def _interrupt_late(self) -> None:
        """Interrupts the blocks whose time is up, and starts the timer anew for the next one, if any."""
        loop = asyncio.get_running_loop()
        self._timer, now = None, loop.time()
        while self._blocks:
            block = next(iter(self._blocks))
            if block.ends > now:
                self._timer = loop.call_at(block.ends, self._interrupt_late)
                return
            del self._blocks[block]
            block.interrupt()
