"""Tables as they were. Whoever comes back after a break asks for one, and often many ask for the same."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from .lately import Lately
from .meter import UNMETERED, Meter
from .table import Table
from .weight import weigh_table

REMEMBERED = 4 << 20  # bytes


class EarlierTables:
    """The last few that were asked for: from the nearest of them the way is short."""

    def __init__(self, meter: Meter = UNMETERED) -> None:
        self._known = Lately[tuple[str, int], Table](REMEMBERED, weigh_table, meter.recent("earlier_tables"))
        self._searching: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def searching(self, game_id: str) -> asyncio.Lock:
        """One at a time for each game, so that the others find what the first one leaves."""
        return self._searching.setdefault(game_id, asyncio.Lock())

    def nearest(self, game_id: str, version: int) -> Table | None:
        """The newest known that is not after that version."""
        versions = [at for game, at in self._known if game == game_id and at <= version]
        return self._known.get((game_id, max(versions))) if versions else None

    def keep(self, table: Table) -> Table:
        return self._known.keep((table.game_id, table.version), table)

    def forget(self, game_id: str) -> None:
        for key in self._known:
            if key[0] == game_id:
                self._known.forget(key)
