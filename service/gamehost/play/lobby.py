"""Finding games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import access
from .errands import seats_of
from .errors import Unauthenticated, Unreadable
from .happenings import Visibility
from .ledger import shelf
from .notices import all_games_of
from .open_games import BIRTH
from .ports import Codec, EventStore, Listing
from .table import Status, Table


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games somebody looks for; `created_after` is in microseconds since 1970."""

    title: str = ""
    status: Status | None = None
    mine: bool = False
    joinable: bool = False
    created_after: int | None = None

    def fits(self, table: Table, who: access.Who) -> bool:
        return (
            (not self.title or table.rules.title == self.title)
            and (self.status is None or table.status is self.status)
            and (not self.joinable or access.could_sit(table, who))
            and (self.created_after is None or table.created_at > self.created_after)
        )


class Lobby:
    """Lists are hints: the summary beside each log is the truth, and a stale hint is taken away.

    `clock` gives microseconds since 1970.
    """

    def __init__(self, store: EventStore, codec: Codec, clock: Callable[[], int]) -> None:
        self._store, self._codec, self._clock = store, codec, clock

    async def page(
        self, wanted: Wanted, who: access.Who, *, before: Listing | None, limit: int
    ) -> tuple[Sequence[Table], Listing | None]:
        """Tables newest first, without their states, and where the next page begins if there may be one."""
        name = _shelf(wanted, who)
        listed = await self._store.listed(name, before=before, limit=limit)
        summaries = await self._store.summaries([listing.game for listing in listed])
        tables = []
        for listing, summary in zip(listed, summaries, strict=True):
            table = self._codec.decode_table(listing.game, summary) if summary else None
            if summary is None and await self._never_came(listing):
                await self._store.delist(name, listing.game)
            if table is None or not _belongs(table, wanted, who):
                continue
            if wanted.fits(table, who):
                tables.append(table)
            elif not wanted.mine and name not in (shelf(None), shelf(table.status)):
                await self._store.delist(name, listing.game)
        last = listed[-1] if len(listed) == limit else None
        since = wanted.created_after
        return tables, None if last and since is not None and last.score <= since else last

    async def _never_came(self, listing: Listing) -> bool:
        """Whether a game was listed, and then not written."""
        if listing.score > self._clock() - BIRTH:
            return False
        try:
            return not await self._store.version(listing.game)
        except Unreadable:
            return False


def _shelf(wanted: Wanted, who: access.Who) -> str:
    if wanted.mine:
        if not isinstance(who, access.Caller):
            raise Unauthenticated("your games are known by your identity, and this call has none")
        return all_games_of(who.id)
    joinable = wanted.joinable and wanted.status is None
    return shelf(Status.GATHERING if joinable else wanted.status)


def _belongs(table: Table, wanted: Wanted, who: access.Who) -> bool:
    if wanted.mine:
        return isinstance(who, access.Caller) and bool(seats_of(table, who.id))
    return table.created.visibility is Visibility.PUBLIC
