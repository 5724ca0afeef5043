"""Lists of games: the public ones, and those of the caller."""

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
    """The conditions for the games to list; `created_after` is in microseconds since 1970."""

    title: str = ""
    status: Status | None = None
    mine: bool = False
    joinable: bool = False
    created_after: int | None = None

    def matches(self, table: Table, principal: access.Principal) -> bool:
        return (
            (not self.title or table.rules.title == self.title)
            and (self.status is None or table.status is self.status)
            and (not self.joinable or access.could_join(table, principal))
            and (self.created_after is None or table.created_at > self.created_after)
        )


class Lobby:
    """Reads pages of games from the lists of the store. `clock` returns microseconds since 1970.

    Lists are only hints: they are written before the log, so they contain games that have changed since or
    were never written. The summary beside each log decides, and stale entries are removed on the way.
    """

    def __init__(self, store: ListedLogs, codec: Codec, clock: Callable[[], int]) -> None:
        self._store, self._codec, self._clock = store, codec, clock

    async def page(
        self, wanted: GameFilter, principal: access.Principal, *, before: Listing | None, limit: int
    ) -> tuple[Sequence[Table], Listing | None]:
        """Return tables without states, newest first, and the cursor of the next page if there may be one.

        A page has fewer tables than `limit` where entries did not match.
        """
        list_name = _list_name(wanted, principal)
        listed = await self._store.list_page(list_name, before=before, limit=limit)
        summaries = await self._store.summaries([listing.game for listing in listed])
        tables = []
        for listing, summary in zip(listed, summaries, strict=True):
            table = self._codec.decode_table(listing.game, summary) if summary else None
            if summary is None and await self._was_never_written(listing):
                await self._store.remove_from_list(list_name, listing.game)
            if table is None or not _belongs(table, wanted, principal):
                continue
            if wanted.matches(table, principal):
                tables.append(table)
            elif not wanted.mine and list_name not in (public_list(None), public_list(table.status)):
                # The status has changed and the writer did not get to the removal.
                await self._store.remove_from_list(list_name, listing.game)
        last = listed[-1] if len(listed) == limit else None
        since = wanted.created_after
        return tables, None if last and since is not None and last.score <= since else last

    async def _was_never_written(self, listing: Listing) -> bool:
        """Whether a listed game has no log, and is too old to be in the middle of its creation."""
        if listing.score > self._clock() - CREATION_GRACE:
            return False
        try:
            return not await self._store.version(listing.game)
        except Unreadable:
            return False


def _list_name(wanted: GameFilter, principal: access.Principal) -> str:
    if wanted.mine:
        if not isinstance(principal, access.Caller):
            raise Unauthenticated("listing your games needs an identity, and this call has none")
        return all_games_list(principal.id)
    joinable = wanted.joinable and wanted.status is None
    return public_list(Status.GATHERING if joinable else wanted.status)


def _belongs(table: Table, wanted: GameFilter, principal: access.Principal) -> bool:
    if wanted.mine:
        return isinstance(principal, access.Caller) and bool(seats_of(table, principal.id))
    return table.created.visibility is Visibility.PUBLIC
