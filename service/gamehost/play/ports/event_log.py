"""The event logs of games, and what is stored beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gamehost.play.errors import Unavailable


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An encoded event."""

    version: int  # 1 for the first event of a game, then without gaps
    payload: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """The versions of the events that a request appended."""

    first: int
    last: int
    repeated: bool = False  # whether the request had been appended before


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Makes an append exactly-once: an id that is unique in its game, and a fingerprint of the request."""

    id: str
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request that was answered, and the versions of its events."""

    request: RequestKey
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WholeGame:
    """The stored data of one game, without what can be computed from it."""

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
    """An encoded table; only a cache, which may be lost at any time."""

    version: int
    payload: bytes


class StaleVersion(Exception):
    """The log is not at the expected version: another writer has appended first."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(f"{game}: expected version {expected}, found {actual}")
        self.expected, self.actual = expected, actual


class RequestReused(Exception):
    """A request id was used again with another fingerprint."""


class StoreUnavailable(Unavailable):
    """The store does not answer. Whether an append was applied is unknown until it is retried."""


ReadEvents = Callable[[str, int], Awaitable[Sequence[StoredEvent]]]
"""Returns the events of a game after a version."""
KnownVersion = Callable[[], int]


class EventLog(Protocol):
    """Appends to, reads and follows the logs of games, with the summary, seed and snapshot beside each."""

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
        """Append all events or none, atomically with the summary and the seed if given.

        A request that was seen before on this game appends nothing and gets the versions of the first time,
        whatever `expected` says; with another fingerprint it raises RequestReused. Otherwise raises
        StaleVersion if the log is not at version `expected`, or if its last event is not `after`: after a
        failover, another event may have the version of one that was lost.
        """
        ...

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        """Return the versions that this request appended, or None; raises RequestReused like `append`."""
        ...

    async def version(self, game: str) -> int:
        """Return the version of the last event; 0 if there is no such game."""
        ...

    async def newest(self, game: str) -> StoredEvent | None:
        """Return the last event; None if there is no such game."""
        ...

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        """Return the events with after < version <= upto, oldest first."""
        ...

    def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None, known: KnownVersion | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        """Yield the events after that version, then new ones as they are appended; never an empty batch.

        With `read`, that function is called for the events that are already there. `known` returns the
        version up to which the follower has got the events elsewhere meanwhile: they need not be read.
        """
        ...

    async def seed(self, game: str) -> bytes | None:
        """Return the secret seed of a game."""
        ...

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        """Return the newest summary of each game, None for a game that does not exist."""
        ...

    async def snapshot(self, game: str) -> Snapshot | None: ...

    async def save_snapshot(self, game: str, snapshot: Snapshot) -> None: ...


class WholeGames(Protocol):
    """Reads and removes complete games, for moving them to an archive."""

    def games(self) -> AsyncIterator[str]:
        """Yield the ids of all games in the store, in no order. Slow; for maintenance only."""
        ...

    async def whole_game(self, game: str) -> WholeGame | None:
        """Return everything of a game; None if the store does not have it."""
        ...

    async def remove_game(self, game: str, version: int) -> bool:
        """Remove a game atomically; False, and no change, if it is not at that version."""
        ...


class StoreConnection(Protocol):
    """The connection to the store."""

    async def time(self) -> int:
        """Return the time of the store's clock, in microseconds since 1970."""
        ...

    async def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be used."""
        ...

    async def close(self) -> None: ...
