"""A cache of tables at past versions.

Clients that reconnect ask for the version they saw last, and often many ask for the same one.
"""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.table.table import Table

from .memory_size import table_size

PAST_TABLES_BYTES = 4 << 20  # bytes, estimated


class PastVersions:
    """The past tables that were asked for last; others are folded from the nearest one before them."""

    def __init__(self, metrics: PlayMetrics = NO_METRICS) -> None:
        self._cache = LruCache[tuple[str, int], Table](
            PAST_TABLES_BYTES, table_size, metrics.cache_size_setter("earlier_tables")
        )
        # Weak, so that a lock is dropped as soon as no task holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, game_id: str) -> asyncio.Lock:
        """Return the lock of a game.

        One task at a time folds a past version, so that the others find it, or a nearer one, in the cache.
        """
        return self._locks.setdefault(game_id, asyncio.Lock())

    def nearest(self, game_id: str, version: int) -> Table | None:
        """Return the cached table with the greatest version up to `version`."""
        versions = [at for game, at in self._cache if game == game_id and at <= version]
        return self._cache.get((game_id, max(versions))) if versions else None

    def put(self, table: Table) -> Table:
        return self._cache.put((table.game_id, table.version), table)

    def discard(self, game_id: str) -> None:
        """Remove all past versions of a game."""
        for key in self._cache:
            if key[0] == game_id:
                self._cache.discard(key)
