"""Bots think in processes of their own: one that hangs or crashes is replaced, and holds nobody up."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from pebble import ProcessPool

from gamehost.bots.levels import BOTS, bot, is_quick, remembers
from gamehost.play.ports.bots import BotFailed, BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.ports.schedule import LONG, QUICK
from gamehost.rules.chance import SeededChance

AHEAD = 1  # questions more than there are processes, so that none waits for the next
QUICK_PROCESSES = 1
PRIORITY = {QUICK: 2, LONG: 5}  # nice values: who answers at once comes first on a busy processor


def decide(question: BotQuestion) -> Any:
    """What a bot says; one that looks at no clock says the same to the same question."""
    chance = SeededChance(question.luck, 0)
    player = bot(question.title, question.level, question.share)
    return player.decide(question.view, question.decision, question.actions, chance, question.seen)


def pace_of(level: str) -> float:
    return BOTS[level].pace if level in BOTS else 0.0


def seconds_to_next_step(passed: float, pace: float) -> float:
    """Until as many whole steps have passed as were begun."""
    return pace - passed % pace if pace else 0.0


@dataclass(frozen=True, slots=True)
class Thoughts:
    """An answer, how long it took, and how much of that the processor was at work, in seconds."""

    answer: Any
    passed: float
    worked: float


def timed(think: Callable[[BotQuestion], Any], question: BotQuestion) -> Thoughts:
    began, worked = time.monotonic(), time.thread_time()
    answer = think(question)
    return Thoughts(answer, time.monotonic() - began, time.thread_time() - worked)


class BotPool:
    """Implements the port `Bots`. Its processes start with the first question; there `think` answers it.

    Levels that answer at once have a process of their own: nobody who thinks for long can be interrupted.
    """

    def __init__(
        self, processes: int = 1, patience: float = 10.0, think: Callable[[BotQuestion], Any] = decide
    ) -> None:
        self._processes = {QUICK: QUICK_PROCESSES, LONG: processes}
        self.patience, self._think = patience, think
        self._pools: dict[str, ProcessPool] = {}

    @property
    def capacity(self) -> Mapping[str, int]:
        return {queue: processes + AHEAD for queue, processes in self._processes.items()}

    def remembers(self, level: str) -> bool:
        return remembers(level)

    async def answer(self, question: BotQuestion, thought: ThinkingReport = ignore_thinking) -> Any:
        """How long it takes to think tells what a bot holds, so answers wait for the next step.

        Steps begin with the thinking: how long others thought before says nothing of this one.
        """
        began, passed = time.monotonic(), 0.0
        try:
            thoughts = await self._thought(question)
            passed = thoughts.passed
            thought(thoughts.worked)
            return thoughts.answer
        except BotFailed:
            passed = time.monotonic() - began
            thought(min(passed, self.patience))
            raise
        finally:
            await asyncio.sleep(seconds_to_next_step(passed, pace_of(question.level)))

    async def _thought(self, question: BotQuestion) -> Thoughts:
        queue = QUICK if is_quick(question.level) else LONG
        try:
            thoughts: Thoughts = await asyncio.wrap_future(
                self._started(queue).schedule(timed, [self._think, question], timeout=self.patience)
            )
            return thoughts
        except TimeoutError as error:
            raise BotFailed("too slow") from error
        except Exception as error:
            raise BotFailed(type(error).__name__) from error

    def close(self) -> None:
        for pool in self._pools.values():
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    def _started(self, queue: str) -> ProcessPool:
        pool = self._pools.get(queue)
        if pool is None or not pool.active:
            # Forking a process with threads and a gRPC server in it is asking for trouble.
            pool = self._pools[queue] = ProcessPool(
                self._processes[queue],
                initializer=_settle_in,
                initargs=[PRIORITY[queue]],
                context=multiprocessing.get_context("spawn"),
            )
        return pool


def _settle_in(priority: int) -> None:
    """Signals are for the process that serves, and so is the processor; when it is gone, so is the work."""
    os.nice(priority)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()


def _leave_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
