"""Where the letters of an inbox come from: all games of a caller, or one seat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from gamehost.rules.kit import Outcome

from . import access
from .errands import Brief, Errand, Finished, Started, seats_of
from .errors import NotYourSeat, Unreadable
from .inbox import Letter, in_turn
from .notices import FINISHED, board_of, games_under_way_of, milestones
from .open_games import BIRTH
from .ports import Codec, EventStore, Listing, Mark, Stored
from .table import Status, Table
from .tables import Tables

PAGE = 200


class Briefs:
    """What games want, read off their summaries."""

    def __init__(self, store: EventStore, codec: Codec, tables: Tables) -> None:
        self._store, self._codec, self._tables = store, codec, tables

    async def of(self, games: Sequence[str]) -> list[Brief | None]:
        summaries = await self._store.summaries(games)
        slices, briefs = self._tables.pace.slices(), list[Brief | None]()
        for game, each in zip(games, summaries, strict=True):
            await slices.turn()
            briefs.append(await self._brief(game, each))
        return briefs

    async def _brief(self, game: str, summary: bytes | None) -> Brief | None:
        found = self._codec.decode_brief(game, summary) if summary else None
        if found and found.table.status is Status.PLAYING and not found.asked:
            return await self._anew(found)
        return found

    async def _anew(self, found: Brief) -> Brief:
        """As this release would have written it."""
        try:
            table = await self._tables.fresh(found.table.game_id)
        except Unreadable:
            return found
        summary = self._codec.encode_table(table, with_state=False)
        return self._codec.decode_brief(table.game_id, summary) or found


class CallerMailbox:
    """All games of somebody with an identity. `clock` gives microseconds since 1970."""

    over = False

    def __init__(
        self, caller_id: str, cursor: int, store: EventStore, briefs: Briefs, clock: Callable[[], int]
    ) -> None:
        self.cursor = cursor
        self._caller, self._board, self._shelf = caller_id, board_of(caller_id), games_under_way_of(caller_id)
        self._store, self._briefs, self._clock = store, briefs, clock
        self._told: dict[str, set[tuple[int, Errand]]] = {}

    async def pending(self) -> AsyncIterator[Letter]:
        before: Listing | None = None
        while page := await self._store.listed(self._shelf, before=before, limit=PAGE):
            before = page[-1]
            briefs = await self._briefs.of([listing.game for listing in page])
            await self._mend(page, briefs)
            for found in briefs:
                for letter in self._untold(found, self.cursor) if found else ():
                    yield letter

    async def missed(self) -> AsyncIterator[Letter]:
        while marks := await self._store.marks(self._board, after=self.cursor, limit=PAGE):
            async for letter in self.news(marks):
                yield letter

    def follow(self) -> AsyncIterator[Sequence[Mark]]:
        return self._store.heed(self._board, after=self.cursor)

    async def news(self, sign: Sequence[Mark]) -> AsyncIterator[Letter]:
        names = {mark.name.partition(":")[0]: None for mark in sign}
        briefs = dict(zip(names, await self._briefs.of(list(names)), strict=True))
        for mark in sign:
            game, _, milestone = mark.name.partition(":")
            found = briefs[game]
            letters = self._of(found, milestone, mark.number) if found else []
            for letter in in_turn(letters, self.cursor):
                yield letter
            self.cursor = mark.number

    def _of(self, found: Brief, milestone: str, number: int) -> list[Letter]:
        if not milestone:
            return self._untold(found, number)
        table = found.table
        errand = Finished(table.outcome or Outcome((), (), "")) if milestone == FINISHED else Started()
        return [Letter(table, seat, errand, number) for seat in seats_of(table, self._caller)]

    def _untold(self, found: Brief, cursor: int) -> list[Letter]:
        """What is pending and new to this stream; what is not pending any more may come again."""
        table = found.table
        now = [(seat, e) for seat in seats_of(table, self._caller) for e in found.pending(seat)]
        told = self._told.pop(table.game_id, set())
        if now:
            self._told[table.game_id] = set(now)
        return [Letter(table, seat, e, cursor) for seat, e in now if (seat, e) not in told]

    async def _mend(self, page: Sequence[Listing], briefs: Sequence[Brief | None]) -> None:
        """Add what a process did not come to mark, and take away what is over or never came to be."""
        found = [each.table for each in briefs if each and seats_of(each.table, self._caller)]
        names = [name for table in found for name in milestones(table)]
        marked = await self._store.marked(self._board, names)
        missing = [name for name, known in zip(names, marked, strict=True) if not known]
        if missing:
            await self._store.mark(self._board, once=missing)
        for listing, each in zip(page, briefs, strict=True):
            if await self._gone(listing, each):
                await self._store.delist(self._shelf, listing.game)

    async def _gone(self, listing: Listing, found: Brief | None) -> bool:
        if found is not None:
            return found.table.status is Status.FINISHED
        return listing.score < self._clock() - BIRTH and not await self._store.version(listing.game)


class SeatMailbox:
    """One seat, for whoever has its token."""

    def __init__(self, table: Table, was: Table, key: access.SeatKey, store: EventStore, briefs: Briefs):
        how = access.sitting(table, key)
        if how is None:
            raise NotYourSeat(f"no seat of game {table.game_id} is yours")
        self._how, self._store, self._briefs = how, store, briefs
        self._game_id, self._milestones = table.game_id, milestones(was)
        self._told: set[Errand] = set()
        self.cursor, self.over = was.version, False

    async def pending(self) -> AsyncIterator[Letter]:
        found = await self._brief()
        for letter in self._untold(found, self.cursor):
            yield letter

    async def missed(self) -> AsyncIterator[Letter]:
        async for letter in self.news(()):
            yield letter

    def follow(self) -> AsyncIterator[Sequence[Stored]]:
        return self._store.follow(self._game_id, after=self.cursor)

    async def news(self, _sign: Sequence[Stored]) -> AsyncIterator[Letter]:
        found = await self._brief()
        table = found.table
        passed = [each for each in milestones(table) if each not in self._milestones]
        letters = [
            Letter(table, self._how.seat, self._milestone(each, table), table.version) for each in passed
        ]
        for letter in (*in_turn(letters, self.cursor), *self._untold(found, table.version)):
            yield letter
        self._milestones, self.cursor = milestones(table), table.version
        self.over = table.status is Status.FINISHED

    def _milestone(self, name: str, table: Table) -> Errand:
        over = name.endswith(FINISHED)
        return Finished(table.outcome or Outcome((), (), "")) if over else Started()

    def _untold(self, found: Brief, cursor: int) -> list[Letter]:
        now = found.pending(self._how.seat)
        told, self._told = self._told, set(now)
        return [Letter(found.table, self._how.seat, e, cursor) for e in now if e not in told]

    async def _brief(self) -> Brief:
        [found] = await self._briefs.of([self._game_id])
        if found is None or not access.still_sits(found.table, self._how):
            raise NotYourSeat(f"seat {self._how.seat} has been left, or its tokens were revoked")
        return found


class Mailboxes:
    def __init__(self, store: EventStore, codec: Codec, tables: Tables, clock: Callable[[], int]) -> None:
        self._store, self._tables, self._clock = store, tables, clock
        self._briefs = Briefs(store, codec, tables)

    async def of_caller(self, caller_id: str, cursor: int | None) -> CallerMailbox:
        """A cursor from beyond the newest mark is of a store that has lost them: begin anew."""
        newest = await self._store.newest_mark(board_of(caller_id))
        begin = newest if cursor is None else min(cursor, newest)
        return CallerMailbox(caller_id, begin, self._store, self._briefs, self._clock)

    async def of_seat(self, key: access.SeatKey, cursor: int | None) -> SeatMailbox:
        table = await self._tables.fresh(key.game_id)
        access.sitting(table, key)
        begin = table.version if cursor is None else min(cursor, table.version)
        was = table if begin == table.version else await self._tables.at(key.game_id, begin)
        return SeatMailbox(table, was, key, self._store, self._briefs)
