"""Connection limits of the gRPC port, whose sockets are accepted inside the gRPC core."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from gamehost.api.pipeline import metrics

from .connections import CloseReason, ConnectionLimits
from .forwarding import Proxies

DESCRIPTORS = "/proc/self/fd"
LEAST_PAUSE = 0.05  # seconds between two checks
# The pause after a check is this many times as long as the check took. So checks use at most 2 % of the CPU
# time, and 17 % while connections have to be closed, because the port may be full again soon.
PAUSE_FACTOR, PAUSE_FACTOR_WHEN_FULL = 50, 5
MAPPED = "::ffff:"  # prefix of an IPv4 address on an IPv6 socket


@dataclass(frozen=True)
class OpenSocket:
    """A connection of the port.

    `inode` identifies the socket. Its descriptor does not: the core may close the socket at any time, and the
    kernel gives the number to the next file that is opened.
    """

    fd: int
    inode: int
    peer: str
    limited_address: str | None  # the address whose limit applies, None for a proxy
    since: float


class PortSockets:
    """Closes connections of an address over its limit, and idle connections when the port is nearly full.

    The gRPC core accepts connections itself and does not expose its sockets to Python. Its only limit is the
    total, which refuses new connections and keeps idle ones, so idle connections could block the port. But
    the sockets are file descriptors of this process: they are listed in /proc/self/fd at intervals, and a
    connection that must be closed is shut down, which the core handles like a disconnect of the client.
    Between two checks, the limit of the core applies.
    """

    def __init__(self, limits: ConnectionLimits, port: str, proxies: Proxies) -> None:
        """`port` is the label in metrics. Connections from `proxies` have no limit per address."""
        self._limits, self._port, self._proxies = limits, port, proxies
        # Evict above 7/8 of the limit: at the limit itself the core would already refuse new connections.
        self._evict_above = max(1, limits.total - limits.total // 8)
        self._ports: set[int] = set()
        self._seen: dict[int, tuple[int, OpenSocket | None]] = {}
        self._calls: dict[str, int] = {}
        self._last_call: dict[str, float] = {}

    def listen(self, port: int) -> None:
        """Includes the connections of this port number in the checks."""
        self._ports.add(port)

    def active_call(self, peer: str) -> ActiveCall:
        """Returns a context manager that marks the connection of `peer`, an address and a port, as busy.

        It is not evicted meanwhile.
        """
        return ActiveCall(self, peer)

    def begin_call(self, peer: str) -> None:
        self._calls[peer] = self._calls.get(peer, 0) + 1

    def end_call(self, peer: str) -> None:
        self._last_call[peer] = time.monotonic()
        calls = self._calls[peer] - 1
        if calls:
            self._calls[peer] = calls
        else:
            del self._calls[peer]

    async def run(self) -> None:
        """Checks the connections at intervals until it is cancelled."""
        while True:
            began, closed = time.thread_time(), 0
            # Listing descriptors needs a descriptor. If none is left, the next check may succeed.
            with suppress(OSError):
                closed = self._check()
            factor = PAUSE_FACTOR_WHEN_FULL if closed else PAUSE_FACTOR
            await asyncio.sleep(max(LEAST_PAUSE, factor * (time.thread_time() - began)))

    def _check(self) -> int:
        """Closes the connections that exceed a limit; returns how many."""
        found = self._open_sockets()
        peers = {each.peer for each in found}
        self._last_call = {peer: ended for peer, ended in self._last_call.items() if peer in peers}
        over_limit = over_address_limit(found, self._limits.per_address)
        left = [each for each in found if each not in over_limit]
        evicted = self._idle(left)[: max(0, len(left) - self._evict_above)]
        closed = 0
        for connections, reason in (
            (over_limit, CloseReason.ADDRESS_LIMIT),
            (evicted, CloseReason.EVICTED),
        ):
            for each in connections:
                # The core closes the descriptor a little later. Until then it must not be counted again.
                self._seen[each.fd] = each.inode, None
                if shut_down_socket(each):
                    closed += 1
                    metrics.connection_closed(self._port, reason)
        metrics.OPEN_CONNECTIONS.labels(self._port).set(len(left) - len(evicted))
        return closed

    def _idle(self, found: Iterable[OpenSocket]) -> list[OpenSocket]:
        """Returns the connections without an active call, in the order of eviction.

        Those that never made a call come first, the oldest ahead; then those whose last call is longest ago.
        """
        waiting = [each for each in found if each.peer not in self._calls]
        return sorted(
            waiting,
            key=lambda each: (each.peer in self._last_call, self._last_call.get(each.peer, each.since)),
        )

    def _open_sockets(self) -> list[OpenSocket]:
        """Returns the connections of the port among the descriptors of this process."""
        # A socket that was seen in the last check costs one fstat; only new ones are examined.
        before, self._seen = self._seen, {}
        for fd in map(int, os.listdir(DESCRIPTORS)):
            inode = socket_inode(fd)
            if inode is not None:
                known = before.get(fd)
                same = known is not None and known[0] == inode
                self._seen[fd] = known if known and same else (inode, self._examine(fd, inode))
        return [each for _, each in self._seen.values() if each is not None]

    def _examine(self, fd: int, inode: int) -> OpenSocket | None:
        """Returns the connection of this socket, or None if it is not a connection of the port."""
        with duplicate(fd, inode) as found:
            if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
                return None
            try:
                if found.getsockname()[1] not in self._ports:
                    return None
                host, port = found.getpeername()[:2]
            except OSError:  # a listening socket, or the client has disconnected
                return None
        host = host.removeprefix(MAPPED)
        limited_address = self._proxies.limited_address(host)
        return OpenSocket(fd, inode, f"{host}:{port}", limited_address, time.monotonic())


class ActiveCall:
    """A class, because `contextmanager` costs every call 2 µs more."""

    __slots__ = ("_peer", "_sockets")

    def __init__(self, sockets: PortSockets, peer: str) -> None:
        self._sockets, self._peer = sockets, peer

    def __enter__(self) -> None:
        self._sockets.begin_call(self._peer)

    def __exit__(self, *_error: object) -> None:
        self._sockets.end_call(self._peer)


def over_address_limit(found: Iterable[OpenSocket], limit: int) -> set[OpenSocket]:
    """Returns the newest connections of each address that exceed its limit; none if the limit is 0."""
    counts: Counter[str] = Counter()
    over_limit = set()
    for each in sorted(found, key=lambda each: each.since) if limit else ():
        if each.limited_address is not None:
            counts[each.limited_address] += 1
            if counts[each.limited_address] > limit:
                over_limit.add(each)
    return over_limit


def socket_inode(fd: int) -> int | None:
    """Returns the inode of a socket, or None if the descriptor is closed or not a socket."""
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_ino if stat.S_ISSOCK(found.st_mode) else None


@contextmanager
def duplicate(fd: int, inode: int) -> Iterator[socket.socket | None]:
    """Yields a second descriptor of a socket, or None if `fd` is no longer that socket.

    The core closes and opens sockets in its own threads, so `fd` may already be another socket. Checking the
    inode of `fd` itself would leave a race between the check and the use. The duplicate belongs to this
    thread: once its inode has been checked, no other thread can replace it.
    """
    try:
        copy = os.dup(fd)
    except OSError:
        yield None
        return
    if socket_inode(copy) != inode:
        os.close(copy)
        yield None
        return
    with socket.socket(fileno=copy) as found:
        yield found


def shut_down_socket(connection: OpenSocket) -> bool:
    """Shuts the connection down in both directions; returns whether it was still open."""
    # close() would only drop this process's duplicate. shutdown() acts on the socket that the core reads.
    with duplicate(connection.fd, connection.inode) as found:
        if found is None:
            return False
        try:
            found.shutdown(socket.SHUT_RDWR)
        except OSError:  # the client disconnected first
            return False
    return True
