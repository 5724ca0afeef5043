"""Ends all processes that a run started, however the run ends.

A process that adopts (Linux: child subreaper) becomes the parent of every orphan below it, so services,
Redis servers and browsers are still found when the test process that started them is gone. On other systems
only the processes that a run started itself are ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection
from pathlib import Path

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
GRACE = 3.0  # seconds between SIGTERM and SIGKILL
KILLS = 50


def adopt() -> None:
    """Makes this process the parent of orphaned descendants, if the system supports that."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def running(but: Collection[int] = ()) -> list[int]:
    """Returns the ids of all descendants of this process, except `but`."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may contain spaces; state and parent follow the last one.
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return [process for process in found if process not in but]


def end_all(grace: float = GRACE, but: Collection[int] = ()) -> None:
    """Terminates all descendants except `but`, and kills those that do not end."""
    _signal(running(but), signal.SIGTERM)
    deadline = time.monotonic() + grace
    while running(but) and time.monotonic() < deadline:
        _reap()
        time.sleep(0.02)
    # The list is read again each time: children of a process that just ended are adopted a little later.
    for _ in range(KILLS):
        _signal(running(but), signal.SIGKILL)
        _reap()
        time.sleep(0.02)
        if not running(but):
            break


def _signal(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
