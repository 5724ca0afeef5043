"""Moves games that have been over for some time from the store to the archive.

The archive has verified a complete copy before the store removes the game, in one step and only at the
archived version. A process that dies at any point leaves the game in the store, in both, or in the archive.
Readers ask the store first, and the next process that checks the game starts again, with the same result.
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
"""The registry entry that says that some games of this store are in an archive."""


async def archive_is_missing(store: Registry) -> bool:
    """Whether games were archived, so that a process without an archive would not find them."""
    return await store.registered(ARCHIVE_REGISTRY, USED) is not None


class ArchivableStore(WholeGames, Registry, InboxStore, Protocol):
    """The ports that archiving needs: whole games, the registry, and the lists and boards of inboxes."""


class GameArchiver:
    """Archives finished games. `clock` is that of the schedule.

    The store must read from the archive as well, or archived games could not be found any more.
    """

    def __init__(
        self,
        store: ArchivableStore,
        archive: Archive,
        tables: TableCache,
        metrics: BackgroundMetrics,
        clock: Callable[[], int],
    ) -> None:
        self._store, self._archive, self._tables = store, archive, tables
        self._metrics, self._clock, self._inbox_index = metrics, clock, InboxIndex(store)

    async def check(self, game_id: str) -> int | None:
        """Archive a game if it is over. Returns when to check again, None for never."""
        game = await self._store.whole_game(game_id)
        if game is None:
            return None
        try:
            table = await self._tables.current(game_id)
        except NotFound:
            return None
        if table.status is not Status.FINISHED:
            return None
        if table.version != game.version:
            return self._clock()  # the two reads differ, e.g. in a failover: try again
        # The marks of the end may have been lost in a crash, and an archived game is not repaired by streams.
        await self._inbox_index.post_marks(None, table)
        # Registered before the first game is archived, so that no process starts without an archive while one
        # is in use.
        await self._store.register(ARCHIVE_REGISTRY, USED, b"yes")
        await self._archive.put(game)
        if not await self._store.remove_game(game_id, game.version):
            return self._clock()  # the game has changed since it was read: archive it again
        self._metrics.count_archived(table.rules.title)
        return None
