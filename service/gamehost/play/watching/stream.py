"""Following a game as it happens: one reader for each game in a process, any number of watchers."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import Context

from gamehost.play.ports.event_log import EventLog
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.read_account import current_account
from gamehost.play.table.table import EventRecord, Status, Table, grouped_by_cause
from gamehost.play.tables.current import TableCache
from gamehost.play.tables.delayed import DelayedTables, visible_with_delay
from gamehost.play.throttle import Throttle

from .items import CaughtUp, EndReason, EventsHappened, Heartbeat, StreamEnded, WatchItem
from .replay_cache import ReplayCache

BACKLOG = 64  # how many changes a watcher may fall behind
TOLD_AT_ONCE = 8  # how many watchers are told of news in one turn of the event loop
PAGE_EVENTS = 64  # how many records of the past are read at a time
REPLAY_PAUSE = 0.003  # seconds from the slice of one watcher that is told of the past to that of the next one


class LiveFeed:
    """What happened in one game, or had happened `delay` versions ago, and not every watcher knows yet.

    `places` has how many watchers have been told up to which version. `grown` is called with
    the change in the number of kept changes.
    """

    def __init__(self, table: Table, delay: int, grown: Callable[[int], None]) -> None:
        self.table, self.delay, self._on_growth = table, delay, grown
        self.recent: deque[EventsHappened] = deque(maxlen=BACKLOG)
        self.positions: Counter[int] = Counter()
        self.changed = asyncio.Event()
        self.failure: Exception | None = None
        self.reader: asyncio.Task[None] | None = None

    def add(self, moment: EventsHappened) -> None:
        before = len(self.recent)
        self.table = moment.table
        self.recent.append(moment)
        self._on_growth(len(self.recent) - before)
        self.trim()
        self.notify()

    def notify(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def has_dropped(self, version: int) -> bool:
        """Whether what came after that version is too long ago to tell."""
        first = self.recent[0].records[0].version if self.recent else self.table.version + 1
        return version + 1 < first

    def next_after(self, version: int) -> EventsHappened | None:
        """What came next, if it can be told."""
        if self.has_dropped(version):
            return None
        return next((moment for moment in self.recent if moment.table.version > version), None)

    def trim(self) -> None:
        """Let go of what nobody waits for: who has missed something is told nothing more."""
        before = len(self.recent)
        while self.recent and not self.positions[self.recent[0].records[0].version - 1]:
            self.recent.popleft()
        if len(self.recent) != before:
            self._on_growth(len(self.recent) - before)


class WatcherPosition:
    """How far a watcher has been told; what comes after that waits for it in the feed."""

    def __init__(self, feed: LiveFeed) -> None:
        self.feed, self.version = feed, feed.table.version
        feed.positions[self.version] += 1

    def advance(self, version: int) -> None:
        self.feed.positions[version] += 1
        self.remove()
        self.version = version

    def remove(self) -> None:
        places = self.feed.positions
        places[self.version] -= 1
        if not places[self.version]:
            del places[self.version]
            self.feed.trim()


class GameWatching:
    """Watches games. `heartbeat` is how many quiet seconds pass before a sign of life."""

    def __init__(
        self,
        store: EventLog,
        tables: TableCache,
        late: DelayedTables,
        heartbeat: float = 15.0,
        meter: PlayMetrics = NO_METRICS,
    ) -> None:
        self._store, self._tables, self._delayed, self._heartbeat = store, tables, late, heartbeat
        self._metrics, self._unread = meter, 0
        self._feeds: dict[tuple[str, int], LiveFeed] = {}
        self._replay_throttle, self._live_throttle = Throttle(1, REPLAY_PAUSE), Throttle(TOLD_AT_ONCE)
        self._replay_cache = ReplayCache(meter)
        self._draining = False
        self._count(0)

    def drain(self) -> None:
        """End every stream, now and from now on, with the advice to come back elsewhere."""
        self._draining = True
        self._replay_throttle.hurry()
        for feed in self._feeds.values():
            feed.notify()

    def _count(self, more: int) -> None:
        self._unread += more
        self._metrics.set_unread_changes(self._unread)
        self._metrics.set_watched_games(len(self._feeds))

    async def watch(self, game_id: str, after: int | None, delay: int = 0) -> AsyncGenerator[WatchItem]:
        """The past after that version, then the present; None begins now, 0 with the first event.

        With a delay, now is so many versions ago until the game is over.
        """
        async with self._position(game_id, delay) as place:
            for part in (self._replay(place, after), self._live(place)):
                async for moment in part:
                    yield moment
                    if isinstance(moment, StreamEnded):
                        return

    async def _replay(self, place: WatcherPosition, after: int | None) -> AsyncIterator[WatchItem]:
        game_id, delay = place.feed.table.game_id, place.feed.delay
        start = await self._start(game_id, after, delay)
        if start:
            await self._replay_throttle.wait_turn()
            yield self._replay_cache.stream_began(start)
        version, slices = start.version if start else 0, self._replay_throttle.slices(at_once=False)
        upto = max(version, place.feed.table.version) if delay else None
        async for moment in self._replayed(place, start, upto):
            await slices.turn()
            if self._draining:
                # A long past takes longer than a process that leaves has time for.
                yield StreamEnded(version, EndReason.DRAINING)
                return
            yield moment
            version = moment.table.version
        place.advance(version)
        yield CaughtUp(version)

    async def _start(self, game_id: str, after: int | None, delay: int) -> Table | None:
        if after == 0:
            return None
        if after is None:
            return await self._delayed.newest(game_id, delay)
        return await self._delayed.at_version(game_id, after, delay)

    async def _replayed(
        self, place: WatcherPosition, start: Table | None, upto: int | None
    ) -> AsyncIterator[EventsHappened]:
        """A chapter at a time, so that nobody holds a whole log, and then what came in the meantime."""
        game_id = place.feed.table.game_id
        table = start or await self._tables.at_version(game_id, 1)
        if start is None:
            yield self._replay_cache.game_created(
                table, tuple(await self._tables.records(game_id, after=0, upto=1))
            )
        last = False
        while not last or table.version < place.feed.table.version:
            records, last = await self._page(table, upto)
            if not records:
                return
            async for moment in self._from_cache(table, records):
                yield moment
                table = moment.table

    async def _page(self, table: Table, upto: int | None) -> tuple[Sequence[EventRecord], bool]:
        """What came next, cut where a cause ends, and whether it was all there is."""
        most = PAGE_EVENTS
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

    async def _from_cache(
        self, table: Table, records: Sequence[EventRecord]
    ) -> AsyncIterator[EventsHappened]:
        for batch in map(tuple, grouped_by_cause(records)):
            moment = self._replay_cache.find(table, batch)
            if moment is None:
                later = await self._tables.apply(table, batch)
                moment = self._replay_cache.put(table, EventsHappened(batch, later))
            table = moment.table
            yield moment

    async def _applied(self, table: Table, records: Sequence[EventRecord]) -> AsyncIterator[EventsHappened]:
        slices = self._tables.pace.slices()
        for batch in grouped_by_cause(records):
            await slices.turn()
            table = await self._tables.apply(table, batch)
            yield EventsHappened(tuple(batch), table)

    async def _live(self, place: WatcherPosition) -> AsyncIterator[WatchItem]:
        feed = place.feed
        while True:
            changed, before = feed.changed, place.version
            if feed.has_dropped(before) and not feed.delay:
                yield StreamEnded(before, EndReason.SLOW)
                return
            async for moment in self._unseen(place):
                await self._live_throttle.wait_turn()
                yield moment
                place.advance(moment.table.version)
            if (why := self._end_reason(feed, place.version)) is not None:
                yield StreamEnded(place.version, why)
                return
            if place.version == before and not await _within(changed, self._heartbeat):
                yield Heartbeat(before)

    async def _unseen(self, place: WatcherPosition) -> AsyncIterator[EventsHappened]:
        """What the watcher does not know yet, one by one: whoever waits for it holds no more than that.

        The end of a delayed game comes as one long burst, which is nobody's slowness.
        """
        feed, version = place.feed, place.version
        if feed.has_dropped(version):
            start = await self._tables.at_version(feed.table.game_id, version)
            records = await self._tables.records(start.game_id, after=version, upto=feed.table.version)
            async for moment in self._from_cache(start, records):
                yield moment
        while news := feed.next_after(place.version):
            await current_account().settle()
            current_account().charge(len(news.records))
            yield news

    def _end_reason(self, feed: LiveFeed, version: int) -> EndReason | None:
        if feed.failure:
            raise feed.failure
        if self._draining:
            return EndReason.DRAINING
        finished = feed.table.status is Status.FINISHED and feed.table.version == version
        return EndReason.FINISHED if finished else None

    @asynccontextmanager
    async def _position(self, game_id: str, delay: int) -> AsyncIterator[WatcherPosition]:
        key = game_id, delay
        feed = self._feeds.get(key)
        if feed is None or feed.failure:
            table = await self._delayed.newest(game_id, delay)
            feed = self._feeds.get(key)
        if feed is None or feed.failure:
            feed = self._feeds[key] = LiveFeed(table, delay, self._count)
            self._count(0)
        if feed.reader is None:
            # In a context of its own: what it reads is for all watchers, and no single one pays for it.
            feed.reader = asyncio.create_task(self._follow(game_id, feed), context=Context())
        place = WatcherPosition(feed)
        try:
            yield place
        finally:
            place.remove()
            if not feed.positions:
                await self._close(key, feed)

    async def _close(self, key: tuple[str, int], feed: LiveFeed) -> None:
        if self._feeds.get(key) is feed:
            del self._feeds[key]
            self._count(0)
        if feed.reader:
            feed.reader.cancel()
            with suppress(asyncio.CancelledError):
                await feed.reader

    async def _follow(self, game_id: str, feed: LiveFeed) -> None:
        held: list[EventRecord] = []
        try:
            async for stored in self._store.follow(game_id, after=feed.table.version):
                held += self._tables.decode(game_id, stored)
                told = visible_with_delay(feed.table, held, feed.delay)
                async for moment in self._applied(feed.table, told):
                    feed.add(moment)
                del held[: len(told)]
        except Exception as failure:
            feed.failure = failure
            feed.notify()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
