"""Limits of the connections of a port: of one address, in all, and how long they may be silent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from gamehost.api.pipeline import metrics

from .forwarding import Proxies


@dataclass(frozen=True)
class ConnectionLimits:
    """Of each port of one process; `per_address` 0 stands for no limit."""

    total: int = 10_000
    per_address: int = 0
    idle_seconds: float = 60.0
    head_seconds: float = 10.0
    body_seconds: float = 20.0

    def within(self, room: int) -> ConnectionLimits:
        """Where descriptors leave room for fewer: one address never has more than half of it."""
        total = min(self.total, room)
        per_address = min(self.per_address, max(1, total // 2))
        return ConnectionLimits(total, per_address, self.idle_seconds, self.head_seconds, self.body_seconds)


class Why(StrEnum):
    """Why the service closed a connection: values of a metric's label, stable."""

    ADDRESS_LIMIT = "address_limit"
    TOTAL_LIMIT = "total_limit"
    EVICTED = "evicted"  # it was silent, and the port was full
    IDLE = "idle"
    HEAD_TIMEOUT = "head_timeout"
    BODY_TIMEOUT = "body_timeout"


class Connection(Protocol):
    def evict(self) -> None:
        """Closes the connection at once."""


class HttpConnections:
    """Knows the open connections of an HTTP port, and which of them wait for a request.

    Where the port is full, a new connection takes the place of one that waits: first of the one that has
    been open longest without a complete request, then of the one that has been idle longest. So silent
    connections keep nobody out. A connection is never closed while its request is served.
    """

    def __init__(self, limits: ConnectionLimits, port: str, proxies: Proxies | None = None) -> None:
        """`port` is what metrics call it; connections of `proxies` count for no address."""
        self.limits, self._port, self._proxies = limits, port, proxies or Proxies()
        self._addresses: dict[Connection, str | None] = {}
        self._per_address: Counter[str] = Counter()
        # Dictionaries keep the order of insertion: the first one waits longest.
        self._silent: dict[Connection, None] = {}
        self._idle: dict[Connection, None] = {}

    def opened(self, connection: Connection, host: str) -> Why | None:
        """Why the connection must be closed, if it must."""
        address = self._proxies.payer_of_connections(host)
        if address is not None and 0 < self.limits.per_address <= self._per_address[address]:
            return Why.ADDRESS_LIMIT
        if len(self._addresses) >= self.limits.total and not self._evict_one():
            return Why.TOTAL_LIMIT
        self._addresses[connection] = address
        if address is not None:
            self._per_address[address] += 1
        self._silent[connection] = None
        self._tell()
        return None

    def closed(self, connection: Connection) -> None:
        if connection not in self._addresses:
            return
        address = self._addresses.pop(connection)
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]
        self.serves(connection)
        self._tell()

    def serves(self, connection: Connection) -> None:
        """Its request is complete and is being answered."""
        self._silent.pop(connection, None)
        self._idle.pop(connection, None)

    def waits(self, connection: Connection) -> None:
        """It has been answered."""
        if connection in self._addresses:
            self._idle[connection] = None

    def _evict_one(self) -> bool:
        waiting = self._silent or self._idle
        if not waiting:
            return False
        connection = next(iter(waiting))
        self.closed(connection)
        self.count(Why.EVICTED)
        connection.evict()
        return True

    def count(self, why: Why) -> None:
        """One more connection that the service closed."""
        metrics.connection_closed(self._port, why)

    def _tell(self) -> None:
        metrics.OPEN_CONNECTIONS.labels(self._port).set(len(self._addresses))
