"""Limits of the connections of the gRPC port, whose sockets the gRPC core accepts by itself."""

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

from .connections import ConnectionLimits, Why
from .forwarding import Proxies

DESCRIPTORS = "/proc/self/fd"
LEAST_PAUSE = 0.05  # seconds between two looks
# A pause is so many times as long as the look before it: looking takes 2 % of the time at most, and 17 %
# while connections have to be closed, for then the port may be full again soon.
PAUSES, PAUSES_IN_A_CROWD = 50, 5
MAPPED = "::ffff:"  # an IPv4 address on a socket of IPv6


@dataclass(frozen=True)
class Open:
    """A connection: its descriptor, the inode that tells whether that is still its own, and its other end."""

    fd: int
    inode: int
    peer: str
    payer: str | None  # whose limit it counts for
    since: float


class PortSockets:
    """Closes the connections of an address over its limit, and silent ones when the port is nearly full.

    The gRPC core accepts connections itself. It offers a limit of all connections, which refuses the new ones
    and not the silent ones, and no limit of an address; nor does Python get to see its sockets. But they are
    descriptors of this process: they are looked at from time to time, and one that is too much is shut down,
    which the core takes for a client that has gone. Between two looks the core's own limit holds.
    """

    def __init__(self, limits: ConnectionLimits, port: str, proxies: Proxies) -> None:
        """`port` is what metrics call it; connections of `proxies` count for no address."""
        self._limits, self._port, self._proxies = limits, port, proxies
        self._enough = max(1, limits.total - limits.total // 8)
        self._ports: set[int] = set()
        self._seen: dict[int, tuple[int, Open | None]] = {}
        self._calls: Counter[str] = Counter()
        self._called: dict[str, float] = {}

    def listen(self, port: int) -> None:
        self._ports.add(port)

    @contextmanager
    def calling(self, peer: str) -> Iterator[None]:
        """The connection of `peer`, as an address and a port, is not silent during a call."""
        self.begin(peer)
        try:
            yield
        finally:
            self.end(peer)

    def begin(self, peer: str) -> None:
        self._calls[peer] += 1

    def end(self, peer: str) -> None:
        self._called[peer] = time.monotonic()
        self._calls[peer] -= 1
        if not self._calls[peer]:
            del self._calls[peer]

    async def keep(self) -> None:
        while True:
            began, closed = time.thread_time(), 0
            with suppress(OSError):  # to list descriptors takes one: with none left, the next look may do
                closed = self.look()
            pauses = PAUSES_IN_A_CROWD if closed else PAUSES
            await asyncio.sleep(max(LEAST_PAUSE, pauses * (time.thread_time() - began)))

    def look(self) -> int:
        """How many connections it closed."""
        found = self._open()
        peers = {each.peer for each in found}
        self._called = {peer: moment for peer, moment in self._called.items() if peer in peers}
        crowded = over_address_limit(found, self._limits.per_address)
        left = [each for each in found if each not in crowded]
        silent = self._silent(left)[: max(0, len(left) - self._enough)]
        closed = 0
        for connections, why in ((crowded, Why.ADDRESS_LIMIT), (silent, Why.EVICTED)):
            for each in connections:
                self._seen[each.fd] = each.inode, None  # its owner will close it, and it counts no longer
                if shut_down(each):
                    closed += 1
                    metrics.connection_closed(self._port, why)
        metrics.OPEN_CONNECTIONS.labels(self._port).set(len(left) - len(silent))
        return closed

    def _silent(self, found: Iterable[Open]) -> list[Open]:
        """Those without a call under way; first those that never made one, each by how long ago that is."""
        waiting = [each for each in found if each.peer not in self._calls]
        return sorted(
            waiting, key=lambda each: (each.peer in self._called, self._called.get(each.peer, each.since))
        )

    def _open(self) -> list[Open]:
        """Only descriptors that are new since the last look cost more than an fstat."""
        before, self._seen = self._seen, {}
        for fd in map(int, os.listdir(DESCRIPTORS)):
            inode = socket_inode(fd)
            if inode is not None:
                known = before.get(fd)
                same = known is not None and known[0] == inode
                self._seen[fd] = known if known and same else (inode, self._examine(fd, inode))
        return [each for _, each in self._seen.values() if each is not None]

    def _examine(self, fd: int, inode: int) -> Open | None:
        """The connection of this socket, if it is one of the port."""
        with twin(fd, inode) as found:
            if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
                return None
            try:
                if found.getsockname()[1] not in self._ports:
                    return None
                host, port = found.getpeername()[:2]
            except OSError:  # it listens, or has gone
                return None
        host = host.removeprefix(MAPPED)
        payer = self._proxies.payer_of_connections(host)
        return Open(fd, inode, f"{host}:{port}", payer, time.monotonic())


def over_address_limit(found: Iterable[Open], limit: int) -> set[Open]:
    """The newest connections of each address that has more of them; with a limit of 0 none."""
    counts: Counter[str] = Counter()
    crowded = set()
    for each in sorted(found, key=lambda each: each.since) if limit else ():
        if each.payer is not None:
            counts[each.payer] += 1
            if counts[each.payer] > limit:
                crowded.add(each)
    return crowded


def socket_inode(fd: int) -> int | None:
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_ino if stat.S_ISSOCK(found.st_mode) else None


@contextmanager
def twin(fd: int, inode: int) -> Iterator[socket.socket | None]:
    """A second descriptor of a socket, or None if the first is no longer that socket.

    The core closes and opens sockets in its own threads, so the number alone may be another socket's by now.
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


def shut_down(connection: Open) -> bool:
    with twin(connection.fd, connection.inode) as found:
        if found is None:
            return False
        try:
            found.shutdown(socket.SHUT_RDWR)
        except OSError:  # the other end was faster
            return False
    return True
