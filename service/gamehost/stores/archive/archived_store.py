"""A store that has put games away: what it does not hold any more is read from the archive."""

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
    ReadEvents,
    RequestKey,
    RequestReused,
    StaleVersion,
    StoredEvent,
    WholeGame,
)
from gamehost.play.ports.event_store import EventStore

REMEMBERED = 64


class ArchivedEventStore:
    """The store's own word counts first: a game in both places is one that is being put away.

    Nothing is appended to a game that is over, so what is in the archive is all there will ever be.
    """

    def __init__(self, store: EventStore, archive: Archive) -> None:
        self._store, self._archive = store, archive
        self._known = LruCache[str, WholeGame](REMEMBERED)

    def __getattr__(self, name: str) -> Any:
        """Lists, agendas, books and boards are not put away."""
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
        """A game of that id may have been put away; only a request can lead to its id once more."""
        if not expected and request and (kept := await self._game(game)):
            if known := recorded_answer(kept, request):
                return known
            raise StaleVersion(game, expected, kept.version)
        return await self._store.append(
            game, events, expected=expected, after=after, request=request, summary=summary, seed=seed
        )

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        if found := await self._store.find_request(game, request):
            return found
        kept = await self._archived_game(game)
        return recorded_answer(kept, request) if kept else None

    async def version(self, game: str) -> int:
        if version := await self._store.version(game):
            return version
        kept = await self._game(game)
        return kept.version if kept else 0

    async def newest(self, game: str) -> StoredEvent | None:
        if newest := await self._store.newest(game):
            return newest
        kept = await self._game(game)
        return StoredEvent(kept.version, kept.events[-1]) if kept else None

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        if found := await self._store.read(game, after=after, upto=upto):
            return found
        kept = await self._archived_game(game)
        return stored_events(kept, after, upto) if kept else []

    def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        """Also whoever was away while its game was put away is told the rest."""
        return self._store.follow(game, after=after, read=read or self._after)

    async def seed(self, game: str) -> bytes | None:
        if seed := await self._store.seed(game):
            return seed
        kept = await self._game(game)
        return kept.seed if kept else None

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        """A file that is damaged is nothing to list."""
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
        return None if await self._store.version(game) else await self._game(game)

    async def _game(self, game: str) -> WholeGame | None:
        kept = self._known.get(game) or await self._archive.get(game)
        return self._known.put(game, kept) if kept else None


def stored_events(kept: WholeGame, after: int, upto: int | None) -> list[StoredEvent]:
    return [
        StoredEvent(version, payload) for version, payload in enumerate(kept.events[after:upto], after + 1)
    ]


def recorded_answer(kept: WholeGame, request: RequestKey) -> Appended | None:
    for each in kept.requests:
        if each.request.id == request.id:
            if each.request.fingerprint != request.fingerprint:
                raise RequestReused(request.id)
            return Appended(each.first, each.last, repeated=True)
    return None
