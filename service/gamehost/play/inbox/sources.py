"""Where the letters of an inbox come from: all games of a caller, or one seat."""

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
from gamehost.rules.kit import Outcome

from .index import FINISHED, active_games_list, inbox_board, milestones
from .items import GameBegan, GameOver, GameSummary, InboxItem, seats_of
from .stream import InboxEntry, cursor_moves_with_last

PAGE = 200


class SummaryReader:
    """What games want, read off their summaries."""

    def __init__(self, store: EventLog, codec: Codec, tables: TableCache) -> None:
        self._store, self._codec, self._tables = store, codec, tables

    async def read(self, games: Sequence[str]) -> list[GameSummary | None]:
        summaries = await self._store.summaries(games)
        slices, briefs = self._tables.pace.slices(), list[GameSummary | None]()
        for game, each in zip(games, summaries, strict=True):
            await slices.turn()
            briefs.append(await self._summary(game, each))
        return briefs

    async def _summary(self, game: str, summary: bytes | None) -> GameSummary | None:
        found = self._codec.decode_summary(game, summary) if summary else None
        if found and found.table.status is Status.PLAYING and not found.asked:
            return await self._rewritten(found)
        return found

    async def _rewritten(self, found: GameSummary) -> GameSummary:
        """As this release would have written it."""
        try:
            table = await self._tables.current(found.table.game_id)
        except Unreadable:
            return found
        summary = self._codec.encode_table(table, with_state=False)
        return self._codec.decode_summary(table.game_id, summary) or found


class CallerInbox:
    """All games of somebody with an identity. `clock` gives microseconds since 1970."""

    finished = False

    def __init__(
        self, caller_id: str, cursor: int, store: InboxStore, briefs: SummaryReader, clock: Callable[[], int]
    ) -> None:
        self.cursor = cursor
        self._caller, self._board, self._active_list = (
            caller_id,
            inbox_board(caller_id),
            active_games_list(caller_id),
        )
        self._store, self._summaries, self._clock = store, briefs, clock
        self._sent: dict[str, set[tuple[int, InboxItem]]] = {}

    async def pending(self) -> AsyncIterator[InboxEntry]:
        before: Listing | None = None
        while page := await self._store.list_page(self._active_list, before=before, limit=PAGE):
            before = page[-1]
            briefs = await self._summaries.read([listing.game for listing in page])
            await self._repair(page, briefs)
            for found in briefs:
                for letter in self._new_entries(found, self.cursor) if found else ():
                    yield letter

    async def since_cursor(self) -> AsyncIterator[InboxEntry]:
        while marks := await self._store.marks(self._board, after=self.cursor, limit=PAGE):
            async for letter in self.entries_for(marks):
                yield letter

    def signals(self) -> AsyncIterator[Sequence[Mark]]:
        return self._store.follow_marks(self._board, after=self.cursor)

    async def entries_for(self, sign: Sequence[Mark]) -> AsyncIterator[InboxEntry]:
        names = {mark.name.partition(":")[0]: None for mark in sign}
        briefs = dict(zip(names, await self._summaries.read(list(names)), strict=True))
        for mark in sign:
            game, _, milestone = mark.name.partition(":")
            found = briefs[game]
            letters = self._entries_of_mark(found, milestone, mark.number) if found else []
            for letter in cursor_moves_with_last(letters, self.cursor):
                yield letter
            self.cursor = mark.number

    def _entries_of_mark(self, found: GameSummary, milestone: str, number: int) -> list[InboxEntry]:
        if not milestone:
            return self._new_entries(found, number)
        table = found.table
        errand = GameOver(table.outcome or Outcome((), (), "")) if milestone == FINISHED else GameBegan()
        return [InboxEntry(table, seat, errand, number) for seat in seats_of(table, self._caller)]

    def _new_entries(self, found: GameSummary, cursor: int) -> list[InboxEntry]:
        """What is pending and new to this stream; what is not pending any more may come again."""
        table = found.table
        now = [(seat, e) for seat in seats_of(table, self._caller) for e in found.pending(seat)]
        told = self._sent.pop(table.game_id, set())
        if now:
            self._sent[table.game_id] = set(now)
        return [InboxEntry(table, seat, e, cursor) for seat, e in now if (seat, e) not in told]

    async def _repair(self, page: Sequence[Listing], briefs: Sequence[GameSummary | None]) -> None:
        """Add what a process did not come to mark, and take away what is over or never came to be."""
        found = [each.table for each in briefs if each and seats_of(each.table, self._caller)]
        names = [name for table in found for name in milestones(table)]
        marked = await self._store.marked(self._board, names)
        missing = [name for name, known in zip(names, marked, strict=True) if not known]
        if missing:
            await self._store.mark(self._board, once=missing)
        for listing, each in zip(page, briefs, strict=True):
            if await self._is_over(listing, each):
                await self._store.remove_from_list(self._active_list, listing.game)

    async def _is_over(self, listing: Listing, found: GameSummary | None) -> bool:
        if found is not None:
            return found.table.status is Status.FINISHED
        return listing.score < self._clock() - CREATION_GRACE and not await self._store.version(listing.game)


