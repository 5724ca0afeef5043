"""Checks the limit of open files, which bounds the number of connections."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.file_limit import LOW_FILE_LIMIT, connection_room, file_limit, hard_file_limit
from gamehost.settings import Settings

from .finding import Finding, good, warning


def check_file_limits(settings: Settings) -> Iterator[Finding]:
    yield file_limits(file_limit(), hard_file_limit(), settings.connections)


def file_limits(soft: int, hard: int, wanted: int) -> Finding:
    """Check the hard limit: the service raises the soft limit to it at its start."""
    connections = min(wanted, connection_room(hard))
    detail = f"soft limit {soft}, raised to {hard} at the start: {connections} connections on each port"
    if hard >= LOW_FILE_LIMIT:
        return good("files", detail)
    return warning(
        "files",
        detail,
        f"Raise the hard limit to {LOW_FILE_LIMIT} or more: ulimit -Hn, or LimitNOFILE of systemd.",
    )
