"""Many games at once: one process for each core, and the same results as with one.

Bots in files may do anything: think for ever, end their process, ignore Ctrl-C. They do it in a process of
their own, which is watched and replaced.
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

from .fixtures import Fixture
from .match import Forfeit, Played, forfeited, play
from .players import numpy_random
from .time_limit import DECISION_SECONDS, TimeLimit

Referee = Callable[[Fixture, TimeLimit], Played]
"""Whoever can have a fixture played; it travels to other processes, so it is a plain function."""

LOOK_AGAIN = 0.2  # seconds between two looks at those who think
FAREWELL = 2.0  # seconds for what a bot does when its process ends


class ProcessLost(Exception):
    """A process ended, and no bot in a file was at work; the message says in which game."""


def play_all(
    fixtures: Iterable[Fixture], processes: int, referee: Referee = play, limit: float = DECISION_SECONDS
) -> Iterator[Played]:
    """Every fixture's end, as they come. A bot that takes longer than `limit` seconds for a decision has
    forfeited its game, and one that ends its process too."""
    waiting, workers = iter(fixtures), list[ArenaProcess]()
    try:
        for fixture in islice(waiting, processes):
            workers.append(ArenaProcess(referee, fixture))
        while workers:
            wait([worker.line for worker in workers], LOOK_AGAIN)
            for worker in list(workers):
                if (played := worker.played(limit)) is not None:
                    workers.remove(worker)
                    if (following := next(waiting, None)) is not None:
                        workers.append(worker.followed(following))
                    else:
                        worker.dismiss()
                    yield played
    finally:
        for worker in workers:
            worker.kill()


class ArenaProcess:
    """A process that plays one game after the other."""

    def __init__(self, referee: Referee, fixture: Fixture) -> None:
        fresh = multiprocessing.get_context(
            "spawn"
        )  # shares nothing with this process, whatever threads it has
        self.line, theirs = fresh.Pipe()
        self._referee, self._watch = referee, TimeLimit(fresh.RawArray("d", 2))
        self._process = fresh.Process(target=play_fixtures, args=(theirs, referee, self._watch))
        with uninterrupted(), alike():
            self._process.start()
        theirs.close()
        self._give(fixture)

    def _give(self, fixture: Fixture) -> None:
        self._fixture = fixture
        with suppress(BrokenPipeError):  # it has ended, as will be seen
            self.line.send(fixture)

    def played(self, limit: float) -> Played | None:
        """How its game ended; None as long as it goes on."""
        if self.line.poll():
            return self._told()
        if not self._process.is_alive():
            return self._ended()
        if self._watch.seconds > limit:
            seat = self._watch.seat
            self.kill()
            return self._forfeited(seat, f"too slow, no answer after {limit:g} s")
        return None

    def _told(self) -> Played:
        try:
            told: Played | Exception = self.line.recv()
        except (EOFError, OSError):
            return self._ended()
        if isinstance(told, Exception):
            raise told
        return told

    def _ended(self) -> Played:
        self._process.join(FAREWELL)
        code = self._process.exitcode
        self.kill()
        how = signal.Signals(-code).name if code and code < 0 else f"code {code}"
        return self._forfeited(self._watch.seat, f"it ended its process ({how})")

    def _forfeited(self, seat: int | None, why: str) -> Played:
        fixture = self._fixture
        if seat is None:
            raise ProcessLost(f"game {fixture.number} cannot be played: {why}")
        return forfeited(fixture, Forfeit(seat, f"{fixture.players[seat].word}: {why}"))

    def followed(self, fixture: Fixture) -> ArenaProcess:
        """Who plays the next one: a new process where this one is gone."""
        if self._process.exitcode is not None:
            return ArenaProcess(self._referee, fixture)
        self._give(fixture)
        return self

    def dismiss(self) -> None:
        if self._process.exitcode is None:
            with suppress(BrokenPipeError):
                self.line.send(None)
            self._process.join(FAREWELL)
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.line.close()


def play_fixtures(line: Connection, referee: Referee, watch: TimeLimit) -> None:
    """Plays what comes in, until nobody wants any more."""
    with suppress(EOFError, BrokenPipeError):
        sys.stdout = sys.stderr  # what a bot prints is for people; the table may be for machines
        numpy_random()  # not in the time of the bot that comes first
        while (fixture := line.recv()) is not None:
            try:
                told: Played | Exception = referee(fixture, watch)
            except Exception as error:
                told = error
            line.send(told)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Processes started here never hear of Ctrl-C: it is for the one that gave out the games."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def alike() -> Iterator[None]:
    """Processes started here put the same sets in the same order."""
    if "PYTHONHASHSEED" in os.environ:
        yield
        return
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        yield
    finally:
        del os.environ["PYTHONHASHSEED"]
