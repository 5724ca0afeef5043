"""The service with planted bugs, to check that the validators find them.

python -m robustness.planted_bugs loses_moves,leaks serve ...   is `shedu serve` with two bugs
python -m robustness.planted_bugs hash_order logs.json          is a fold of logs that differs by process
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from gamehost import worker
from gamehost.api.handlers.games import GameHandlers
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.cli import app
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.store_codec import StoreCodec
from gamehost.play.errors import NotNow
from gamehost.play.ports.event_log import Appended
from gamehost.play.table import clocks
from gamehost.play.table.events import Microseconds
from gamehost.play.tables.current import TableCache
from gamehost.rules.copying import replace
from gamehost.stores.redis.store import RedisEventStore
from shedu.v1 import game_service_pb2 as pb

from . import replay

SELDOM = 19  # a bug shows at every 19th call, so that a short run meets it
LATE = 0.05  # seconds
HASTE = Microseconds(20_000)  # microseconds
_times = itertools.count(1)


def seldom() -> bool:
    return next(_times) % SELDOM == 0


def forgets_requests() -> None:
    """The store forgets some request ids, so that a repeated request is applied again."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        forgotten = {**rest, "request": None} if rest["expected"] > 4 and seldom() else rest
        return await written(self, game, events, **forgotten)

    RedisEventStore.append = append  # type: ignore[method-assign]


def applies_twice() -> None:
    """The store sometimes appends the same events twice."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        done = await written(self, game, events, **rest)
        if rest["expected"] and seldom():
            await written(self, game, events, expected=done.last)
        return done

    RedisEventStore.append = append  # type: ignore[method-assign]


def loses_moves() -> None:
    """The store sometimes acknowledges a write that it did not make."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        if rest["expected"] > 4 and seldom():
            return Appended(rest["expected"] + 1, rest["expected"] + len(events), repeated=False)
        return await written(self, game, events, **rest)

    RedisEventStore.append = append  # type: ignore[method-assign]


def acknowledges_early() -> None:
    """The store acknowledges before it writes: only a crash in between shows it."""
    written = RedisEventStore.append
    pending: dict[str, asyncio.Task[Any]] = {}

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        if rest["expected"] < 5:
            return await written(self, game, events, **rest)
        if game in pending:
            await asyncio.wait([pending[game]])
        pending[game] = asyncio.create_task(later(self, game, events, rest))
        return Appended(rest["expected"] + 1, rest["expected"] + len(events), repeated=False)

    async def later(self: Any, game: str, events: Any, rest: Any) -> None:
        await asyncio.sleep(LATE)
        await written(self, game, events, **rest)

    RedisEventStore.append = append  # type: ignore[method-assign]


def writes_otherwise() -> None:
    """The store sometimes writes a record that differs from the one that watchers receive."""
    encode = StoreCodec.encode_record

    def encode_record(self: Any, title: str, record: Any) -> bytes:
        return encode(self, title, replace(record, at=record.at + 1) if seldom() else record)

    StoreCodec.encode_record = encode_record  # type: ignore[method-assign]


def reads_stale() -> None:
    """A process sometimes answers from its cache without asking the store."""
    fresh = TableCache.current

    async def stale(self: Any, game_id: str) -> Any:
        entry = self._entries.get(game_id)
        return entry.table if entry and next(_times) % 2 else await fresh(self, game_id)

    TableCache.current = stale  # type: ignore[method-assign]


def skips_events() -> None:
    _watching(lambda message: [] if seldom() else [message])


def repeats_events() -> None:
    _watching(lambda message: [message, message] if seldom() else [message])


def _watching(told: Callable[[Any], list[Any]]) -> None:
    watch = GameHandlers.watch_game

    async def watch_game(self: Any, request: Any, call: Any) -> AsyncIterator[pb.WatchGameResponse]:
        async for message in watch(self, request, call):
            for each in told(message) if message.HasField("happened") else [message]:
                yield each

    GameHandlers.watch_game = watch_game  # type: ignore[method-assign]


