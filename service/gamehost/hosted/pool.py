"""Runs bots in child processes: one that hangs or crashes is replaced, without affecting the service."""

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

from gamehost.bots.levels import LEVEL_BY_NAME, bot, is_quick, remembers
from gamehost.play.ports.bots import BotFailed, BotQuestion, ThinkingReport, ignore_thinking
from gamehost.play.ports.schedule import LONG, QUICK
from gamehost.rules.chance import SeededChance

EXTRA_QUESTIONS = 1  # beyond one per process, so that a process need not wait for its next question
QUICK_PROCESSES = 1
NICENESS = {
    QUICK: 2,
    LONG: 5,
}  # so that on a busy processor quick bots go before slow ones, and the service before both


def decide(question: BotQuestion) -> Any:
    """Return the action of a bot. Without a time limit, the same question gets the same answer."""
    chance = SeededChance(question.luck, 0)
    player = bot(question.title, question.level, question.share)
    return player.decide(question.view, question.decision, question.actions, chance, question.seen)


def step_of(level: str) -> float:
    """Return the seconds to a multiple of which the answers of a level are delayed; 0 for no delay."""
    return LEVEL_BY_NAME[level].pace if level in LEVEL_BY_NAME else 0.0


def seconds_to_next_step(elapsed: float, step: float) -> float:
    """Return how long to wait until a whole number of steps has passed."""
    return step - elapsed % step if step else 0.0


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer, and how long it took in elapsed seconds and in seconds of processor time."""

    answer: Any
    elapsed: float
    processor_time: float


def think_timed(think: Callable[[BotQuestion], Any], question: BotQuestion) -> TimedAnswer:
    """Answer a question and measure the time, in the child process: waiting for the pool does not count."""
    began, processor_time = time.monotonic(), time.thread_time()
    answer = think(question)
    return TimedAnswer(answer, time.monotonic() - began, time.thread_time() - processor_time)


class BotPool:
    """Implements the port `BotRunner` with pools of processes, in which `think` answers questions.

    A pool starts with its first question. Levels that answer at once have a pool of their own, because a bot
    that thinks for seconds cannot be interrupted. A bot fails after `timeout` seconds.
    """

    def __init__(
        self, processes: int = 1, timeout: float = 10.0, think: Callable[[BotQuestion], Any] = decide
    ) -> None:
        self._processes = {QUICK: QUICK_PROCESSES, LONG: processes}
        self.timeout, self._think = timeout, think
        self._pools: dict[str, ProcessPool] = {}

    @property
    def capacity(self) -> Mapping[str, int]:
        return {queue: processes + EXTRA_QUESTIONS for queue, processes in self._processes.items()}

    def remembers(self, level: str) -> bool:
        return remembers(level)

    async def answer(self, question: BotQuestion, report: ThinkingReport = ignore_thinking) -> Any:
        """Return the action of a bot after a whole number of time steps; raises BotFailed.

        How long a bot thinks depends on what it holds: with many options it takes longer. Opponents could
        measure that, so each answer, and each failure, is held back until the current step is over.
        """
        # The steps start with the thinking, not with the call: time in the pool's queue depends on other
        # games, and must not change how long this answer is held back.
        began, elapsed = time.monotonic(), 0.0
        try:
            timed_answer = await self._timed_answer(question)
            elapsed = timed_answer.elapsed
            report(timed_answer.processor_time)
            return timed_answer.answer
        except BotFailed:
            # No measurement from the child. Payers are charged at most the time limit, not the queue.
            elapsed = time.monotonic() - began
            report(min(elapsed, self.timeout))
            raise
        finally:
            await asyncio.sleep(seconds_to_next_step(elapsed, step_of(question.level)))

    async def _timed_answer(self, question: BotQuestion) -> TimedAnswer:
        queue = QUICK if is_quick(question.level) else LONG
        try:
            timed_answer: TimedAnswer = await asyncio.wrap_future(
                self._running_pool(queue).schedule(think_timed, [self._think, question], timeout=self.timeout)
            )
            return timed_answer
        except TimeoutError as error:
            raise BotFailed("too slow") from error
        except Exception as error:
            raise BotFailed(type(error).__name__) from error

    def close(self) -> None:
        for pool in self._pools.values():
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    def _running_pool(self, queue: str) -> ProcessPool:
        pool = self._pools.get(queue)
        if pool is None or not pool.active:
            # Spawned, not forked: a fork would copy locks that threads of the gRPC server hold, and deadlock.
            pool = self._pools[queue] = ProcessPool(
                self._processes[queue],
                initializer=_set_up_child,
                initargs=[NICENESS[queue]],
                context=multiprocessing.get_context("spawn"),
            )
        return pool


def _set_up_child(niceness: int) -> None:
    """Lower the priority of a child process, ignore SIGINT, and exit together with the parent."""
    os.nice(niceness)
    # Ctrl-C goes to the whole process group; only the parent decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])  # returns when the parent is gone, also if it was killed
        os._exit(1)
