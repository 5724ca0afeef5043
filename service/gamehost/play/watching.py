"""Following a game as it happens: one reader for each game in a process, any number of watchers."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import Context

from .late_tables import LateTables, released
from .meter import UNMETERED, Meter
from .moments import CaughtUp, Ended, Happened, Moment, Quiet, Why
from .pace import Pace
from .paying import account
from .ports import EventStore
from .retelling import Retelling
from .table import Record, Status, Table, causes
from .tables import Tables

BACKLOG = 64  # how many changes a watcher may fall behind
NEWS = 8  # how many watchers are told of news in one turn of the event loop
CHAPTER = 64  # how many records of the past are read at a time
REST = 0.003  # seconds from the slice of one watcher that is told of the past to that of the next one


class Feed:
    """What happened in one game, or had happened `delay` versions ago, and not every watcher knows yet.

    `places` has how many watchers have been told up to which version. `grown` is called with
    the change in the number of kept changes.
    """

    def __init__(self, table: Table, delay: int, grown: Callable[[int], None]) -> None:
        self.table, self.delay, self._grown = table, delay, grown
        self.recent: deque[Happened] = deque(maxlen=BACKLOG)
        self.places: Counter[int] = Counter()
        self.changed = asyncio.Event()
        self.failure: Exception | None = None
        self.reader: asyncio.Task[None] | None = None

    def tell(self, moment: Happened) -> None:
        before = len(self.recent)
        self.table = moment.table
        self.recent.append(moment)
        self._grown(len(self.recent) - before)
        self.forget()
        self.wake()

    def wake(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def missed(self, version: int) -> bool:
        """Whether what came after that version is too long ago to tell."""
        first = self.recent[0].records[0].version if self.recent else self.table.version + 1
        return version + 1 < first

    def after(self, version: int) -> Happened | None:
        """What came next, if it can be told."""
        if self.missed(version):
            return None
        return next((moment for moment in self.recent if moment.table.version > version), None)

    def forget(self) -> None:
        """Let go of what nobody waits for: who has missed something is told nothing more."""
        before = len(self.recent)
        while self.recent and not self.places[self.recent[0].records[0].version - 1]:
            self.recent.popleft()
        if len(self.recent) != before:
            self._grown(len(self.recent) - before)


class Place:
    """How far a watcher has been told; what comes after that waits for it in the feed."""

    def __init__(self, feed: Feed) -> None:
        self.feed, self.version = feed, feed.table.version
        feed.places[self.version] += 1

    def reach(self, version: int) -> None:
        self.feed.places[version] += 1
        self.leave()
        self.version = version

    def leave(self) -> None:
        places = self.feed.places
        places[self.version] -= 1
        if not places[self.version]:
            del places[self.version]
            self.feed.forget()


class Watching:
    """Watches games. `heartbeat` is how many quiet seconds pass before a sign of life."""

    def __init__(
        self,
        store: EventStore,
        tables: Tables,
        late: LateTables,
        heartbeat: float = 15.0,
        meter: Meter = UNMETERED,
    ) -> None:
        self._store, self._tables, self._late, self._heartbeat = store, tables, late, heartbeat
        self._meter, self._unread = meter, 0
        self._feeds: dict[tuple[str, int], Feed] = {}
        self._past, self._present = Pace(1, REST), Pace(NEWS)
        self._retelling = Retelling(meter)
        self._draining = False
        self._count(0)

    def drain(self) -> None:
        """End every stream, now and from now on, with the advice to come back elsewhere."""
        self._draining = True
        self._past.hurry()
        for feed in self._feeds.values():
            feed.wake()

    def _count(self, more: int) -> None:
        self._unread += more
        self._meter.unread(self._unread)
        self._meter.watched(len(self._feeds))

    async def watch(self, game_id: str, after: int | None, delay: int = 0) -> AsyncGenerator[Moment]:
        """The past after that version, then the present; None begins now, 0 with the first event.

        With a delay, now is so many versions ago until the game is over.
        """
        async with self._place(game_id, delay) as place:
            for part in (self._before(place, after), self._live(place)):
                async for moment in part:
                    yield moment
                    if isinstance(moment, Ended):
                        return

    async def _before(self, place: Place, after: int | None) -> AsyncIterator[Moment]:
        game_id, delay = place.feed.table.game_id, place.feed.delay
        start = await self._start(game_id, after, delay)
        if start:
            await self._past.turn()
            yield self._retelling.began(start)
        version, slices = start.version if start else 0, self._past.slices(at_once=False)
        upto = max(version, place.feed.table.version) if delay else None
        async for moment in self._past_of(place, start, upto):
            await slices.turn()
            if self._draining:
                # A long past takes longer than a process that leaves has time for.
                yield Ended(version, Why.DRAINING)
                return
            yield moment
            version = moment.table.version
        place.reach(version)
        yield CaughtUp(version)

    async def _start(self, game_id: str, after: int | None, delay: int) -> Table | None:
        if after == 0:
            return None
        if after is None:
            return await self._late.newest(game_id, delay)
        return await self._late.at(game_id, after, delay)

    async def _past_of(self, place: Place, start: Table | None, upto: int | None) -> AsyncIterator[Happened]:
        """A chapter at a time, so that nobody holds a whole log, and then what came in the meantime."""
        game_id = place.feed.table.game_id
        table = start or await self._tables.at(game_id, 1)
        if start is None:
            yield self._retelling.born(table, tuple(await self._tables.records(game_id, after=0, upto=1)))
        last = False
        while not last or table.version < place.feed.table.version:
            records, last = await self._chapter(table, upto)
            if not records:
                return
            async for moment in self._retold(table, records):
                yield moment
                table = moment.table

    async def _chapter(self, table: Table, upto: int | None) -> tuple[Sequence[Record], bool]:
        """What came next, cut where a cause ends, and whether it was all there is."""
        most = CHAPTER
        while True:
            end = table.version + most
            records = await self._tables.records(
                table.game_id, after=table.version, upto=end if upto is None else min(end, upto)
            )
            if len(records) < most:
                return records, True
            whole = next((at for at in range(most, 0, -1) if not records[at - 1].continues), 0)
            if whole:
                return records[:whole], False
            most *= 2

    async def _retold(self, table: Table, records: Sequence[Record]) -> AsyncIterator[Happened]:
        for batch in map(tuple, causes(records)):
            moment = self._retelling.happened(table, batch)
            if moment is None:
                later = await self._tables.onward(table, batch)
                moment = self._retelling.keep(table, Happened(batch, later))
            table = moment.table
            yield moment

    async def _moments(self, table: Table, records: Sequence[Record]) -> AsyncIterator[Happened]:
        slices = self._tables.pace.slices()
        for batch in causes(records):
            await slices.turn()
            table = await self._tables.onward(table, batch)
            yield Happened(tuple(batch), table)

    async def _live(self, place: Place) -> AsyncIterator[Moment]:
        feed = place.feed
        while True:
            changed, before = feed.changed, place.version
            if feed.missed(before) and not feed.delay:
                yield Ended(before, Why.SLOW)
                return
            async for moment in self._news(place):
                await self._present.turn()
                yield moment
                place.reach(moment.table.version)
            if (why := self._over(feed, place.version)) is not None:
                yield Ended(place.version, why)
                return
            if place.version == before and not await _within(changed, self._heartbeat):
                yield Quiet(before)

    async def _news(self, place: Place) -> AsyncIterator[Happened]:
        """What the watcher does not know yet, one by one: whoever waits for it holds no more than that.

        The end of a delayed game comes as one long burst, which is nobody's slowness.
        """
        feed, version = place.feed, place.version
        if feed.missed(version):
            start = await self._tables.at(feed.table.game_id, version)
            records = await self._tables.records(start.game_id, after=version, upto=feed.table.version)
            async for moment in self._retold(start, records):
                yield moment
        while news := feed.after(place.version):
            await account().settle()
            account().charge(len(news.records))
            yield news

    def _over(self, feed: Feed, version: int) -> Why | None:
        if feed.failure:
            raise feed.failure
        if self._draining:
            return Why.DRAINING
        finished = feed.table.status is Status.FINISHED and feed.table.version == version
        return Why.FINISHED if finished else None

    @asynccontextmanager
    async def _place(self, game_id: str, delay: int) -> AsyncIterator[Place]:
        key = game_id, delay
        feed = self._feeds.get(key)
        if feed is None or feed.failure:
            table = await self._late.newest(game_id, delay)
            feed = self._feeds.get(key)
        if feed is None or feed.failure:
            feed = self._feeds[key] = Feed(table, delay, self._count)
            self._count(0)
        if feed.reader is None:
            # In a context of its own: what it reads is for all watchers, and no single one pays for it.
            feed.reader = asyncio.create_task(self._follow(game_id, feed), context=Context())
        place = Place(feed)
        try:
            yield place
        finally:
            place.leave()
            if not feed.places:
                await self._close(key, feed)

    async def _close(self, key: tuple[str, int], feed: Feed) -> None:
        if self._feeds.get(key) is feed:
            del self._feeds[key]
            self._count(0)
        if feed.reader:
            feed.reader.cancel()
            with suppress(asyncio.CancelledError):
                await feed.reader

    async def _follow(self, game_id: str, feed: Feed) -> None:
        held: list[Record] = []
        try:
            async for stored in self._store.follow(game_id, after=feed.table.version):
                held += self._tables.decode(game_id, stored)
                told = released(feed.table, held, feed.delay)
                async for moment in self._moments(feed.table, told):
                    feed.tell(moment)
                del held[: len(told)]
        except Exception as failure:
            feed.failure = failure
            feed.wake()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
