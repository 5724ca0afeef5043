"""Connection limits of a port: in total, per address, and how long a connection may send nothing."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from gamehost.api.pipeline import metrics

from .forwarding import Proxies

# How long a new connection may take for its first request before it is evicted rather than an idle one.
SILENT_SECONDS = 1.0


@dataclass(frozen=True)
class ConnectionLimits:
    """Limits for each port of one process; `per_address` 0 means no limit.

    `write_seconds` is how long an HTTP client may take to read when it has stopped reading a response.
    """

    total: int = 10_000
    per_address: int = 0
    idle_seconds: float = 60.0
    head_seconds: float = 10.0
    body_seconds: float = 20.0
    write_seconds: float = 10.0

    def within(self, room: int) -> ConnectionLimits:
        """Returns these limits reduced to `room` connections, for a process with few file descriptors.

        One address gets at most half of the total, so that it cannot take the whole port.
        """
        total = min(self.total, room)
        per_address = min(self.per_address, max(1, total // 2))
        return replace(self, total=total, per_address=per_address)


class CloseReason(StrEnum):
    """Why the service closed a connection. The values are labels of a metric and must stay stable."""

    ADDRESS_LIMIT = "address_limit"
    TOTAL_LIMIT = "total_limit"
    EVICTED = "evicted"  # it waited for a request while the port was full
    IDLE = "idle"
    HEAD_TIMEOUT = "head_timeout"
    BODY_TIMEOUT = "body_timeout"


class Connection(Protocol):
    """A connection that can be closed to make room for another one."""

    def evict(self) -> None:
        """Closes the connection at once."""


class HttpConnections:
    """Tracks the open connections of an HTTP port, and which of them wait for a request.

    When the port is full, a new connection replaces a waiting one: the one that has been open longest without
    a complete request, but if that one is younger than SILENT_SECONDS the one that has been idle longest.
    Without this, an attacker could fill the port with connections that send nothing. A connection whose
    request is being served is never evicted.
    """

    def __init__(
        self,
        limits: ConnectionLimits,
        port: str,
        proxies: Proxies | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`port` is the label in metrics. Connections from `proxies` have no limit per address."""
        self.limits, self._port, self._proxies = limits, port, proxies or Proxies()
        self._now = now
        self._addresses: dict[Connection, str | None] = {}
        self._per_address: Counter[str] = Counter()
        # Ordered sets: dictionaries keep insertion order, so the first connection has waited longest.
        self._silent: dict[Connection, float] = {}  # and when it was opened
        self._idle: dict[Connection, None] = {}

    def opened(self, connection: Connection, host: str) -> CloseReason | None:
        """Registers a new connection; returns a reason if it exceeds a limit and must be closed."""
        address = self._proxies.limited_address(host)
        if address is not None and 0 < self.limits.per_address <= self._per_address[address]:
            return CloseReason.ADDRESS_LIMIT
        if len(self._addresses) >= self.limits.total and not self._evict_one():
            return CloseReason.TOTAL_LIMIT
        self._addresses[connection] = address
        if address is not None:
            self._per_address[address] += 1
        self._silent[connection] = self._now()
        self._update_gauge()
        return None

    def closed(self, connection: Connection) -> None:
        """Forgets a connection. Connections that were refused or evicted are ignored."""
        if connection not in self._addresses:
            return
        address = self._addresses.pop(connection)
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]
        self.mark_busy(connection)
        self._update_gauge()

    def mark_busy(self, connection: Connection) -> None:
        """Marks the connection as busy: its request is complete and is being answered."""
        self._silent.pop(connection, None)
        self._idle.pop(connection, None)

    def mark_idle(self, connection: Connection) -> None:
        """Marks the connection as idle: its request has been answered."""
        if connection in self._addresses:
            self._idle[connection] = None

    def _evict_one(self) -> bool:
        connection = self._to_evict()
        if connection is None:
            return False
        # Forget it before it is aborted: its place must be free at once, and `connection_lost` comes later.
        self.closed(connection)
        self.count(CloseReason.EVICTED)
        connection.evict()
        return True

    def _to_evict(self) -> Connection | None:
        silent, opened = next(iter(self._silent.items()), (None, 0.0))
        # A client that has just connected is silent too. If it were evicted first, new clients would evict
        # each other while an attacker keeps the port full with connections that have made one request.
        if silent is not None and self._now() - opened >= SILENT_SECONDS:
            return silent
        return next(iter(self._idle), silent)

    def count(self, reason: CloseReason) -> None:
        """Counts a connection that the service closed."""
        metrics.connection_closed(self._port, reason)

    def _update_gauge(self) -> None:
        metrics.OPEN_CONNECTIONS.labels(self._port).set(len(self._addresses))
