"""Games that have been over for some time leave the store for the archive, whichever process sees to it.

The archive has all of a game, checked, before the store removes it; the store removes only what is in the
archive, in one step. A process that dies at any point leaves the game in the store, in both, or in the
archive, and the store's word counts first: the next one that looks begins anew, and ends the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gamehost.play.errors import NotFound
from gamehost.play.inbox.index import InboxIndex
from gamehost.play.ports.archive import Archive
from gamehost.play.ports.event_log import WholeGames
from gamehost.play.ports.event_store import InboxStore
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.registry import Registry
from gamehost.play.table.table import Status
from gamehost.play.tables.current import TableCache

ARCHIVE_REGISTRY, USED = "archive", "used"
"""Where the store remembers that some of its games are elsewhere."""


async def archive_is_missing(store: Registry) -> bool:
    """Whether games were put away, for a process that has no archive."""
    return await store.registered(ARCHIVE_REGISTRY, USED) is not None


class ArchivableStore(WholeGames, Registry, InboxStore, Protocol):
    """What archiving needs: whole games, the registry, and the lists and boards of inboxes."""


class GameArchiver:
    """`clock` is that of the agenda. The store knows the archive, or what is put away would be lost to it."""

    def __init__(
        self,
        store: ArchivableStore,
        archive: Archive,
        tables: TableCache,
        tally: BackgroundMetrics,
        clock: Callable[[], int],
    ) -> None:
        self._store, self._archive, self._tables = store, archive, tables
        self._metrics, self._clock, self._inbox_index = tally, clock, InboxIndex(store)

    async def check(self, game_id: str) -> int | None:
        """Put a game away if it is over; when to look again, if ever."""
        kept = await self._store.whole_game(game_id)
        if kept is None:
            return None
        try:
            table = await self._tables.current(game_id)
        except NotFound:
            return None
        if table.status is not Status.FINISHED:
            return None
        if table.version != kept.version:
            return self._clock()
        await self._inbox_index.post_marks(None, table)
        await self._store.register(ARCHIVE_REGISTRY, USED, b"yes")
        await self._archive.put(kept)
        if not await self._store.remove_game(game_id, kept.version):
            return self._clock()
        self._metrics.count_archived(table.rules.title)
        return None
