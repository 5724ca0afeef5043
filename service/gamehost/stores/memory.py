"""An event store in memory: the reference implementation of the ports, used by tests."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gamehost.play.ports.event_log import (
    AnsweredRequest,
    Appended,
    KnownVersion,
    ReadEvents,
    RequestKey,
    RequestReused,
    Snapshot,
    StaleVersion,
    StoredEvent,
    WholeGame,
)
from gamehost.play.ports.inbox_board import (
    MOST_MARKS,
    Mark,
)
from gamehost.play.ports.listings import Listing

from .limits import check_events, check_score
from .memory_maps import MemoryMaps
from .memory_schedule import MemorySchedule
from .memory_talk import MemoryTalk


@dataclass(slots=True)
class MemoryGame:
    """The stored data of one game. `grew` is set, and replaced, at each append."""

    log: list[StoredEvent] = field(default_factory=list)
    requests: dict[str, tuple[bytes, Appended]] = field(default_factory=dict)
    grew: asyncio.Event = field(default_factory=asyncio.Event)
    seed: bytes | None = None
    summary: bytes | None = None
    snapshot: Snapshot | None = None


@dataclass(slots=True)
class MemoryBoard:
    """The marks of a board: names with their numbers."""

    newest: int = 0
    numbers: dict[str, int] = field(default_factory=dict)
    subscribers: dict[str, None] = field(default_factory=dict)
    grew: asyncio.Event = field(default_factory=asyncio.Event)


class MemoryEventStore(MemorySchedule, MemoryMaps, MemoryTalk):
    """Implements the port `EventStore` in dicts.

    Methods without an `await` are atomic, as the Lua scripts are.
    """

    def __init__(self) -> None:
        super().__init__()
        MemoryMaps.__init__(self)
        MemoryTalk.__init__(self)
        self._games: dict[str, MemoryGame] = {}
        self._lists: dict[str, dict[str, int]] = {}
        self._secrets: dict[str, bytes] = {}
        self._counts: dict[str, tuple[int, float]] = {}
        self._registries: dict[str, dict[str, bytes]] = {}
        self._boards: dict[str, MemoryBoard] = {}

    def copy(self) -> MemoryEventStore:
        """Returns an independent store with the same contents."""
        other = MemoryEventStore()
        other._games = {
            name: replace(game, log=[*game.log], requests={**game.requests}, grew=asyncio.Event())
            for name, game in self._games.items()
        }
        other._lists = {name: {**games} for name, games in self._lists.items()}
        other._schedules = {name: {**games} for name, games in self._schedules.items()}
        other._queues = {name: queues.copy() for name, queues in self._queues.items()}
        other._leases = itertools.count(next(self._leases))
        other._secrets, other._counts = {**self._secrets}, {**self._counts}
        other._registries = {name: {**entries} for name, entries in self._registries.items()}
        other._boards = {
            name: MemoryBoard(board.newest, {**board.numbers}, {**board.subscribers})
            for name, board in self._boards.items()
        }
        other._maps = {name: kept.copy() for name, kept in self._maps.items()}
        other._talk = {name: kept.copy() for name, kept in self._talk.items()}
        return other

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
        check_events(events)
        stored = self._game(game)
        if request and (known := await self.find_request(game, request)):
            return known
        if len(stored.log) != expected or (after is not None and after != stored.log[-1].payload):
            raise StaleVersion(game, expected, len(stored.log))
        stored.log += [StoredEvent(version, payload) for version, payload in enumerate(events, expected + 1)]
        appended = Appended(expected + 1, len(stored.log))
        if request:
            stored.requests[request.id] = (request.fingerprint, appended)
        stored.summary = stored.summary if summary is None else summary
        stored.seed = seed if stored.seed is None else stored.seed
        stored.grew.set()
        stored.grew = asyncio.Event()
        return appended

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        known = self._game(game).requests.get(request.id)
        if known is None:
            return None
        fingerprint, appended = known
        if fingerprint != request.fingerprint:
            raise RequestReused(request.id)
        return Appended(appended.first, appended.last, repeated=True)

    async def version(self, game: str) -> int:
        return len(self._game(game).log)

    async def newest(self, game: str) -> StoredEvent | None:
        log = self._game(game).log
        return log[-1] if log else None

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        return self._game(game).log[after:upto]

    async def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None, known: KnownVersion | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        read = read or self._after
        while True:
            after = max(after, known()) if known else after
            grew = self._game(game).grew  # taken before the read, so that an append in between is not missed
            if events := await read(game, after):
                after = events[-1].version
                yield events
            else:
                await grew.wait()

    async def _after(self, game: str, after: int) -> Sequence[StoredEvent]:
        return await self.read(game, after=after)

    async def seed(self, game: str) -> bytes | None:
        return self._game(game).seed

    async def snapshot(self, game: str) -> Snapshot | None:
        return self._game(game).snapshot

    async def save_snapshot(self, game: str, snapshot: Snapshot) -> None:
        self._game(game).snapshot = snapshot

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        return [self._game(game).summary for game in games]

    async def games(self) -> AsyncIterator[str]:
        for game in [name for name, game in self._games.items() if game.log]:
            yield game

    async def whole_game(self, game: str) -> WholeGame | None:
        found = self._game(game)
        requests = [
            AnsweredRequest(RequestKey(name, fingerprint), at.first, at.last)
            for name, (fingerprint, at) in found.requests.items()
        ]
        events = [event.payload for event in found.log]
        return WholeGame(game, events, found.seed, found.summary, requests) if events else None

    async def remove_game(self, game: str, version: int) -> bool:
        if not version or len(self._game(game).log) != version:
            return False
        self._games.pop(game).grew.set()
        self._talk.pop(game, None)
        return True

    async def add_to_list(self, list_name: str, listing: Listing, *, seconds: int | None = None) -> None:
        """Ignores `seconds`: lists expire after months, and this store does not live that long."""
        check_score(listing.score)
        self._lists.setdefault(list_name, {}).setdefault(listing.game, listing.score)

    async def remove_from_list(self, list_name: str, game: str) -> None:
        self._lists.get(list_name, {}).pop(game, None)

    async def list_page(self, list_name: str, *, before: Listing | None, limit: int) -> Sequence[Listing]:
        newest_first = sorted(((s, g) for g, s in self._lists.get(list_name, {}).items()), reverse=True)
        after = [pair for pair in newest_first if before is None or pair < (before.score, before.game)]
        return [Listing(game, score) for score, game in after[:limit]]

    async def list_size(self, list_name: str) -> int:
        return len(self._lists.get(list_name, {}))

    async def count_up(self, name: str, seconds: int) -> int:
        now = time.monotonic()
        self._counts = {key: count for key, count in self._counts.items() if count[1] > now}
        counted, until = self._counts.get(name, (0, now + seconds))
        self._counts[name] = (counted + 1, until)
        return counted + 1

    async def register(self, registry: str, name: str, value: bytes) -> bool:
        return self._registries.setdefault(registry, {}).setdefault(name, value) == value

    async def unregister(self, registry: str, name: str) -> None:
        self._registries.get(registry, {}).pop(name, None)

    async def registered(self, registry: str, name: str) -> bytes | None:
        return self._registries.get(registry, {}).get(name)

    async def all_registered(self, registry: str) -> Mapping[str, bytes]:
        return dict(self._registries.get(registry, {}))

    async def mark(self, board: str, *, once: Sequence[str] = (), again: Sequence[str] = ()) -> Sequence[str]:
        marks = self._board(board)
        for name in (*(name for name in once if name not in marks.numbers), *again):
            marks.newest += 1
            marks.numbers[name] = marks.newest
        for name in sorted(marks.numbers, key=marks.numbers.__getitem__)[:-MOST_MARKS]:
            del marks.numbers[name]
        marks.grew.set()
        marks.grew = asyncio.Event()
        return list(marks.subscribers)

    async def subscribe(self, board: str, name: str) -> None:
        self._board(board).subscribers[name] = None

    async def unsubscribe(self, board: str, name: str) -> None:
        self._board(board).subscribers.pop(name, None)

    async def remove_board(self, board: str) -> None:
        self._boards.pop(board, None)

    async def marked(self, board: str, names: Sequence[str]) -> Sequence[bool]:
        return [name in self._board(board).numbers for name in names]

    async def newest_mark(self, board: str) -> int:
        return self._board(board).newest

    async def marks(self, board: str, *, after: int, limit: int | None = None) -> Sequence[Mark]:
        numbered = sorted((number, name) for name, number in self._board(board).numbers.items())
        return [Mark(number, name) for number, name in numbered if number > after][:limit]

    async def follow_marks(self, board: str, *, after: int) -> AsyncIterator[Sequence[Mark]]:
        while True:
            grew = self._board(board).grew
            if marks := await self.marks(board, after=after):
                after = marks[-1].number
                yield marks
            else:
                await grew.wait()

    async def time(self) -> int:
        return time.time_ns() // 1000

    async def secret(self, name: str, fresh: bytes) -> bytes:
        return self._secrets.setdefault(name, fresh)

    async def ping(self) -> None:
        """Does nothing: memory is always available."""

    async def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def _board(self, board: str) -> MemoryBoard:
        return self._boards.setdefault(board, MemoryBoard())

    def _game(self, game: str) -> MemoryGame:
        return self._games.setdefault(game, MemoryGame())
