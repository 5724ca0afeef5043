"""Watch streams: tell watchers of a game about its history, and then about each new event (move).

A process has one `LiveFeed` per watched game and delay, which notifies all its watchers. New events reach the
feed in two ways: the writer of this process calls `GameWatching.notify_watchers`, and one reader per feed
follows the log in the store, for moves that other processes make.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import Context

from gamehost.play.interruption import TimeLimit
from gamehost.play.ports.event_log import EventLog
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.read_account import current_account
from gamehost.play.table.table import EventRecord, Status, Table, grouped_by_cause
from gamehost.play.tables.current import TableCache
from gamehost.play.tables.delayed import DelayedTables, visible_with_delay
from gamehost.play.throttle import Throttle

from .items import CaughtUp, EndReason, EventsHappened, Heartbeat, StreamEnded, WatchItem
from .replay_cache import ReplayCache

BACKLOG = 64  # changes that a watcher may fall behind before its stream ends
WATCHERS_PER_TURN = 8  # that get a live change in one iteration of the event loop
PAGE_EVENTS = 64  # records of the history that are read at a time
REPLAY_PAUSE = 0.003  # seconds between the replay slices of two watchers, for live changes and calls


class LiveFeed:
    """Tells the watchers of one game about new events, `delay` versions late.

    It holds the recent changes that some watcher has not received yet. Watchers have no queues of their own:
    each has a position in the shared `recent`, so a change is held once however many watchers wait for it.
    `positions` counts the watchers at each version. A change is dropped when no watcher is at the version
    before it, or when it is more than BACKLOG changes old; a watcher that needed it then is too slow.
    `on_growth` is called with each difference in the number of held changes.
    """

    def __init__(self, table: Table, delay: int, on_growth: Callable[[int], None]) -> None:
        self.table, self.delay, self._on_growth = table, delay, on_growth
        self.recent: deque[EventsHappened] = deque(maxlen=BACKLOG)
        self.positions: Counter[int] = Counter()
        self.changed = asyncio.Event()
        self.failure: Exception | None = None
        self.reader: asyncio.Task[None] | None = None

    def add(self, item: EventsHappened) -> None:
        """Append a change and notify the watchers of it."""
        held = len(self.recent)
        self.table = item.table
        self.recent.append(item)  # a full deque drops its oldest change, even if a watcher needs it
        self._on_growth(len(self.recent) - held)
        self.trim()
        self.wake_watchers()

    def is_next(self, records: Sequence[EventRecord]) -> bool:
        """Whether these records follow the newest table of the feed."""
        return records[0].version == self.table.version + 1

    def wake_watchers(self) -> None:
        """Wake all watchers that wait for a change."""
        # A new event for each change, not set() and clear(): a watcher takes `changed` before it looks at the
        # feed, so it cannot miss a change that happens while it looks.
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def has_dropped(self, version: int) -> bool:
        """Whether the change that follows this version is no longer held."""
        first = self.recent[0].records[0].version if self.recent else self.table.version + 1
        return version + 1 < first

    def next_after(self, version: int) -> EventsHappened | None:
        """Return the change that follows this version; None if there is none yet, or if it was dropped."""
        if self.has_dropped(version):
            return None
        return next((item for item in self.recent if item.table.version > version), None)

    def trim(self) -> None:
        """Drop the oldest changes as long as no watcher is at the version before them.

        A watcher that is further behind does not count: it has missed a change, so its stream ends or reads
        from the log, and it needs none of the later changes from here.
        """
        held = len(self.recent)
        while self.recent and not self.positions[self.recent[0].records[0].version - 1]:
            self.recent.popleft()
        if len(self.recent) != held:
            self._on_growth(len(self.recent) - held)


class WatcherPosition:
    """The last version that a watcher has received. The feed holds the changes after it."""

    def __init__(self, feed: LiveFeed) -> None:
        self.feed, self.version = feed, feed.table.version
        feed.positions[self.version] += 1

    def advance(self, version: int) -> None:
        # Added before the old one is removed: otherwise the feed could drop the next change in between.
        self.feed.positions[version] += 1
        self.remove()
        self.version = version

    def remove(self) -> None:
        positions = self.feed.positions
        positions[self.version] -= 1
        if not positions[self.version]:
            del positions[self.version]
            self.feed.trim()


class GameWatching:
    """Serves the watch streams of all games of this process, one generator per watcher.

    `heartbeat` is the number of seconds without changes after which a heartbeat is sent.
    """

    def __init__(
        self,
        store: EventLog,
        tables: TableCache,
        delayed: DelayedTables,
        heartbeat: float = 15.0,
        metrics: PlayMetrics = NO_METRICS,
    ) -> None:
        self._store, self._tables, self._delayed = store, tables, delayed
        self._quiet_time = TimeLimit(heartbeat)
        self._metrics, self._unread = metrics, 0
        self._feeds: dict[tuple[str, int], LiveFeed] = {}
        self._replay_throttle, self._live_throttle = Throttle(1, REPLAY_PAUSE), Throttle(WATCHERS_PER_TURN)
        self._replay_cache = ReplayCache(metrics)
        self._draining = False
        self._count(0)

    def drain(self) -> None:
        """End all streams, current and future, as DRAINING: clients then resume at another process."""
        self._draining = True
        self._replay_throttle.drop_pause()
        for feed in self._feeds.values():
            feed.wake_watchers()

    def notify_watchers(self, records: Sequence[EventRecord], table: Table) -> None:
        """Notify the watchers of a game about a change that this process has appended.

        Without this the reader would read, decode and fold the events again, and they would be encoded again:
        for the first watcher of a game that costs as much as the move. Spectators with a delay, and changes
        that do not follow what the feed has, are left to the reader.
        """
        feed = self._feeds.get((table.game_id, 0))
        if feed is not None and feed.is_next(records):
            feed.add(EventsHappened(tuple(records), table))

    def _count(self, change: int) -> None:
        self._unread += change
        self._metrics.set_unread_changes(self._unread)
        self._metrics.set_watched_games(len(self._feeds))

    async def watch(
        self, game_id: str, after: int | None, delay: int = 0, newest: Table | None = None
    ) -> AsyncGenerator[WatchItem]:
        """Yield the history after a version, then live changes; None starts at the newest version.

        With a delay, the newest version is that many versions ago, until the game is over. `newest` is the
        table at that version if the caller has just read it.
        """
        # The position is taken before the history is read, so that the feed already holds what happens in the
        # meantime and nothing is missed between history and live changes.
        async with self._position(game_id, delay, newest) as position:
            for part in (self._replay(position, after, newest), self._live(position)):
                async for item in part:
                    yield item
                    if isinstance(item, StreamEnded):
                        return

    async def _replay(
        self, position: WatcherPosition, after: int | None, newest: Table | None
    ) -> AsyncIterator[WatchItem]:
        """Yield the history, and move the position to its end."""
        game_id, delay = position.feed.table.game_id, position.feed.delay
        start = newest if after is None and newest else await self._start(game_id, after, delay)
        if start:
            await self._replay_throttle.wait_turn()
            yield self._replay_cache.stream_began(start)
        version, slices = start.version if start else 0, self._replay_throttle.slices(at_once=False)
        # With a delay the log contains more than the watcher may see; the feed knows how much that is.
        upto = max(version, position.feed.table.version) if delay else None
        async for item in self._replayed(position, start, upto):
            await slices.turn()
            if self._draining:
                # A long replay can take longer than the process has left to drain.
                yield StreamEnded(version, EndReason.DRAINING)
                return
            yield item
            version = item.table.version
        position.advance(version)
        yield CaughtUp(version)

    async def _start(self, game_id: str, after: int | None, delay: int) -> Table | None:
        """Return the table to start from; None to start with the first event."""
        if after == 0:
            return None
        if after is None:
            return await self._delayed.newest(game_id, delay)
        return await self._delayed.at_version(game_id, after, delay)

    async def _replayed(
        self, position: WatcherPosition, start: Table | None, upto: int | None
    ) -> AsyncIterator[EventsHappened]:
        """Yield the history page by page, so that no watcher holds a whole log in memory.

        Goes on until the watcher has caught up with the feed. A long replay may take longer than the feed
        holds changes, and the watcher must not be dropped as slow for that.
        """
        game_id = position.feed.table.game_id
        table = start or await self._tables.at_version(game_id, 1)
        if start is None:
            yield self._replay_cache.game_created(
                table, tuple(await self._tables.records(game_id, after=0, upto=1))
            )
        is_last = False
        while not is_last or table.version < position.feed.table.version:
            records, is_last = await self._page(table, upto)
            if not records:
                return
            async for item in self._from_cache(table, records):
                yield item
                table = item.table

    async def _page(self, table: Table, upto: int | None) -> tuple[Sequence[EventRecord], bool]:
        """Return the next records and whether they are the last; never splits the records of a call."""
        page_size = PAGE_EVENTS
        while True:
            end = table.version + page_size
            records = await self._tables.records(
                table.game_id, after=table.version, upto=end if upto is None else min(end, upto)
            )
            if len(records) < page_size:
                return records, True
            whole_count = next((at for at in range(page_size, 0, -1) if not records[at - 1].continues), 0)
            if whole_count:
                return records[:whole_count], False
            page_size *= 2  # a single call wrote more records than fit on the page

    async def _from_cache(
        self, table: Table, records: Sequence[EventRecord]
    ) -> AsyncIterator[EventsHappened]:
        """Yield the changes of records after a table, from the replay cache where possible."""
        for batch in map(tuple, grouped_by_cause(records)):
            item = self._replay_cache.find(table, batch)
            if item is None:
                later = await self._tables.apply(table, batch)
                item = self._replay_cache.put(table, EventsHappened(batch, later))
            table = item.table
            yield item

    async def _applied(self, table: Table, records: Sequence[EventRecord]) -> AsyncIterator[EventsHappened]:
        """Yield the changes of new records, letting other tasks run in between."""
        slices = self._tables.throttle.slices()
        for batch in grouped_by_cause(records):
            await slices.turn()
            table = await self._tables.apply(table, batch)
            yield EventsHappened(tuple(batch), table)

    async def _live(self, position: WatcherPosition) -> AsyncIterator[WatchItem]:
        """Yield changes as they happen, heartbeats in quiet times, and the end of the stream.

        A watcher that fell more than BACKLOG changes behind is dropped with SLOW. It can resume at its
        version and then reads from the log, which costs the other watchers nothing; a queue that grows with
        its slowness would cost memory without limit.
        """
        feed = position.feed
        while True:
            # Taken before the feed is read: a change from now on sets this event, even if the watcher is not
            # waiting for it yet.
            changed, seen = feed.changed, position.version
            if feed.has_dropped(seen) and not feed.delay:
                yield StreamEnded(seen, EndReason.SLOW)
                return
            async for item in self._unseen(position):
                await self._live_throttle.wait_turn()
                yield item
                position.advance(item.table.version)
            if (reason := self._end_reason(feed, position.version)) is not None:
                yield StreamEnded(position.version, reason)
                return
            if position.version == seen and not await _within(changed, self._quiet_time):
                yield Heartbeat(seen)

    async def _unseen(self, position: WatcherPosition) -> AsyncIterator[EventsHappened]:
        """Yield the changes after the position one by one, so that a waiting watcher holds only one.

        Watchers of a delayed game are not dropped as slow: when the game ends, all of the delayed changes
        appear at once, possibly more than BACKLOG. What the feed has dropped is read from the log.
        """
        feed, version = position.feed, position.version
        if feed.has_dropped(version):
            start = await self._tables.at_version(feed.table.game_id, version)
            records = await self._tables.records(start.game_id, after=version, upto=feed.table.version)
            async for item in self._from_cache(start, records):
                yield item
        while news := feed.next_after(position.version):
            await current_account().settle()
            current_account().charge(len(news.records))
            yield news

    def _end_reason(self, feed: LiveFeed, version: int) -> EndReason | None:
        """Return why the stream ends now, if it does; raises the failure of the feed's reader."""
        if feed.failure:
            raise feed.failure
        if self._draining:
            return EndReason.DRAINING
        finished = feed.table.status is Status.FINISHED and feed.table.version == version
        return EndReason.FINISHED if finished else None

    @asynccontextmanager
    async def _position(
        self, game_id: str, delay: int, newest: Table | None
    ) -> AsyncIterator[WatcherPosition]:
        """Register a watcher with the feed of a game. The first one starts its reader, the last stops it."""
        key = game_id, delay
        feed = self._feeds.get(key)
        if feed is None or feed.failure:
            table = newest or await self._delayed.newest(game_id, delay)
            # Looked up again: another watcher may have created the feed during the await.
            feed = self._feeds.get(key)
        if feed is None or feed.failure:
            feed = self._feeds[key] = LiveFeed(table, delay, self._count)
            self._count(0)
        if feed.reader is None:
            # In a context of its own: the read account of the current call would be inherited, and the first
            # watcher would pay for what the reader reads for all of them.
            feed.reader = asyncio.create_task(self._follow(game_id, feed), context=Context())
        position = WatcherPosition(feed)
        try:
            yield position
        finally:
            position.remove()
            if not feed.positions:
                await self._close(key, feed)

    async def _close(self, key: tuple[str, int], feed: LiveFeed) -> None:
        if self._feeds.get(key) is feed:  # a failed feed may have been replaced
            del self._feeds[key]
            self._count(0)
        if feed.reader:
            feed.reader.cancel()
            with suppress(asyncio.CancelledError):
                await feed.reader

    async def _follow(self, game_id: str, feed: LiveFeed) -> None:
        """Read new events of a game into its feed until it fails or is cancelled."""
        held: list[EventRecord] = []  # not visible yet because of the delay
        try:
            known = None if feed.delay else lambda: feed.table.version
            async for stored in self._store.follow(game_id, after=feed.table.version, known=known):
                unseen = [event for event in stored if event.version > feed.table.version]
                held += self._tables.decode(game_id, unseen)
                visible = visible_with_delay(feed.table, held, feed.delay)
                async for item in self._applied(feed.table, visible):
                    if feed.is_next(item.records):  # otherwise `notify_watchers` was faster
                        feed.add(item)
                del held[: len(visible)]
        except Exception as failure:
            feed.failure = failure
            feed.wake_watchers()


async def _within(event: asyncio.Event, limit: TimeLimit) -> bool:
    """Wait for an event; False if it did not happen in time."""
    try:
        with limit.block():
            await event.wait()
    except TimeoutError:
        return False
    return True
