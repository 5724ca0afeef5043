"""Plays fixtures in several worker processes; the results do not depend on their number.

Bots in files are untrusted: they may loop forever, end their process or ignore Ctrl-C. So they run in worker
processes, which are supervised and replaced.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait

from .decision_timer import DECISION_SECONDS, DecisionTimer
from .fixtures import Fixture
from .match import Forfeit, GameResult, forfeit_result, play_game
from .players import numpy_random

Referee = Callable[[Fixture, DecisionTimer], GameResult]
"""Plays a fixture. It is sent to worker processes, so it must be picklable."""

POLL_SECONDS = 0.2  # between two checks for bots that exceed the limit
EXIT_SECONDS = 2.0  # for exit handlers of bots when their process ends


class ProcessLost(Exception):
    """A worker process ended outside a bot's decision. The message names the game."""


def play_all(
    fixtures: Iterable[Fixture], processes: int, referee: Referee = play_game, limit: float = DECISION_SECONDS
) -> Iterator[GameResult]:
    """Yield the result of every fixture, in order of completion.

    A bot forfeits its game if a decision takes longer than `limit` seconds or if it ends its process. Raises
    ProcessLost.
    """
    waiting, workers = iter(fixtures), list[ArenaProcess]()
    try:
        for fixture in islice(waiting, processes):
            workers.append(ArenaProcess(referee, fixture))
        while workers:
            wait([worker.pipe for worker in workers], POLL_SECONDS)
            for worker in list(workers):
                if (result := worker.result(limit)) is not None:
                    workers.remove(worker)
                    if (following := next(waiting, None)) is not None:
                        workers.append(worker.play_next(following))
                    else:
                        worker.stop()
                    yield result
    finally:
        for worker in workers:
            worker.kill()


class ArenaProcess:
    """The supervisor of one worker process, which plays one game after another."""

    def __init__(self, referee: Referee, fixture: Fixture) -> None:
        # A forked child would inherit locks that threads of this process hold.
        context = multiprocessing.get_context("spawn")
        self.pipe, child_pipe = context.Pipe()
        # RawArray has no lock: a bot that is killed while it holds one would block this process forever.
        self._referee, self._timer = referee, DecisionTimer(context.RawArray("d", 2))
        self._process = context.Process(target=play_fixtures, args=(child_pipe, referee, self._timer))
        with sigint_ignored(), fixed_hash_seed():
            self._process.start()
        child_pipe.close()  # with the last copy in the child, its end is noticed as EOF
        self._send(fixture)

    def _send(self, fixture: Fixture) -> None:
        self._fixture = fixture
        with suppress(BrokenPipeError):  # the process has ended; `result` reports it
            self.pipe.send(fixture)

    def result(self, limit: float) -> GameResult | None:
        """Return the result of the current game, or None while it is running."""
        if self.pipe.poll():
            return self._received()
        if not self._process.is_alive():
            return self._ended()
        if self._timer.seconds > limit:
            seat = self._timer.seat
            self.kill()
            return self._forfeit(seat, f"too slow, no answer after {limit:g} s")
        return None

    def _received(self) -> GameResult:
        try:
            answer: GameResult | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return self._ended()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ended(self) -> GameResult:
        self._process.join(EXIT_SECONDS)
        code = self._process.exitcode
        self.kill()
        how = signal.Signals(-code).name if code and code < 0 else f"code {code}"
        return self._forfeit(self._timer.seat, f"it ended its process ({how})")

    def _forfeit(self, seat: int | None, why: str) -> GameResult:
        fixture = self._fixture
        if seat is None:
            raise ProcessLost(f"game {fixture.number} cannot be played: {why}")
        return forfeit_result(fixture, Forfeit(seat, f"{fixture.players[seat].word}: {why}"))

    def play_next(self, fixture: Fixture) -> ArenaProcess:
        """Start the next game and return its supervisor: this one, or a new one if the process has ended."""
        if self._process.exitcode is not None:
            return ArenaProcess(self._referee, fixture)
        self._send(fixture)
        return self

    def stop(self) -> None:
        """Let the process end by itself, then kill it."""
        if self._process.exitcode is None:
            with suppress(BrokenPipeError):
                self.pipe.send(None)
            self._process.join(EXIT_SECONDS)
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def play_fixtures(pipe: Connection, referee: Referee, timer: DecisionTimer) -> None:
    """The main loop of a worker process: plays fixtures from the pipe until it receives None."""
    with suppress(EOFError, BrokenPipeError):
        sys.stdout = sys.stderr  # bots may print; stdout may carry the JSON of --json
        numpy_random()  # import it now, so that it does not count as thinking time of the first bot
        while (fixture := pipe.recv()) is not None:
            try:
                answer: GameResult | Exception = referee(fixture, timer)
            except Exception as error:
                answer = error
            pipe.send(answer)


@contextmanager
def sigint_ignored() -> Iterator[None]:
    """Processes started inside inherit an ignored SIGINT: Ctrl-C is handled by the parent alone."""
    # Signal handlers can only be set in the main thread.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def fixed_hash_seed() -> Iterator[None]:
    """Processes started inside hash strings alike, so that sets of a bot have the same order in each run."""
    if "PYTHONHASHSEED" in os.environ:
        yield
        return
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        yield
    finally:
        del os.environ["PYTHONHASHSEED"]
