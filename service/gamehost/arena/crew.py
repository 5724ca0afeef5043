"""Many games at once: one process for each core, and the same results as with one."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice

from .fixtures import Fixture
from .match import Played, play

Referee = Callable[[Fixture], Played]
"""Whoever can have a fixture played; it travels to other processes, so it is a plain function."""

AHEAD = 4  # games given out for each process, so that none waits and none plays them all


def run(fixtures: Iterable[Fixture], processes: int, referee: Referee = play) -> Iterator[Played]:
    """Every fixture's end, in the order of the fixtures."""
    if processes == 1:
        yield from map(referee, fixtures)
        return
    # A fresh process shares nothing with this one, whatever threads it has.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=fresh) as pool:
        waiting = iter(fixtures)
        with uninterrupted():
            under_way = [pool.submit(referee, first) for first in islice(waiting, processes * AHEAD)]
        try:
            while under_way:
                yield under_way.pop(0).result()
                if (following := next(waiting, None)) is not None:
                    under_way.append(pool.submit(referee, following))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


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