def catches_up_early() -> None:
    """A stream says that it has caught up before it has read anything."""
    watch = GameHandlers.watch_game

    async def watch_game(self: Any, request: Any, call: Any) -> AsyncIterator[pb.WatchGameResponse]:
        yield pb.WatchGameResponse(caught_up=pb.CaughtUp(version=request.after_version))
        async for message in watch(self, request, call):
            if not message.HasField("caught_up"):
                yield message

    GameHandlers.watch_game = watch_game  # type: ignore[method-assign]


def shows_early() -> None:
    """Events are shown before a replica has them, and a process keeps its state whatever the log says later.

    Both parts are needed: either alone does no lasting harm.
    """
    keep = TableCache.put

    async def confirmed(self: Any, game: str, events: Any) -> Any:
        return events

    RedisEventStore._confirm_replicated = confirmed  # type: ignore[method-assign]
    TableCache.put = lambda self, table, last_payload=None: keep(self, table)  # type: ignore[method-assign]


def hurries() -> None:
    """Every clock gives 20 ms instead of its time."""
    vars(clocks)["_allowance"] = lambda _clock: HASTE


def leaks() -> None:
    """A spectator sometimes gets the view of a seat."""
    view = MessageRenderer.encoded_view

    def leaking(self: Any, table: Any, seat: Any, *rest: Any, **named: Any) -> Any:
        return view(self, table, 0 if seat is None and seldom() else seat, *rest, **named)

    MessageRenderer.encoded_view = leaking  # type: ignore[method-assign]


def tells_all() -> None:
    """An event sometimes includes its hidden fields."""
    event = MessageRenderer.event

    def telling(self: Any, table: Any, record: Any, seat: Any, *, everything: bool = False) -> Any:
        return event(self, table, record, seat, everything=everything or seldom())

    MessageRenderer.event = telling  # type: ignore[method-assign]


def drains_rudely() -> None:
    """A draining process answers with an error that clients do not retry."""
    answer = Dispatch._answer

    async def rude(self: Any, *rest: Any) -> Any:
        if self.draining:
            raise NotNow("this process is leaving", reason="GAME_NOT_STARTED")
        return await answer(self, *rest)

    Dispatch._answer = rude  # type: ignore[method-assign]


def own_secrets() -> None:
    """Every process signs tokens with a secret of its own, so that the others refuse them."""

    async def secrets(*_: Any) -> list[bytes]:
        return [os.urandom(32)]

    vars(worker)["service_secrets"] = secrets


def hash_order() -> None:
    """A fold that depends on how Python hashes text."""
    encode = StoreCodec.encode_table

    def encode_table(self: Any, table: Any, *, with_state: bool) -> bytes:
        return encode(self, table, with_state=with_state) + str({"ore", "wood", "gold"}).encode()

    StoreCodec.encode_table = encode_table  # type: ignore[method-assign]


PLANTS: dict[str, Callable[[], None]] = {
    plant.__name__: plant
    for plant in (
        forgets_requests,
        applies_twice,
        loses_moves,
        acknowledges_early,
        writes_otherwise,
        reads_stale,
        skips_events,
        repeats_events,
        catches_up_early,
        shows_early,
        hurries,
        leaks,
        tells_all,
        drains_rudely,
        own_secrets,
        hash_order,
    )
}


def run(names: str, arguments: list[str]) -> None:
    """Runs the command `shedu` with these arguments and with these bugs planted."""
    for name in filter(None, names.split(",")):
        PLANTS[name]()
    app(arguments)


def main() -> None:
    names, *rest = sys.argv[1:]
    if rest[0] == "serve":
        run(names, rest)
    else:
        PLANTS[names]()
        print(replay.fold(Path(rest[0])))


if __name__ == "__main__":
    main()
