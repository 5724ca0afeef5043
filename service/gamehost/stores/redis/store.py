"""Event store on Redis or Valkey 7 and later: one server, Sentinel or Cluster."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

from gamehost import tracing
from gamehost.play.caching import LruCache
from gamehost.play.ports.event_log import (
    AnsweredRequest,
    Appended,
    KnownVersion,
    ReadEvents,
    RequestKey,
    RequestReused,
    Snapshot,
    StaleVersion,
    StoredEvent,
    StoreUnavailable,
    WholeGame,
)
from gamehost.stores.limits import check_events

from .batching import NodeBatchers, Scripts
from .boards import RedisBoards
from .client import RedisAddress, close_client, parse_redis_url
from .commands import Wait
from .durability import Durability, inspect_server
from .errors import as_read_error, as_store_error
from .keys import PING, game_key, registry_key, registry_keys
from .lists import RedisLists
from .maps import CHANGE_MAP, CHANGE_MAP_SHA, RedisMaps
from .pubsub import PubSub, followed_events
from .schedule import BOT_QUEUES, BOT_QUEUES_SHA, SCHEDULE, SCHEDULE_SHA, RedisSchedule
from .sentinel import PrimaryTracker
from .talk import TALK_KEYS, RedisTalk

APPEND, CONFIRM_REQUEST, CONFIRM_EVENT, REMOVE_GAME = (
    Path(__file__).with_name(f"{name}.lua").read_text()
    for name in ("append", "confirm_request", "confirm_event", "remove_game")
)
APPEND_SHA, CONFIRM_EVENT_SHA = (
    sha1(script.encode(), usedforsecurity=False).hexdigest() for script in (APPEND, CONFIRM_EVENT)
)
SCRIPTS: Scripts = {
    APPEND_SHA.encode(): APPEND,
    SCHEDULE_SHA.encode(): SCHEDULE,
    BOT_QUEUES_SHA.encode(): BOT_QUEUES,
    CHANGE_MAP_SHA.encode(): CHANGE_MAP,
    CONFIRM_EVENT_SHA.encode(): CONFIRM_EVENT,
}
APPEND_KEYS = ("events", "requests", "seed", "summary")
GENERATED_PREFIX = b"-"  # of ids for appends whose caller gave no request
NEWS_POLL_SECONDS = 5.0  # seconds
REDIS_SECONDS = 3.0  # seconds
MOST_REPLICATED = 20_000  # games whose newest replicated version is remembered


class RedisEventStore(RedisSchedule, RedisMaps, RedisBoards, RedisLists, RedisTalk):
    """Implements the port `EventStore` with three connections: for writes, reads and the subscription.

    With `replicas`, events are answered and shown only when that many replicas have them.
    """

    def __init__(
        self,
        address: RedisAddress,
        *,
        replicas: int = 0,
        timeout: float = REDIS_SECONDS,
        poll: float = NEWS_POLL_SECONDS,
    ) -> None:
        self._address, self._timeout = address, timeout
        self.primary_changed = asyncio.Event()  # set whenever the primary has changed
        self._replicated = LruCache[str, int](MOST_REPLICATED) if replicas else None
        wait = Wait(replicas, int(timeout * 500)) if replicas else None
        # Writes have a connection of their own, so that a move does not wait until a long log has been read.
        self._writer = address.client("shedu-append", timeout=timeout)
        self._reader = address.client("shedu-read", timeout=timeout)
        self._primary_tracker = PrimaryTracker([self._writer, self._reader], self._change_primary)
        self._writes = NodeBatchers(
            self._writer, scripts=SCRIPTS, wait=wait, on_ask=self._primary_tracker.check
        )
        self._reads = NodeBatchers(self._reader, on_ask=self._primary_tracker.check)
        self._pubsub = PubSub(address, self._reader, self._after, poll=poll)

    async def append(
        self,
        game: str,
        events: Sequence[bytes],
        *,
        expected: int,
        after: bytes | None = None,
        request: RequestKey | None = None,
        summary: bytes | None = None,
        seed: bytes | None = None,
    ) -> Appended:
        """Write a move to Redis in one atomic step: events, request id, summary and seed (`append.lua`)."""
        check_events(events)
        # The batcher may send an append twice when a reply is lost. With an id the script recognises the
        # second one.
        key = request or RequestKey(f"{GENERATED_PREFIX.decode()}{uuid.uuid4().hex}", b"")
        keys = [game_key(game, part) for part in APPEND_KEYS]
        optional = (*optional_argument(after), *optional_argument(summary), *optional_argument(seed))
        with tracing.child_span("store.append", events=len(events)):
            outcome: list[bytes | int] = await self._writes.ask(
                "EVALSHA", APPEND_SHA, len(keys), *keys, expected, key.id, key.fingerprint,
                game_key(game, "news"), *optional, *events
            )  # fmt: skip
        appended = append_answer(game, key, expected, outcome)
        self._note_replicated(game, appended.last)
        return appended

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        known = await self._recorded_request(game_key(game, "requests"), request.id)
        if known is None:
            return None
        first, last, fingerprint = known.split(b" ", 2)
        if fingerprint != request.fingerprint:
            raise RequestReused(request.id)
        return Appended(int(first), int(last), repeated=True)

    async def _recorded_request(self, requests: str, request_id: str) -> Any:
        if self._replicated is None:
            return await self._reads.ask("HGET", requests, request_id)
        # The first attempt may not have reached the replicas yet, and must not be answered as done before it
        # has. The connections for reads and writes may lead to different servers during a failover, so a
        # script does both.
        return await self._writes.ask("EVAL", CONFIRM_REQUEST, 1, requests, request_id)

    async def version(self, game: str) -> int:
        newest = await self.newest(game)
        return newest.version if newest else 0

    async def newest(self, game: str) -> StoredEvent | None:
        entries = await self._reads.ask("XREVRANGE", game_key(game, "events"), "+", "-", "COUNT", 1)
        found = await self._confirm_replicated(game, [stored_event(*entry) for entry in entries])
        return found[-1] if found else None

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        end = "+" if upto is None else f"{upto}-0"
        entries = await self._reads.ask("XRANGE", game_key(game, "events"), f"{after + 1}-0", end)
        return await self._confirm_replicated(game, [stored_event(*entry) for entry in entries])

    async def _confirm_replicated(self, game: str, events: Sequence[StoredEvent]) -> Sequence[StoredEvent]:
        """Returns the events once the required replicas have them.

        An event that only the primary has can be lost in a failover, and another event can get its version.
        It must not be shown to anyone before it is safe. The versions that are known to be safe are cached,
        so only the first read of a new event costs a write.
        """
        if not events or self._is_replicated(game, events[-1].version):
            return events
        newest, keys = events[-1], [game_key(game, part) for part in ("events", "summary")]
        try:
            found = await self._writes.ask(
                "EVALSHA", CONFIRM_EVENT_SHA, len(keys), *keys, f"{newest.version}-0"
            )
        except StoreUnavailable as error:
            raise as_read_error(error) from error
        # If the event differs, the write went to another server than the read and confirms nothing.
        if [newest] != [stored_event(entry_id, dict([fields])) for entry_id, fields in found]:
            raise StoreUnavailable("the primary of the event store has changed, try again")
        self._note_replicated(game, newest.version)
        return events

    def _is_replicated(self, game: str, version: int) -> bool:
        """Whether the required replicas are known to have that event."""
        return self._replicated is None or version <= (self._replicated.get(game) or 0)

    def _note_replicated(self, game: str, version: int) -> None:
        if self._replicated is not None and not self._is_replicated(game, version):
            self._replicated.put(game, version)

    async def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None, known: KnownVersion | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        """Raises StoreUnavailable only until the first read has succeeded; later failures are retried."""
        with self._pubsub.watch(game, game_key(game, "news"), read) as watch:
            async for events in followed_events(watch, after, known):
                yield events

    async def seed(self, game: str) -> bytes | None:
        value: bytes | None = await self._reads.ask("GET", game_key(game, "seed"))
        return value

    async def snapshot(self, game: str) -> Snapshot | None:
        value = await self._reads.ask("GET", game_key(game, "snapshot"))
        if value is None:
            return None
        version, payload = value.split(b" ", 1)
        return Snapshot(int(version), payload)

    async def save_snapshot(self, game: str, snapshot: Snapshot) -> None:
        # On the connection for reads: a snapshot is a cache, so it need not wait for replicas.
        await self._reads.ask(
            "SET", game_key(game, "snapshot"), b"%d %b" % (snapshot.version, snapshot.payload)
        )

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        found: list[bytes | None] = await asyncio.gather(
            *(self._reads.ask("GET", game_key(game, "summary")) for game in games)
        )
        return found

    async def games(self) -> AsyncIterator[str]:
        try:
            async for found in self._reader.scan_iter(match=game_key("*", "events"), count=1000):
                yield found.decode().partition("{")[2].partition("}")[0]
        except Exception as error:
            raise as_store_error(error) from error

    async def whole_game(self, game: str) -> WholeGame | None:
        entries, requests, seed, summary = await asyncio.gather(
            self.read(game),
            self._reads.ask("HGETALL", game_key(game, "requests")),
            self.seed(game),
            self._reads.ask("GET", game_key(game, "summary")),
        )
        answered = [
            parse_request_entry(*each)
            for each in requests.items()
            if not each[0].startswith(GENERATED_PREFIX)
        ]
        events = [entry.payload for entry in entries]
        return WholeGame(game, events, seed, summary, answered) if events else None

    async def remove_game(self, game: str, version: int) -> bool:
        keys = [game_key(game, part) for part in (*APPEND_KEYS, "snapshot", *TALK_KEYS)]
        return bool(await self._writes.ask("EVAL", REMOVE_GAME, len(keys), *keys, version))

    async def count_up(self, name: str, seconds: int) -> int:
        # SET NX with the expiry first: after an INCR on a missing key a crash could leave a counter that
        # never expires.
        counter = f"shedu:count:{name}"
        _, counted = await asyncio.gather(
            self._writes.ask("SET", counter, 0, "NX", "EX", seconds), self._writes.ask("INCR", counter)
        )
        return int(counted)

    async def register(self, registry: str, name: str, value: bytes) -> bool:
        # HSETNX may be repeated after a lost reply and then answers 0. Whether the value is ours is read back
        # instead.
        await self._writes.ask("HSETNX", registry_key(registry, name), name, value)
        found: bytes | None = await self._writes.ask("HGET", registry_key(registry, name), name)
        return found == value

    async def unregister(self, registry: str, name: str) -> None:
        keys = {registry_key(registry, name), registry_key(registry)}
        await asyncio.gather(*(self._writes.ask("HDEL", key, name) for key in keys))

    async def registered(self, registry: str, name: str) -> bytes | None:
        keys = dict.fromkeys([registry_key(registry, name), registry_key(registry)])
        found = await asyncio.gather(*(self._reads.ask("HGET", key, name) for key in keys))
        return next((value for value in found if value is not None), None)

    async def all_registered(self, registry: str) -> Mapping[str, bytes]:
        parts = await asyncio.gather(*(self._reads.ask("HGETALL", key) for key in registry_keys(registry)))
        return {name.decode(): value for found in parts for name, value in found.items()}

    async def time(self) -> int:
        # In a script with a key, so that on a cluster all processes ask the same node.
        seconds, micros = await self._reads.ask("EVAL", "return redis.call('TIME')", 1, PING)
        return int(seconds) * 1_000_000 + int(micros)

    async def secret(self, name: str, fresh: bytes) -> bytes:
        await self._writes.ask("SET", f"shedu:secret:{name}", fresh, "NX")
        value: bytes = await self._writes.ask("GET", f"shedu:secret:{name}")
        return value

    async def ping(self) -> None:
        await self._reads.ask("GET", PING)

    async def durability(self) -> Durability:
        """Inspects the server. Raises EvictingServer if it may drop games."""
        return await inspect_server(self._address, self._timeout)

    def _change_primary(self) -> None:
        """Drops all connections to the former primary."""
        self._writes.reconnect()
        self._reads.reconnect()
        self._pubsub.reconnect()
        self.primary_changed.set()

    async def close(self) -> None:
        await asyncio.gather(self._primary_tracker.close(), self._pubsub.close())
        await asyncio.gather(self._writes.close(), self._reads.close())
        await asyncio.gather(close_client(self._writer), close_client(self._reader))

    async def _after(self, game: str, after: int) -> Sequence[StoredEvent]:
        return await self.read(game, after=after)


def connect(
    url: str, *, replicas: int = 0, timeout: float = REDIS_SECONDS, poll: float = NEWS_POLL_SECONDS
) -> RedisEventStore:
    """Returns the store at a URL without connecting to it. Raises InvalidUrl.

    With `replicas`, a write succeeds only when that many replicas have it.
    """
    return RedisEventStore(parse_redis_url(url), replicas=replicas, timeout=timeout, poll=poll)


def append_answer(game: str, request: RequestKey, expected: int, outcome: Sequence[bytes | int]) -> Appended:
    """Translates the answer of append.lua. Raises StaleVersion or RequestReused."""
    match outcome:
        case [b"stale", int(actual)]:
            raise StaleVersion(game, expected, actual)
        case [b"reused"]:
            raise RequestReused(request.id)
        case [kind, int(first), int(last)]:
            return Appended(first, last, repeated=kind == b"repeated")
    raise AssertionError(f"append.lua answered {outcome!r}")


def parse_request_entry(name: bytes, known: bytes) -> AnsweredRequest:
    first, last, fingerprint = known.split(b" ", 2)
    return AnsweredRequest(RequestKey(name.decode(), fingerprint), int(first), int(last))


def optional_argument(value: bytes | None) -> tuple[int, bytes]:
    return (0, b"") if value is None else (1, value)


def stored_event(entry_id: bytes, fields: dict[bytes, bytes]) -> StoredEvent:
    return StoredEvent(int(entry_id.partition(b"-")[0]), fields[b"p"])
