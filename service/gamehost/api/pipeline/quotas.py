"""How much one caller, one connection and one process may ask for.

New games are counted in the store, so that limit holds over all processes. Calls and streams are counted
in each process: with several workers a caller may have as many times more, at most.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gamehost.play.errors import TooMuch
from gamehost.play.ports.registry import Registry

REMEMBERED = 20_000
MINUTE = 60
STREAM_RETRY = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """0 stands for no limit. Twice a second's calls, and events, may come at once."""

    calls_per_second: float = 0
    connection_calls_per_second: float = 0
    creates_per_minute: int = 0
    streams_per_caller: int = 0
    streams: int = 0
    events_per_second: float = 0


class Buckets:
    """Token buckets by name; one that was not used lately is forgotten, and was full by then."""

    def __init__(self, rate: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, 2 * rate, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> float:
        """Take one; or none, and the seconds until there is one."""
        if not self._rate:
            return 0.0
        now = self._now()
        tokens, at = self._buckets.pop(name, (self._burst, now))
        tokens = min(self._burst, tokens + (now - at) * self._rate)
        self._buckets[name] = (tokens - 1 if tokens >= 1 else tokens, now)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if tokens >= 1 else (1 - tokens) / self._rate


class Debts:
    """Token buckets that may be overdrawn, for what is known only once it is spent: the events of a log."""

    def __init__(self, rate: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, 2 * rate, now
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def charge(self, name: str, count: int) -> None:
        if not self._rate:
            return
        spent = self._left(name)
        self._spent[name] = (spent + count, self._now())
        while len(self._spent) > REMEMBERED:
            self._spent.popitem(last=False)

    def wait(self, name: str) -> float:
        """Seconds until the debt is gone."""
        return max(0.0, self._left(name) - self._burst) / self._rate if self._rate else 0.0

    def _left(self, name: str) -> float:
        """What was spent and has not come back yet; nothing is remembered of those who owe nothing."""
        spent, at = self._spent.pop(name, (0.0, 0.0))
        spent = max(0.0, spent - (self._now() - at) * self._rate)
        if spent:
            self._spent[name] = (spent, self._now())
        return spent


class Quotas:
    """Raises TooMuch. `now` gives seconds since 1970."""

    def __init__(self, limits: Limits, store: Registry, now: Callable[[], float]) -> None:
        self._limits, self._store, self._now = limits, store, now
        self._callers = Buckets(limits.calls_per_second, now)
        self._connections = Buckets(limits.connection_calls_per_second, now)
        self.events = Debts(limits.events_per_second, now)
        self._streams: Counter[str] = Counter()

    def connection_calls(self, connection: str) -> None:
        if wait := self._connections.take(connection):
            raise TooMuch("too many calls on this connection", wait, "connection")

    def caller_calls(self, payer: str) -> None:
        if wait := self._callers.take(payer):
            raise TooMuch("too many calls", wait)

    async def creates(self, payer: str) -> None:
        most = self._limits.creates_per_minute
        if not most:
            return
        minute, into = divmod(self._now(), MINUTE)
        digest = hashlib.sha256(payer.encode()).hexdigest()[:32]
        if await self._store.count_up(f"creates:{digest}:{int(minute)}", 2 * MINUTE) > most:
            raise TooMuch(f"at most {most} new games a minute", MINUTE - into)

    def check_room(self, waiting: int = 0) -> None:
        """For one more stream beside those there are, and those that wait to begin."""
        most = self._limits.streams
        if most and self._streams.total() + waiting >= most:
            raise TooMuch("this process has no room for more streams", STREAM_RETRY, "process")

    @contextmanager
    def stream(self, payer: str) -> Iterator[None]:
        """Holds a place for a stream."""
        limits = self._limits
        self.check_room()
        if limits.streams_per_caller and self._streams[payer] >= limits.streams_per_caller:
            raise TooMuch(f"at most {limits.streams_per_caller} streams at once", STREAM_RETRY)
        self._streams[payer] += 1
        try:
            yield
        finally:
            self._streams[payer] -= 1
            if not self._streams[payer]:
                del self._streams[payer]
