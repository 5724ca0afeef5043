"""Finding games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gamehost.play import access
from gamehost.play.errors import Unauthenticated, Unreadable
from gamehost.play.inbox.index import all_games_list
from gamehost.play.inbox.items import seats_of
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_store import ListedLogs
from gamehost.play.ports.listings import Listing
from gamehost.play.table.events import Visibility
from gamehost.play.table.table import Status, Table
from gamehost.play.writer import public_list

from .open_game_limit import CREATION_GRACE


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games somebody looks for; `created_after` is in microseconds since 1970."""

    title: str = ""
    status: Status | None = None
    mine: bool = False
    joinable: bool = False
    created_after: int | None = None

    def matches(self, table: Table, who: access.Principal) -> bool:
        return (
            (not self.title or table.rules.title == self.title)
            and (self.status is None or table.status is self.status)
            and (not self.joinable or access.could_join(table, who))
            and (self.created_after is None or table.created_at > self.created_after)
        )


class Lobby:
    """Lists are hints: the summary beside each log is the truth, and a stale hint is taken away.

    `clock` gives microseconds since 1970.
    """

    def __init__(self, store: ListedLogs, codec: Codec, clock: Callable[[], int]) -> None:
        self._store, self._codec, self._clock = store, codec, clock

    async def page(
        self, wanted: GameFilter, who: access.Principal, *, before: Listing | None, limit: int
    ) -> tuple[Sequence[Table], Listing | None]:
        """Tables newest first, without their states, and where the next page begins if there may be one."""
        name = _shelf(wanted, who)
        listed = await self._store.list_page(name, before=before, limit=limit)
        summaries = await self._store.summaries([listing.game for listing in listed])
        tables = []
        for listing, summary in zip(listed, summaries, strict=True):
            table = self._codec.decode_table(listing.game, summary) if summary else None
            if summary is None and await self._was_never_written(listing):
                await self._store.remove_from_list(name, listing.game)
            if table is None or not _belongs(table, wanted, who):
                continue
            if wanted.matches(table, who):
                tables.append(table)
            elif not wanted.mine and name not in (public_list(None), public_list(table.status)):
                await self._store.remove_from_list(name, listing.game)
        last = listed[-1] if len(listed) == limit else None
        since = wanted.created_after
        return tables, None if last and since is not None and last.score <= since else last

    async def _was_never_written(self, listing: Listing) -> bool:
        """Whether a game was listed, and then not written."""
        if listing.score > self._clock() - CREATION_GRACE:
            return False
        try:
            return not await self._store.version(listing.game)
        except Unreadable:
            return False


def _shelf(wanted: GameFilter, who: access.Principal) -> str:
    if wanted.mine:
        if not isinstance(who, access.Caller):
            raise Unauthenticated("your games are known by your identity, and this call has none")
        return all_games_list(who.id)
    joinable = wanted.joinable and wanted.status is None
    return public_list(Status.GATHERING if joinable else wanted.status)


def _belongs(table: Table, wanted: GameFilter, who: access.Principal) -> bool:
    if wanted.mine:
        return isinstance(who, access.Caller) and bool(seats_of(table, who.id))
    return table.created.visibility is Visibility.PUBLIC
