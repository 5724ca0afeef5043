"""Quotas of callers, connections and the process.

New games are counted in the store, so that limit holds across all processes. Calls, streams and events are
counted in each process, without a round trip: with n workers a caller gets up to n times the limit.
"""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gamehost.play.errors import TooMuch
from gamehost.play.ports.registry import Registry

MOST_BUCKETS = 20_000
MINUTE = 60
STREAM_RETRY = 5.0  # seconds after which a caller may try again to open a stream


@dataclass(frozen=True, slots=True)
class Limits:
    """0 means no limit. Bursts of calls and events may be twice the rate per second."""

    calls_per_second: float = 0
    connection_calls_per_second: float = 0
    creates_per_minute: int = 0
    streams_per_caller: int = 0
    streams: int = 0
    events_per_second: float = 0


class TokenBuckets:
    """Token buckets by name.

    At most MOST_BUCKETS are held; the least recently used one is dropped, and is full when it comes back.
    That gives away little: it takes thousands of other callers to push one out.
    """

    def __init__(self, rate: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, 2 * rate, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> float:
        """Takes a token and returns 0, or returns the seconds until there is one."""
        if not self._rate:
            return 0.0
        now = self._now()
        tokens, at = self._buckets.pop(name, (self._burst, now))
        tokens = min(self._burst, tokens + (now - at) * self._rate)
        self._buckets[name] = (tokens - 1 if tokens >= 1 else tokens, now)
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0.0 if tokens >= 1 else (1 - tokens) / self._rate


class DebtBuckets:
    """Token buckets that can be overdrawn.

    How many events a call reads is known only after it has read them. So the call is charged afterwards, and
    the next one waits until the debt is paid off at `rate`.
    """

    def __init__(self, rate: float, now: Callable[[], float]) -> None:
        self._rate, self._burst, self._now = rate, 2 * rate, now
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def charge(self, name: str, count: int) -> None:
        """Adds `count` to what the name has spent."""
        if not self._rate:
            return
        spent = self._spent_now(name)
        self._spent[name] = (spent + count, self._now())
        while len(self._spent) > MOST_BUCKETS:
            self._spent.popitem(last=False)

    def wait(self, name: str) -> float:
        """The seconds until the debt is paid off; 0 without one."""
        return max(0.0, self._spent_now(name) - self._burst) / self._rate if self._rate else 0.0

    def _spent_now(self, name: str) -> float:
        """Returns what a name has spent and not paid off yet, and forgets names without any."""
        spent, at = self._spent.pop(name, (0.0, 0.0))
        spent = max(0.0, spent - (self._now() - at) * self._rate)
        if spent:
            self._spent[name] = (spent, self._now())
        return spent


class Quotas:
    """Counts calls, new games and streams; raises TooMuch over a limit. `now` returns Unix time."""

    def __init__(self, limits: Limits, store: Registry, now: Callable[[], float]) -> None:
        self._limits, self._store, self._now = limits, store, now
        self._callers = TokenBuckets(limits.calls_per_second, now)
        self._connections = TokenBuckets(limits.connection_calls_per_second, now)
        self.events = DebtBuckets(limits.events_per_second, now)
        self._streams: Counter[str] = Counter()

    def count_connection_call(self, connection: str) -> None:
        if wait := self._connections.take(connection):
            raise TooMuch("too many calls on this connection", wait, "connection")

    def count_caller_call(self, payer: str) -> None:
        if wait := self._callers.take(payer):
            raise TooMuch("too many calls", wait)

    async def count_new_game(self, payer: str) -> None:
        """Counts a new game of the payer, in windows of one minute."""
        most = self._limits.creates_per_minute
        if not most:
            return
        minute, elapsed = divmod(self._now(), MINUTE)
        # Payers contain subjects and addresses of any form; a digest makes a key of fixed length.
        digest = hashlib.sha256(payer.encode()).hexdigest()[:32]
        if await self._store.count_up(f"creates:{digest}:{int(minute)}", 2 * MINUTE) > most:
            raise TooMuch(f"at most {most} new games per minute", MINUTE - elapsed)

    def check_room(self, waiting: int = 0) -> None:
        """Raises TooMuch unless there is room for one more stream beside the open and the `waiting` ones."""
        most = self._limits.streams
        if most and self._streams.total() + waiting >= most:
            raise TooMuch("this process has no room for more streams", STREAM_RETRY, "process")

    @contextmanager
    def stream(self, payer: str) -> Iterator[None]:
        """Holds a stream slot of the payer while the block runs."""
        limits = self._limits
        self.check_room()
        if limits.streams_per_caller and self._streams[payer] >= limits.streams_per_caller:
            raise TooMuch(f"at most {limits.streams_per_caller} streams at once", STREAM_RETRY)
        self._streams[payer] += 1
        try:
            yield
        finally:
            self._streams[payer] -= 1
            if not self._streams[payer]:  # a Counter keeps names with a count of 0
                del self._streams[payer]
