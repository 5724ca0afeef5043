"""Bots think in processes of their own: one that hangs or crashes is replaced, and holds nobody up."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

from pebble import ProcessPool

from gamehost.bots.levels import BOTS, bot, remembers
from gamehost.play.ports import BotFailed, Question
from gamehost.rules.chance import SeededChance

AHEAD = 2  # questions for each process, so that none waits for the next


def decide(question: Question) -> Any:
    """What a bot says; the same question always has the same answer."""
    chance = SeededChance(question.luck, 0)
    player = bot(question.title, question.level)
    return player.decide(question.view, question.decision, question.actions, chance, question.seen)


def pace_of(level: str) -> float:
    return BOTS[level].pace if level in BOTS else 0.0


def still_to_wait(passed: float, pace: float) -> float:
    """Until as many whole steps have passed as were begun."""
    return pace - passed % pace if pace else 0.0


class BotPool:
    """Implements the port `Bots`. Its processes start with the first question; there `think` answers it."""

    def __init__(
        self, processes: int = 1, patience: float = 10.0, think: Callable[[Question], Any] = decide
    ) -> None:
        self._processes, self.patience, self._think = processes, patience, think
        self._pool: ProcessPool | None = None

    @property
    def capacity(self) -> int:
        return self._processes * AHEAD

    def remembers(self, level: str) -> bool:
        return remembers(level)

    async def answer(self, question: Question) -> Any:
        """How long it takes to think tells what a bot holds, so answers wait for the next step."""
        began = time.monotonic()
        try:
            return await self._thought(question)
        finally:
            await asyncio.sleep(still_to_wait(time.monotonic() - began, pace_of(question.level)))

    async def _thought(self, question: Question) -> Any:
        try:
            return await asyncio.wrap_future(
                self._started().schedule(self._think, [question], timeout=self.patience)
            )
        except TimeoutError as error:
            raise BotFailed("too slow") from error
        except Exception as error:
            raise BotFailed(type(error).__name__) from error

    def close(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()

    def _started(self) -> ProcessPool:
        if self._pool is None or not self._pool.active:
            # Forking a process with threads and a gRPC server in it is asking for trouble.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPool(self._processes, initializer=_settle_in, context=context)
        return self._pool


def _settle_in() -> None:
    """Signals are for the process that serves, and so is the processor; when it is gone, so is the work."""
    os.nice(5)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()


def _leave_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
