"""Sources of inbox entries: all games of a caller, or a single seat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from gamehost.play import access
from gamehost.play.errors import NotYourSeat, Unreadable
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_log import EventLog, StoredEvent
from gamehost.play.ports.event_store import InboxStore
from gamehost.play.ports.inbox_board import Mark
from gamehost.play.ports.listings import Listing
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.use_cases.open_game_limit import CREATION_GRACE

from .index import active_games_list, inbox_board, milestone_item, milestones
from .items import GameSummary, InboxItem, seats_of
from .stream import InboxEntry, cursor_moves_with_last

INBOX_PAGE_SIZE = 200


class SummaryReader:
    """Reads the summaries of games, which the store keeps beside their logs."""

    def __init__(self, store: EventLog, codec: Codec, tables: TableCache) -> None:
        self._store, self._codec, self._tables = store, codec, tables

    async def read(self, games: Sequence[str]) -> list[GameSummary | None]:
        """Return the summary of each game; None for games that do not exist."""
        payloads = await self._store.summaries(games)
        slices, summaries = self._tables.throttle.slices(), list[GameSummary | None]()
        for game, payload in zip(games, payloads, strict=True):
            await slices.turn()
            summaries.append(await self._summary(game, payload))
        return summaries

    async def _summary(self, game: str, payload: bytes | None) -> GameSummary | None:
        summary = self._codec.decode_summary(game, payload) if payload else None
        if summary and summary.table.status is Status.PLAYING and not summary.asked:
            # A game in play has open decisions, so this summary is from a release that did not store them.
            return await self._recomputed(summary)
        return summary

    async def _recomputed(self, found: GameSummary) -> GameSummary:
        """Return the summary as this release would write it."""
        try:
            table = await self._tables.current(found.table.game_id)
        except Unreadable:
            return found
        summary = self._codec.encode_table(table, with_state=False)
        return self._codec.decode_summary(table.game_id, summary) or found


class CallerInbox:
    """The inbox of a caller with an identity: all of its games. `clock` returns microseconds since 1970."""

    finished = False

    def __init__(
        self,
        caller_id: str,
        cursor: int,
        store: InboxStore,
        summaries: SummaryReader,
        clock: Callable[[], int],
    ) -> None:
        self.cursor = cursor
        self._caller, self._board, self._active_list = (
            caller_id,
            inbox_board(caller_id),
            active_games_list(caller_id),
        )
        self._store, self._summaries, self._clock = store, summaries, clock
        self._sent: dict[str, set[tuple[int, InboxItem]]] = {}

    async def pending(self) -> AsyncIterator[InboxEntry]:
        before: Listing | None = None
        while page := await self._store.list_page(self._active_list, before=before, limit=INBOX_PAGE_SIZE):
            before = page[-1]
            summaries = await self._summaries.read([listing.game for listing in page])
            await self._repair(page, summaries)
            for summary in summaries:
                for entry in self._new_entries(summary, self.cursor) if summary else ():
                    yield entry

    async def since_cursor(self) -> AsyncIterator[InboxEntry]:
        while marks := await self._store.marks(self._board, after=self.cursor, limit=INBOX_PAGE_SIZE):
            async for entry in self.entries_for(marks):
                yield entry

    def signals(self) -> AsyncIterator[Sequence[Mark]]:
        return self._store.follow_marks(self._board, after=self.cursor)

    async def entries_for(self, signal: Sequence[Mark]) -> AsyncIterator[InboxEntry]:
        games = {mark.name.partition(":")[0]: None for mark in signal}  # a dict keeps the order
        summaries = dict(zip(games, await self._summaries.read(list(games)), strict=True))
        for mark in signal:
            game, _, milestone = mark.name.partition(":")
            summary = summaries[game]
            entries = self._entries_of_mark(summary, milestone, mark.number) if summary else []
            for entry in cursor_moves_with_last(entries, self.cursor):
                yield entry
            self.cursor = mark.number

    def _entries_of_mark(self, summary: GameSummary, milestone: str, number: int) -> list[InboxEntry]:
        """Return the entries of one mark: a milestone, or without one what is pending now."""
        if not milestone:
            return self._new_entries(summary, number)
        table = summary.table
        item = milestone_item(milestone, table)
        return [InboxEntry(table, seat, item, number) for seat in seats_of(table, self._caller)]

    def _new_entries(self, summary: GameSummary, cursor: int) -> list[InboxEntry]:
        """Return what is pending and has not been sent by this stream.

        Items that are no longer pending are forgotten: after an undo the same decision can be open again, and
        is then sent again.
        """
        table = summary.table
        pending = [(seat, item) for seat in seats_of(table, self._caller) for item in summary.pending(seat)]
        sent = self._sent.pop(table.game_id, set())
        if pending:
            self._sent[table.game_id] = set(pending)
        return [InboxEntry(table, seat, item, cursor) for seat, item in pending if (seat, item) not in sent]

    async def _repair(self, page: Sequence[Listing], summaries: Sequence[GameSummary | None]) -> None:
        """Add the marks that a crashed process did not write, and delist games that are over or unwritten."""
        tables = [each.table for each in summaries if each and seats_of(each.table, self._caller)]
        names = [name for table in tables for name in milestones(table)]
        marked = await self._store.marked(self._board, names)
        missing = [name for name, known in zip(names, marked, strict=True) if not known]
        if missing:
            await self._store.mark(self._board, once=missing)
        # After the marks: a game that has left the list is not repaired any more.
        for listing, summary in zip(page, summaries, strict=True):
            if await self._is_over(listing, summary):
                await self._store.remove_from_list(self._active_list, listing.game)

    async def _is_over(self, listing: Listing, summary: GameSummary | None) -> bool:
        if summary is not None:
            return summary.table.status is Status.FINISHED
        # Without a summary the game may be in the middle of its creation: it is listed before it is written.
        return listing.score < self._clock() - CREATION_GRACE and not await self._store.version(listing.game)


class SeatInbox:
    """The inbox of one seat, for a holder of its token.

    It needs no board: its cursor is the version of the game, and its signals are the events of the log.
    """

    def __init__(
        self, table: Table, then: Table, key: access.SeatKey, store: EventLog, summaries: SummaryReader
    ) -> None:
        """`then` is the table at the cursor. Raises NotYourSeat if the token is not for a seat of `table`."""
        seat_access = access.seat_access(table, key)
        if seat_access is None:
            raise NotYourSeat(f"no seat of game {table.game_id} is yours")
        self._access, self._store, self._summaries = seat_access, store, summaries
        self._game_id, self._milestones = table.game_id, milestones(then)
        self._sent: set[InboxItem] = set()
        self.cursor, self.finished = then.version, False

    async def pending(self) -> AsyncIterator[InboxEntry]:
        summary = await self._summary()
        for entry in self._new_entries(summary, self.cursor):
            yield entry

    async def since_cursor(self) -> AsyncIterator[InboxEntry]:
        async for entry in self.entries_for(()):
            yield entry

    def signals(self) -> AsyncIterator[Sequence[StoredEvent]]:
        return self._store.follow(self._game_id, after=self.cursor)

    async def entries_for(self, _sign: Sequence[StoredEvent]) -> AsyncIterator[InboxEntry]:
        summary = await self._summary()
        table = summary.table
        passed = [each for each in milestones(table) if each not in self._milestones]
        entries = [
            InboxEntry(table, self._access.seat, self._milestone(each, table), table.version)
            for each in passed
        ]
        for entry in (
            *cursor_moves_with_last(entries, self.cursor),
            *self._new_entries(summary, table.version),
        ):
            yield entry
        self._milestones, self.cursor = milestones(table), table.version
        self.finished = table.status is Status.FINISHED

    def _milestone(self, name: str, table: Table) -> InboxItem:
        return milestone_item(name.rpartition(":")[2], table)

    def _new_entries(self, summary: GameSummary, cursor: int) -> list[InboxEntry]:
        pending = summary.pending(self._access.seat)
        sent, self._sent = self._sent, set(pending)
        new = [item for item in pending if item not in sent]
        return [InboxEntry(summary.table, self._access.seat, item, cursor) for item in new]

    async def _summary(self) -> GameSummary:
        [summary] = await self._summaries.read([self._game_id])
        # Checked with every read: a stream must end when its token is revoked or the seat is left.
        if summary is None or not access.still_owns_seat(summary.table, self._access):
            raise NotYourSeat(f"seat {self._access.seat} has been left, or its tokens were revoked")
        return summary


class InboxSources:
    """Opens the source of an inbox at a cursor, None for the present."""

    def __init__(self, store: InboxStore, codec: Codec, tables: TableCache, clock: Callable[[], int]) -> None:
        self._store, self._tables, self._clock = store, tables, clock
        self._summaries = SummaryReader(store, codec, tables)

    async def of_caller(self, caller_id: str, cursor: int | None) -> CallerInbox:
        """Open the inbox of a caller.

        A cursor beyond the newest mark means that the store has lost marks. The stream then starts at the
        newest one, instead of waiting for numbers that may never come.
        """
        newest = await self._store.newest_mark(inbox_board(caller_id))
        begin = newest if cursor is None else min(cursor, newest)
        return CallerInbox(caller_id, begin, self._store, self._summaries, self._clock)

    async def of_seat(self, key: access.SeatKey, cursor: int | None) -> SeatInbox:
        """Open the inbox of a seat; raises NotYourSeat or NotFound if the token is not valid for it."""
        table = await self._tables.current(key.game_id)
        access.seat_access(table, key)
        begin = table.version if cursor is None else min(cursor, table.version)
        then = table if begin == table.version else await self._tables.at_version(key.game_id, begin)
        return SeatInbox(table, then, key, self._store, self._summaries)
