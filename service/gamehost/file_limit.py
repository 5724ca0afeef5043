"""The limit of open files of this process, and how many of them may be connections."""

from __future__ import annotations

import resource
from contextlib import suppress

LOW_FILE_LIMIT = 4096  # below it, `shedu doctor` warns
UNLIMITED = 1 << 20  # returned for an infinite limit
# Descriptors for the store, the pipes of bots, the log, listeners and event loops. A process that serves
# thousands of calls per second has about 40 of them open. Without a reserve, clients could take them all, and
# the process could not even reconnect to the store.
RESERVED_FILES = 128
LEAST_BACKLOG, MOST_BACKLOG = 32, 2048


def raise_file_limit() -> int:
    """Raises the soft limit to the hard limit; returns the resulting limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some systems refuse an infinite soft limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return file_limit()


def file_limit() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft


def hard_file_limit() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if hard == resource.RLIM_INFINITY else hard


def listen_backlog(limit: int) -> int:
    """Returns how many connections may wait to be accepted.

    The event loop accepts a whole backlog before it reports the first connection, so that one over the limit
    can be closed. Descriptors for a full backlog must therefore be free.
    """
    return max(LEAST_BACKLOG, min(MOST_BACKLOG, limit // 8))


def connection_room(limit: int) -> int:
    """Returns how many connections each of the two ports may have under this limit.

    Each port has half of them, so that connections to one port cannot exhaust the other.
    """
    return max(1, (limit - RESERVED_FILES - listen_backlog(limit)) // 2)
