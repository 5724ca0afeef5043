"""Following a game as it happens: one reader for each game in a process, any number of watchers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from .late_tables import LateTables, released
from .ports import EventStore
from .table import Record, Status, Table, causes
from .tables import Tables

BACKLOG = 64  # how many changes a watcher may fall behind
PAST_AT_ONCE, LIVE_AT_ONCE = 1, 8  # what is told in one turn of the event loop; the past is folded for each


@dataclass(frozen=True, slots=True)
class Began:
    """Where the stream begins."""

    table: Table


@dataclass(frozen=True, slots=True)
class Happened:
    """Records with one cause and the table they led to; `shown` remembers what each seat was told of it."""

    records: Sequence[Record]
    table: Table
    shown: dict[Any, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    version: int


@dataclass(frozen=True, slots=True)
class Quiet:
    version: int


class Why(Enum):
    DRAINING = "draining"
    SLOW = "slow"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Ended:
    version: int
    why: Why


Moment = Began | Happened | CaughtUp | Quiet | Ended


class Pace:
    """Lets few go on in each turn of the event loop, so that a crowd of watchers holds up nobody's move."""

    def __init__(self, at_once: int) -> None:
        self._gate = asyncio.Semaphore(at_once)

    async def turn(self) -> None:
        async with self._gate:
            await asyncio.sleep(0)


class Feed:
    """What has happened lately in one game, or had happened `delay` versions ago."""

    def __init__(self, table: Table, delay: int) -> None:
        self.table, self.delay = table, delay
        self.recent: deque[Happened] = deque(maxlen=BACKLOG)
        self.changed = asyncio.Event()
        self.failure: Exception | None = None
        self.watchers = 0
        self.reader: asyncio.Task[None] | None = None

    def tell(self, moment: Happened) -> None:
        self.table = moment.table
        self.recent.append(moment)
        self.wake()

    def wake(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def since(self, version: int) -> list[Happened] | None:
        """What came after that version, or None when that is too long ago to tell."""
        later = [moment for moment in self.recent if moment.table.version > version]
        if later and later[0].records[0].version > version + 1:
            return None
        return later


class Watching:
    """Watches games. `heartbeat` is how many quiet seconds pass before a sign of life."""

    def __init__(self, store: EventStore, tables: Tables, late: LateTables, heartbeat: float = 15.0) -> None:
        self._store, self._tables, self._late, self._heartbeat = store, tables, late, heartbeat
        self._feeds: dict[tuple[str, int], Feed] = {}
        self._past, self._present = Pace(PAST_AT_ONCE), Pace(LIVE_AT_ONCE)
        self._draining = False

    def drain(self) -> None:
        """End every stream, now and from now on, with the advice to come back elsewhere."""
        self._draining = True
        for feed in self._feeds.values():
            feed.wake()

    async def watch(self, game_id: str, after: int | None, delay: int = 0) -> AsyncGenerator[Moment]:
        """The past after that version, then the present; None begins now, 0 with the first event.

        With a delay, now is so many versions ago until the game is over.
        """
        async with self._feed(game_id, delay) as feed:
            start = await self._start(game_id, after, delay)
            await self._present.turn()
            if start:
                yield Began(start)
            version = start.version if start else 0
            upto = max(version, feed.table.version) if delay else None
            records = await self._tables.records(game_id, after=version, upto=upto)
            past = self._moments(start, records) if start else self._from_birth(game_id, records)
            async for moment in past:
                await self._past.turn()
                yield moment
                version = moment.table.version
            yield CaughtUp(version)
            async for news in self._live(feed, version):
                yield news

    async def _start(self, game_id: str, after: int | None, delay: int) -> Table | None:
        if after == 0:
            return None
        if after is None:
            return await self._late.newest(game_id, delay)
        return await self._late.at(game_id, after, delay)

    async def _from_birth(self, game_id: str, records: Sequence[Record]) -> AsyncIterator[Happened]:
        first = await self._tables.at(game_id, 1)
        yield Happened(records[:1], first)
        async for moment in self._moments(first, records[1:]):
            yield moment

    async def _moments(self, table: Table, records: Sequence[Record]) -> AsyncIterator[Happened]:
        for batch in causes(records):
            table = await self._tables.onward(table, batch)
            yield Happened(tuple(batch), table)

    async def _live(self, feed: Feed, version: int) -> AsyncIterator[Moment]:
        while True:
            changed = feed.changed
            news = feed.since(version)
            if news is None and feed.delay:
                news = await self._replayed(feed.table, version)
            if news is None:
                yield Ended(version, Why.SLOW)
                return
            for moment in news:
                await self._present.turn()
                yield moment
                version = moment.table.version
            if (why := self._over(feed, version)) is not None:
                yield Ended(version, why)
                return
            if not news and not await _within(changed, self._heartbeat):
                yield Quiet(version)

    async def _replayed(self, table: Table, version: int) -> list[Happened]:
        """The end of a delayed game comes as one long burst, which is nobody's slowness."""
        start = await self._tables.at(table.game_id, version)
        records = await self._tables.records(table.game_id, after=version, upto=table.version)
        return [moment async for moment in self._moments(start, records)]

    def _over(self, feed: Feed, version: int) -> Why | None:
        if feed.failure:
            raise feed.failure
        if self._draining:
            return Why.DRAINING
        finished = feed.table.status is Status.FINISHED and feed.table.version == version
        return Why.FINISHED if finished else None

    @asynccontextmanager
    async def _feed(self, game_id: str, delay: int) -> AsyncIterator[Feed]:
        key = game_id, delay
        feed = self._feeds.get(key)
        if feed is None or feed.failure:
            table = await self._late.newest(game_id, delay)
            feed = self._feeds.get(key)
        if feed is None or feed.failure:
            feed = self._feeds[key] = Feed(table, delay)
        if feed.reader is None:
            feed.reader = asyncio.create_task(self._follow(game_id, feed))
        feed.watchers += 1
        try:
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                await self._close(key, feed)

    async def _close(self, key: tuple[str, int], feed: Feed) -> None:
        if self._feeds.get(key) is feed:
            del self._feeds[key]
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
