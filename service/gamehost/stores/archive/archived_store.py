"""A store that reads games which were moved to the archive from there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from gamehost.play.caching import LruCache
from gamehost.play.ports.archive import (
    Archive,
    DamagedArchive,
)
from gamehost.play.ports.event_log import (
    Appended,
    KnownVersion,
    ReadEvents,
    RequestKey,
    RequestReused,
    StaleVersion,
    StoredEvent,
    WholeGame,
)
from gamehost.play.ports.event_store import EventStore

MOST_CACHED_GAMES = 64  # archived games


class ArchivedEventStore:
    """Implements the port `EventStore`: reads a game from the store or, if it is not there, from the archive.

    The store comes first. A game that is in both places is just being archived, and is equal in both. Nothing
    is appended to a finished game, so archived games never change and can be cached.
    """

    def __init__(self, store: EventStore, archive: Archive) -> None:
        self._store, self._archive = store, archive
        self._cache = LruCache[str, WholeGame](MOST_CACHED_GAMES)

    def __getattr__(self, name: str) -> Any:
        """Lists, schedules, registries and boards are not archived: the store implements these ports."""
        return getattr(self._store, name)

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
        # The id of a new game is derived from its request, so a repeated request can lead to the id of a game
        # that was archived. The store has forgotten it and would create the game a second time.
        if not expected and request and (archived := await self._game(game)):
            if answer := recorded_answer(archived, request):
                return answer
            raise StaleVersion(game, expected, archived.version)
        return await self._store.append(
            game, events, expected=expected, after=after, request=request, summary=summary, seed=seed
        )

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        if found := await self._store.find_request(game, request):
            return found
        archived = await self._archived_game(game)
        return recorded_answer(archived, request) if archived else None

    async def version(self, game: str) -> int:
        if version := await self._store.version(game):
            return version
        archived = await self._game(game)
        return archived.version if archived else 0

    async def newest(self, game: str) -> StoredEvent | None:
        if newest := await self._store.newest(game):
            return newest
        archived = await self._game(game)
        return StoredEvent(archived.version, archived.events[-1]) if archived else None

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        if found := await self._store.read(game, after=after, upto=upto):
            return found
        # No events may also mean that there are none in that range: then the game is still in the store.
        archived = await self._archived_game(game)
        return stored_events(archived, after, upto) if archived else []

    def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None, known: KnownVersion | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        # Reads through this class, so that a follower still gets the last events if its game is archived
        # meanwhile.
        return self._store.follow(game, after=after, read=read or self._after, known=known)

    async def seed(self, game: str) -> bytes | None:
        if seed := await self._store.seed(game):
            return seed
        archived = await self._game(game)
        return archived.seed if archived else None

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        """Returns None for a game whose file is damaged, so that one file does not break a whole list."""
        found = await self._store.summaries(games)
        return await asyncio.gather(*map(self._summary, games, found))

    async def _summary(self, game: str, found: bytes | None) -> bytes | None:
        try:
            return found or await self._archive.summary(game)
        except DamagedArchive:
            return None

    async def _after(self, game: str, after: int) -> Sequence[StoredEvent]:
        return await self.read(game, after=after)

    async def _archived_game(self, game: str) -> WholeGame | None:
        """Returns the archived game, unless the store still has it."""
        return None if await self._store.version(game) else await self._game(game)

    async def _game(self, game: str) -> WholeGame | None:
        archived = self._cache.get(game) or await self._archive.get(game)
        return self._cache.put(game, archived) if archived else None


def stored_events(game: WholeGame, after: int, upto: int | None) -> list[StoredEvent]:
    return [
        StoredEvent(version, payload) for version, payload in enumerate(game.events[after:upto], after + 1)
    ]


def recorded_answer(game: WholeGame, request: RequestKey) -> Appended | None:
    """Returns the answer that a request got before the game was archived. Raises RequestReused."""
    for each in game.requests:
        if each.request.id == request.id:
            if each.request.fingerprint != request.fingerprint:
                raise RequestReused(request.id)
            return Appended(each.first, each.last, repeated=True)
    return None
