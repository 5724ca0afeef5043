"""Finding public games."""

from __future__ import annotations

from collections.abc import Sequence

from .happenings import Visibility
from .ledger import shelf
from .ports import Codec, EventStore, Listing
from .table import Status, Table


class Lobby:
    """Lists are hints: the summary beside each log is the truth, and a stale hint is taken away."""

    def __init__(self, store: EventStore, codec: Codec) -> None:
        self._store, self._codec = store, codec

    async def page(
        self, *, title: str, status: Status | None, before: Listing | None, limit: int
    ) -> tuple[Sequence[Table], Listing | None]:
        """Tables newest first, without their states, and where the next page begins if there may be one."""
        listed = await self._store.listed(shelf(status), before=before, limit=limit)
        summaries = await self._store.summaries([listing.game for listing in listed])
        tables = []
        for listing, summary in zip(listed, summaries, strict=True):
            table = self._codec.decode_table(listing.game, summary) if summary else None
            if table is None or table.created.visibility is not Visibility.PUBLIC:
                continue
            if status and table.status is not status:
                await self._store.delist(shelf(status), listing.game)
            elif not title or table.rules.title == title:
                tables.append(table)
        return tables, listed[-1] if len(listed) == limit else None
