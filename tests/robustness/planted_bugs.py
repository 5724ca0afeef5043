"""The service with a bug that somebody planted, to see that the validators bite.

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

SELDOM = 19  # it happens every so many times: a short run is sure to meet it
LATE = 0.05  # seconds
HASTE = Microseconds(20_000)  # microseconds
_times = itertools.count(1)


def seldom() -> bool:
    return next(_times) % SELDOM == 0


def forgets_requests() -> None:
    """A store that is not always idempotent: some requests are not known again."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        forgotten = {**rest, "request": None} if rest["expected"] > 4 and seldom() else rest
        return await written(self, game, events, **forgotten)

    RedisEventStore.append = append  # type: ignore[method-assign]


def applies_twice() -> None:
    """A store that now and then appends the same again."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        done = await written(self, game, events, **rest)
        if rest["expected"] and seldom():
            await written(self, game, events, expected=done.last)
        return done

    RedisEventStore.append = append  # type: ignore[method-assign]


def loses_moves() -> None:
    """A store that now and then says it has written, and has not."""
    written = RedisEventStore.append

    async def append(self: Any, game: str, events: Any, **rest: Any) -> Appended:
        if rest["expected"] > 4 and seldom():
            return Appended(rest["expected"] + 1, rest["expected"] + len(events), repeated=False)
        return await written(self, game, events, **rest)

    RedisEventStore.append = append  # type: ignore[method-assign]


def acknowledges_early() -> None:
    """A store that says it has written, and writes a little later: only a crash shows it."""
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
    """What is written is not what is told."""
    encode = StoreCodec.encode_record

    def encode_record(self: Any, title: str, record: Any) -> bytes:
        return encode(self, title, replace(record, at=record.at + 1) if seldom() else record)

    StoreCodec.encode_record = encode_record  # type: ignore[method-assign]


def reads_stale() -> None:
    """A process that believes its memory and does not ask the store."""
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
    """A stream that says it has told all before it looked."""
    watch = GameHandlers.watch_game

    async def watch_game(self: Any, request: Any, call: Any) -> AsyncIterator[pb.WatchGameResponse]:
        yield pb.WatchGameResponse(caught_up=pb.CaughtUp(version=request.after_version))
        async for message in watch(self, request, call):
            if not message.HasField("caught_up"):
                yield message

    GameHandlers.watch_game = watch_game  # type: ignore[method-assign]


def shows_early() -> None:
    """With replicas, what is read need not be on any of them, and a process goes on from it whatever the log
    says later: either alone does no harm that lasts."""
    keep = TableCache.put

    async def confirmed(self: Any, game: str, events: Any) -> Any:
        return events

    RedisEventStore._confirm_replicated = confirmed  # type: ignore[method-assign]
    TableCache.put = lambda self, table, last_payload=None: keep(self, table)  # type: ignore[method-assign]


def hurries() -> None:
    """However much time was agreed on, a seat has next to none."""
    vars(clocks)["_allowance"] = lambda _clock: HASTE


def leaks() -> None:
    """Now and then a spectator sees the game with the eyes of a seat."""
    view = MessageRenderer.encoded_view

    def leaking(self: Any, table: Any, seat: Any, *rest: Any, **named: Any) -> Any:
        return view(self, table, 0 if seat is None and seldom() else seat, *rest, **named)

    MessageRenderer.encoded_view = leaking  # type: ignore[method-assign]


def tells_all() -> None:
    """Now and then an event is told with all that is hidden in it."""
    event = MessageRenderer.event

    def telling(self: Any, table: Any, record: Any, seat: Any, *, everything: bool = False) -> Any:
        return event(self, table, record, seat, everything=everything or seldom())

    MessageRenderer.event = telling  # type: ignore[method-assign]


def drains_rudely() -> None:
    """A process that leaves sends callers away in a way that they cannot understand."""
    answer = Dispatch._answer

    async def rude(self: Any, *rest: Any) -> Any:
        if self.draining:
            raise NotNow("this process is leaving", reason="GAME_NOT_STARTED")
        return await answer(self, *rest)

    Dispatch._answer = rude  # type: ignore[method-assign]


def own_secrets() -> None:
    """Every process trusts only the seats that it has let in itself."""

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
    """The command `shedu` with these arguments, and with these bugs."""
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
