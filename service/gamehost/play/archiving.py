"""Games that have been over for some time leave the store for the archive, whichever process sees to it.

The archive has all of a game, checked, before the store removes it; the store removes only what is in the
archive, in one step. A process that dies at any point leaves the game in the store, in both, or in the
archive, and the store's word counts first: the next one that looks begins anew, and ends the same.
"""

from __future__ import annotations

from collections.abc import Callable

from .errors import NotFound
from .notices import Notices
from .ports import Archive, EventStore, Tally
from .table import Status
from .tables import Tables

BOOK, USED = "archive", "used"
"""Where the store remembers that some of its games are elsewhere."""


async def misses_archive(store: EventStore) -> bool:
    """Whether games were put away, for a process that has no archive."""
    return await store.entry(BOOK, USED) is not None


class Archivist:
    """`clock` is that of the agenda. The store knows the archive, or what is put away would be lost to it."""

    def __init__(
        self, store: EventStore, archive: Archive, tables: Tables, tally: Tally, clock: Callable[[], int]
    ) -> None:
        self._store, self._archive, self._tables = store, archive, tables
        self._tally, self._clock, self._notices = tally, clock, Notices(store)

    async def look(self, game_id: str) -> int | None:
        """Put a game away if it is over; when to look again, if ever."""
        kept = await self._store.whole(game_id)
        if kept is None:
            return None
        try:
            table = await self._tables.fresh(game_id)
        except NotFound:
            return None
        if table.status is not Status.FINISHED:
            return None
        if table.version != kept.version:
            return self._clock()
        await self._notices.post(None, table)
        await self._store.enter(BOOK, USED, b"yes")
        await self._archive.put(kept)
        if not await self._store.retire(game_id, kept.version):
            return self._clock()
        self._tally.archived(table.rules.title)
        return None
