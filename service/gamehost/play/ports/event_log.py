"""Logs of events, one for each game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gamehost.play.errors import Unavailable


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the store keeps it."""

    version: int  # 1 for the first event of a game, then without gaps
    payload: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """Where the events of a request stand in the log."""

    first: int
    last: int
    repeated: bool = False  # True when the request had been appended before


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes an append exactly-once: an id that is unique in its game, and what was asked."""

    id: str
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request of long ago, and where the events it led to stand."""

    request: RequestKey
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WholeGame:
    """All that a store keeps of one game, but for what can be made again from it."""

    game: str
    events: Sequence[bytes]
    seed: bytes | None
    summary: bytes | None
    requests: Sequence[AnsweredRequest]

    @property
    def version(self) -> int:
        return len(self.events)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folded game; a cache that may be lost at any time."""

    version: int
    payload: bytes


class StaleVersion(Exception):
    """Someone else appended first."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(f"{game}: expected version {expected}, found {actual}")
        self.expected, self.actual = expected, actual


class RequestReused(Exception):
    """A request id came again with another fingerprint."""


class StoreUnavailable(Unavailable):
    """The store does not answer; whether an append was applied is unknown until it is retried."""


ReadEvents = Callable[[str, int], Awaitable[Sequence[StoredEvent]]]
"""The events of a game after a version."""


class EventLog(Protocol):
    """The logs of games: appended to, read and followed. What is derived from a log is kept beside it."""

    async def append(
        self,
        game: str,
        events: Sequence[bytes],
        *,
        expected: int,
        after: bytes | None = None,
        request: RequestKey | None = None,
        summary: bytes | None = None,
        seed: bytes | None = None,
    ) -> Appended:
        """Append all or none, together with the summary and the seed when given.

        A request seen before on this game appends nothing and is answered as it was the first
        time, whatever `expected` says; with another fingerprint it raises RequestReused.
        Otherwise a log that is not at `expected`, or whose last event is not `after` when that is given,
        raises StaleVersion: after a failover another event may have the number of one that was lost.
        """
        ...

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        """How this request was answered, if it was; RequestReused as above."""
        ...

    async def version(self, game: str) -> int:
        """Number of the last event; 0 when there is no such game."""
        ...

    async def newest(self, game: str) -> StoredEvent | None:
        """The last event; None when there is no such game."""
        ...

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        """Events with after < version <= upto, oldest first."""
        ...

    def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        """What is there after that version, then whatever is appended, for ever. Never yields nothing.

        With `read`, that is asked what is there.
        """
        ...

    async def seed(self, game: str) -> bytes | None: ...

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        """The newest summary of each game, None for a game that does not exist."""
        ...

    async def snapshot(self, game: str) -> Snapshot | None: ...

    async def save_snapshot(self, game: str, snapshot: Snapshot) -> None: ...


class WholeGames(Protocol):
    """Everything that a store keeps of a game, for moving it to an archive."""

    def games(self) -> AsyncIterator[str]:
        """The games that are here, in no order; slow, for tidying up."""
        ...

    async def whole_game(self, game: str) -> WholeGame | None:
        """All of a game; None when there is no such game here."""
        ...

    async def remove_game(self, game: str, version: int) -> bool:
        """Remove all of a game in one step; False, and nothing, unless it is at that version."""
        ...


class StoreConnection(Protocol):
    """The connection to the store itself."""

    async def time(self) -> int:
        """Microseconds since 1970 by the store's own clock."""
        ...

    async def ping(self) -> None:
        """Raises StoreUnavailable when the store cannot be used."""
        ...

    async def close(self) -> None: ...
