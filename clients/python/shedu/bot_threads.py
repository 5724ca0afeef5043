"""Threads in which a bot decides, so that nothing waits for a bot that hangs."""

from __future__ import annotations

import asyncio
import ctypes
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class TooSlow(Exception):
    """The bot did not answer within the limit."""


@dataclass(frozen=True, slots=True)
class Thought(Generic[T]):
    """An answer, with the seconds that it waited for a thread and the seconds that it took."""

    answer: T
    waited: float
    took: float


class Thinkers:
    """A number of threads, each of which answers one question at a time. A thread that takes longer than
    `limit` seconds is abandoned and replaced."""

    def __init__(self, threads: int, limit: float) -> None:
        self._slots, self._limit = asyncio.Semaphore(threads), limit
        self._idle: list[_Thinker] = []

    async def think(self, question: Callable[[], T]) -> Thought[T]:
        """Answers a question in a thread. Raises TooSlow, or the exception of the question."""
        asked = time.perf_counter()
        async with self._slots:
            thinker = self._idle.pop() if self._idle else _Thinker()
            waited = time.perf_counter() - asked
            try:
                async with asyncio.timeout(self._limit):
                    answer, took = await thinker.answer(question)
            except TimeoutError as error:
                raise TooSlow(f"too slow, no answer after {self._limit:g} s") from error
            finally:
                if thinker.done:
                    self._idle.append(thinker)
                else:
                    thinker.leave()
            if isinstance(answer, BaseException):
                raise answer
            return Thought(answer, waited, took)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().leave()


class _Thinker(threading.Thread):
    """A daemon thread, so that a bot that hangs does not keep the program running."""

    def __init__(self) -> None:
        super().__init__(name="bot", daemon=True)
        self.done = True
        self._questions: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while (ask := self._questions.get()) is not None:
            ask()

    async def answer(self, question: Callable[[], T]) -> tuple[T | BaseException, float]:
        """Returns the answer or the exception raised instead, and the seconds it took."""
        loop = asyncio.get_running_loop()
        told: asyncio.Future[tuple[T | BaseException, float]] = loop.create_future()

        def ask() -> None:
            began = time.perf_counter()
            answer = _answer(question)
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(_tell, told, (answer, time.perf_counter() - began))

        self.done = False
        self._questions.put(ask)
        found = await told
        self.done = True
        return found

    def leave(self) -> None:
        """Ends the thread; raises SystemExit in it if it is still running Python code."""
        self._questions.put(None)
        if not self.done and self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.ident), ctypes.py_object(SystemExit)
            )


def _answer(question: Callable[[], T]) -> T | BaseException:
    try:
        return question()
    except BaseException as error:  # a thread that ended without an answer would block its caller
        return error


def _tell(told: asyncio.Future[Any], answer: Any) -> None:
    if not told.done():
        told.set_result(answer)
