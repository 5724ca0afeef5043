"""How many file descriptors this process may use, and how many of them may be connections."""

from __future__ import annotations

import resource
from contextlib import suppress

LOW_FILE_LIMIT = 4096  # below it, `shedu doctor` warns
ENDLESS = 1 << 20  # stands for a limit that is infinite
# Descriptors for the store, bots' pipes, the log, listeners and event loops. A process that serves
# thousands of calls a second has about 40 of them open; without a reserve, callers could take them all.
RESERVE = 128
LEAST_BACKLOG, MOST_BACKLOG = 32, 2048


def raise_file_limit() -> int:
    """Raises the soft limit to the hard one, and returns what is in force."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some systems refuse an infinite soft limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return file_limit()


def file_limit() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENDLESS if soft == resource.RLIM_INFINITY else soft


def hard_file_limit() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENDLESS if hard == resource.RLIM_INFINITY else hard


def backlog(limit: int) -> int:
    """How many connections may wait to be accepted.

    The event loop accepts all of them before any can be counted or closed, so descriptors must be left for
    a full backlog.
    """
    return max(LEAST_BACKLOG, min(MOST_BACKLOG, limit // 8))


def connection_room(limit: int) -> int:
    """How many connections each of the two ports may have under this limit.

    Each port has its own half, so that a crowd on one leaves the other alone.
    """
    return max(1, (limit - RESERVE - backlog(limit)) // 2)
