"""Tables as they were. Whoever comes back after a break asks for one, and often many ask for the same."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from gamehost.play.caching import LruCache
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.table.table import Table

from .memory_size import table_size

CAPACITY = 4 << 20  # bytes


class PastVersions:
    """The last few that were asked for: from the nearest of them the way is short."""

    def __init__(self, meter: PlayMetrics = NO_METRICS) -> None:
        self._cache = LruCache[tuple[str, int], Table](
            CAPACITY, table_size, meter.cache_size_setter("earlier_tables")
        )
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, game_id: str) -> asyncio.Lock:
        """One at a time for each game, so that the others find what the first one leaves."""
        return self._locks.setdefault(game_id, asyncio.Lock())

    def nearest(self, game_id: str, version: int) -> Table | None:
        """The newest known that is not after that version."""
        versions = [at for game, at in self._cache if game == game_id and at <= version]
        return self._cache.get((game_id, max(versions))) if versions else None

    def put(self, table: Table) -> Table:
        return self._cache.put((table.game_id, table.version), table)

    def discard(self, game_id: str) -> None:
        for key in self._cache:
            if key[0] == game_id:
                self._cache.discard(key)