class SeatInbox:
    """One seat, for whoever has its token."""

    def __init__(self, table: Table, was: Table, key: access.SeatKey, store: EventLog, briefs: SummaryReader):
        how = access.seat_access(table, key)
        if how is None:
            raise NotYourSeat(f"no seat of game {table.game_id} is yours")
        self._access, self._store, self._summaries = how, store, briefs
        self._game_id, self._milestones = table.game_id, milestones(was)
        self._sent: set[InboxItem] = set()
        self.cursor, self.finished = was.version, False

    async def pending(self) -> AsyncIterator[InboxEntry]:
        found = await self._summary()
        for letter in self._new_entries(found, self.cursor):
            yield letter

    async def since_cursor(self) -> AsyncIterator[InboxEntry]:
        async for letter in self.entries_for(()):
            yield letter

    def signals(self) -> AsyncIterator[Sequence[StoredEvent]]:
        return self._store.follow(self._game_id, after=self.cursor)

    async def entries_for(self, _sign: Sequence[StoredEvent]) -> AsyncIterator[InboxEntry]:
        found = await self._summary()
        table = found.table
        passed = [each for each in milestones(table) if each not in self._milestones]
        letters = [
            InboxEntry(table, self._access.seat, self._milestone(each, table), table.version)
            for each in passed
        ]
        for letter in (
            *cursor_moves_with_last(letters, self.cursor),
            *self._new_entries(found, table.version),
        ):
            yield letter
        self._milestones, self.cursor = milestones(table), table.version
        self.finished = table.status is Status.FINISHED

    def _milestone(self, name: str, table: Table) -> InboxItem:
        over = name.endswith(FINISHED)
        return GameOver(table.outcome or Outcome((), (), "")) if over else GameBegan()

    def _new_entries(self, found: GameSummary, cursor: int) -> list[InboxEntry]:
        now = found.pending(self._access.seat)
        told, self._sent = self._sent, set(now)
        return [InboxEntry(found.table, self._access.seat, e, cursor) for e in now if e not in told]

    async def _summary(self) -> GameSummary:
        [found] = await self._summaries.read([self._game_id])
        if found is None or not access.still_owns_seat(found.table, self._access):
            raise NotYourSeat(f"seat {self._access.seat} has been left, or its tokens were revoked")
        return found


class InboxSources:
    def __init__(self, store: InboxStore, codec: Codec, tables: TableCache, clock: Callable[[], int]) -> None:
        self._store, self._tables, self._clock = store, tables, clock
        self._summaries = SummaryReader(store, codec, tables)

    async def of_caller(self, caller_id: str, cursor: int | None) -> CallerInbox:
        """A cursor from beyond the newest mark is of a store that has lost them: begin anew."""
        newest = await self._store.newest_mark(inbox_board(caller_id))
        begin = newest if cursor is None else min(cursor, newest)
        return CallerInbox(caller_id, begin, self._store, self._summaries, self._clock)

    async def of_seat(self, key: access.SeatKey, cursor: int | None) -> SeatInbox:
        table = await self._tables.current(key.game_id)
        access.seat_access(table, key)
        begin = table.version if cursor is None else min(cursor, table.version)
        was = table if begin == table.version else await self._tables.at_version(key.game_id, begin)
        return SeatInbox(table, was, key, self._store, self._summaries)
