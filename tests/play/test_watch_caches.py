"""Tests of the memory of streams: unread changes are kept, everything else is cached within a bound."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import tracemalloc
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from gamehost.api.handlers import watch_messages
from gamehost.api.handlers.message_size import ENTRY_SIZE
from gamehost.api.transports import event_stream as event_stream
from gamehost.play.caching import LruCache
from gamehost.play.table.events import MoveUndone
from gamehost.play.table.table import EventRecord, fold, grouped_by_cause, open_table
from gamehost.play.table.undo_window import MOST_CHECKPOINTS
from gamehost.play.tables import current as table_cache
from gamehost.play.tables import delayed, past_versions
from gamehost.play.tables.memory_size import table_size
from gamehost.play.watching import replay_cache
from gamehost.play.watching import stream as watching_stream
from gamehost.play.watching.items import EventsHappened
from gamehost.play.watching.replay_cache import GameReplay, ReplayCache
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from rules.facts import FACTS
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.budget import budget
from support.metrics import RecordedMetrics
from support.service import Service, tables_from_logs
from support.started_game import StartedGame
from support.waiting import until

LONG = [title for title in CATALOG if not FACTS[title].short]
EACH = pytest.mark.parametrize("title", LONG[: budget(1, len(LONG))])
ROUGHLY = 1.1  # sizes are estimates


class Audience:
    """Watchers that read all messages."""

    def __init__(self, service: Service, game_id: str, tokens: Iterable[str | None]) -> None:
        self.heard = dict.fromkeys(tokens, 0)
        self.tasks = [asyncio.create_task(self._watch(service, game_id, token)) for token in self.heard]

    async def _watch(self, service: Service, game_id: str, token: str | None) -> None:
        async for message in service.watch(token, game_id=game_id):
            self.heard[token] = max(self.heard[token], version(message))

    async def know(self, reached: int) -> None:
        await until(lambda: set(self.heard.values()) == {reached})

    async def go(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def version(message: pb.WatchGameResponse) -> int:
    if message.HasField("happened"):
        return message.happened.view.version
    return message.snapshot.version


@contextlib.asynccontextmanager
async def audience(service: Service, game_id: str, *tokens: str | None) -> AsyncIterator[Audience]:
    watchers = Audience(service, game_id, tokens)
    try:
        yield watchers
    finally:
        await watchers.go()


async def head(service: Service, game_id: str) -> int:
    return (await service.application.tables.current(game_id)).version


@contextlib.contextmanager
def allocating() -> Iterator[Callable[[], int]]:
    """Yields a function that returns the bytes allocated since then and still in use."""
    gc.collect()
    tracemalloc.start()
    try:
        yield in_use
    finally:
        tracemalloc.stop()


def in_use() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


class Noticed(EventsHappened):
    """An EventsHappened with weak references, so that a test sees when it is freed."""

    __slots__ = ("__weakref__",)


async def test_what_every_watcher_has_been_told_is_not_kept(monkeypatch):
    service, told = Service(), list[weakref.ref[Noticed]]()

    def noticed(*fields: Any) -> Noticed:
        moment = Noticed(*fields)
        told.append(weakref.ref(moment))
        return moment

    game_id, tokens = await service.table("Ann", "Bob")
    monkeypatch.setattr(watching_stream, "EventsHappened", noticed)
    async with audience(service, game_id, None, *tokens) as watchers:
        await watchers.know(await head(service, game_id))
        for token in tokens * 10:
            await service.move(game_id, token)
            await watchers.know(await head(service, game_id))

        await until(lambda: service.meter.unread_changes == 0)
        assert 20 == len(told)
        await until(lambda: sum(moment() is not None for moment in told) <= 1)
        assert 0 == service.meter.most_bytes["histories"]


async def test_what_a_watcher_has_yet_to_be_told_waits_for_it_and_then_goes():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    async with (
        audience(service, game_id, None) as others,
        contextlib.aclosing(service.watch(game_id=game_id)) as slow,
    ):
        while not (await anext(slow)).HasField("caught_up"):
            pass
        for token in tokens * 3:
            await service.move(game_id, token)
        await others.know(await head(service, game_id))
        left = []
        for _ in range(7):
            left.append(service.meter.unread_changes)
            await anext(slow)

    assert [6, 6, 5, 4, 3, 2, 1] == left
    assert (0, 0) == (service.meter.unread_changes, service.meter.watched_games)


async def test_nothing_is_kept_for_a_watcher_that_left():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    async with audience(service, game_id, None) as others:
        async with contextlib.aclosing(service.watch(game_id=game_id)) as slow:
            await anext(slow)
            for token in tokens * 3:
                await service.move(game_id, token)
            await others.know(await head(service, game_id))
            assert 6 == service.meter.unread_changes

        assert (0, 1) == (service.meter.unread_changes, service.meter.watched_games)


async def test_nothing_is_kept_for_a_watcher_that_is_too_far_behind(monkeypatch):
    monkeypatch.setattr(watching_stream, "BACKLOG", 3)
    service, kept = Service(), list[int]()
    game_id, tokens = await service.table("Ann", "Bob")
    async with (
        audience(service, game_id, None) as others,
        contextlib.aclosing(service.watch(game_id=game_id)) as slow,
    ):
        await anext(slow)
        await anext(slow)
        for token in tokens * 2:
            await service.move(game_id, token)
            await others.know(await head(service, game_id))
            kept.append(service.meter.unread_changes)

        last = await anext(slow)

    assert [1, 2, 3, 0] == kept
    assert pb.GoAwayReason.GO_AWAY_REASON_SLOW == last.go_away.reason


def test_what_was_used_lately_stays_within_its_room():
    held: list[int] = []
    known = LruCache[int, bytes](100, len, held.append)
    coin = random.Random(3)

    for _ in range(500):
        key = coin.randrange(20)
        known.put(key, bytes(coin.randrange(40)))
        if coin.random() < 0.1:
            known.discard(coin.randrange(20))

        assert known.size == held[-1] == sum(len(known.get(each) or b"") for each in known) <= 100
    left = set(known) - {1}
    known.put(1, bytes(101))
    assert left == set(known)
    assert known.size == held[-1]


async def test_what_was_told_lately_stays_within_its_room_and_is_told_right(monkeypatch):
    """With a small cache, evicted messages are folded and encoded again."""
    rooms = {
        (replay_cache, "SNAPSHOT_CAPACITY", "beginnings"): 50_000,
        (replay_cache, "CREATION_CAPACITY", "births"): 50_000,
        (replay_cache, "REPLAY_CAPACITY", "histories"): 360_000,
        (past_versions, "PAST_TABLES_BYTES", "earlier_tables"): 60_000,
        (delayed, "DELAYED_TABLES_BYTES", "delayed_tables"): 60_000,
        (watch_messages, "MESSAGE_CACHE_BYTES", "messages"): 30_000,
        (watch_messages, "SERIALIZED_CACHE_BYTES", "written_messages"): 30_000,
    }
    for (module, name, _), room in rooms.items():
        monkeypatch.setattr(module, name, room)
    tight = Service()
    for _ in range(4):
        game_id, tokens = await tight.table("Ann", "Bob", spectators=game_pb2.Spectators(delay=2))
        await tight.call("GetView", game_id=game_id)
    for token in tokens * 10:
        await tight.move(game_id, token)
    monkeypatch.undo()
    roomy = Service(tight.store)

    for after in (0, *range(1, await head(tight, game_id) - 10, 4), 3):
        for token in (None, *tokens):
            told = [await past(service, game_id, token, after) for service in (tight, roomy)]
            assert told[0] == told[1]

    bounds = {cache: room for (_, _, cache), room in rooms.items()}
    assert bounds.keys() == tight.meter.most_bytes.keys() == roomy.meter.most_bytes.keys()
    for cache, bound in bounds.items():
        assert 0 < tight.meter.most_bytes[cache] <= bound, cache
    too_little = {cache for cache, bound in bounds.items() if roomy.meter.most_bytes[cache] > bound}
    assert {"beginnings", "earlier_tables", "messages", "written_messages"} <= too_little


async def past(service: Service, game_id: str, token: str | None, after: int) -> list[pb.WatchGameResponse]:
    return await service.read_stream("WatchGame", token, game_id=game_id, after_version=after)


def test_what_was_framed_lately_stays_within_its_room(monkeypatch):
    monkeypatch.setattr(event_stream, "FRAME_CACHE_BYTES", 5_000)
    written, held = list[pb.WatchGameResponse](), list[int]()

    def write(message: pb.WatchGameResponse) -> bytes:
        written.append(message)
        return bytes(500)

    frame = event_stream.memoized(write, held.append)
    crowd = [pb.WatchGameResponse(caught_up=pb.CaughtUp(version=number + 1)) for number in range(20)]
    fit = 5_000 // (ENTRY_SIZE + 2 * 500)
    for message in crowd:
        frame(message)

    assert fit * (ENTRY_SIZE + 2 * 500) == max(held) <= 5_000
    for message in reversed(crowd[-fit:]):
        frame(message)
    assert 20 == len(written)
    frame(crowd[-fit - 1])
    assert 21 == len(written)


@EACH
async def test_a_table_takes_no_more_memory_than_it_is_said_to_weigh(title):
    game = await wandered(title, moves=24)

    taken, table = await memory_of(lambda: tables_from_logs(game.service).current(game.game_id))

    assert MOST_CHECKPOINTS == len(table.checkpoints)
    assert taken <= ROUGHLY * table_size(table)


@EACH
async def test_nor_does_one_that_goes_back_further(title):
    """After an undo far back a table is folded from the first event."""
    game = await wandered(title, moves=MOST_CHECKPOINTS + 2)
    long_ago = (await game.view(0)).version
    await game.play()
    for _ in range(MOST_CHECKPOINTS):
        proposal = (await game.call("ProposeAbandon", 0)).view.proposal
        await game.call("AnswerProposal", 1, proposal_id=proposal.proposal_id, accept=False)
    await game.agree("ProposeUndo", 0, to_version=long_ago)

    taken, table = await memory_of(lambda: tables_from_logs(game.service).current(game.game_id))

    assert MOST_CHECKPOINTS < len(table.checkpoints)
    assert taken <= ROUGHLY * table_size(table)


async def memory_of(make: Callable[[], Awaitable[Any]]) -> tuple[int, Any]:
    """Returns the average bytes allocated to make something and keep it, and one of the results."""
    await make()  # computes what is cached once for all of a kind
    times = 4
    with allocating() as allocated:
        made = [await make() for _ in range(times)]
        return allocated() // times, made[0]


@EACH
async def test_a_history_takes_no_more_memory_than_it_is_said_to_weigh_and_far_less_than_its_tables(title):
    game = await wandered(title, moves=27)
    known, meter = game.service.application.tables, RecordedMetrics()
    [first] = await known.records(game.game_id, after=0, upto=1)
    batches = [*grouped_by_cause(await known.records(game.game_id, after=1))]
    retold = ReplayCache(meter)

    with allocating() as allocated:
        table = open_table(game.game_id, CATALOG[title], first)
        for batch in grouped_by_cause(await known.records(game.game_id, after=1)):
            before, table = table, fold(table, batch, most_checkpoints=MOST_CHECKPOINTS)
            retold.put(before, EventsHappened(tuple(batch), table))
        weight = table_size(table)
        del before, table, batch
        taken = allocated()

    assert taken <= ROUGHLY * meter.recent_bytes["histories"]
    assert meter.recent_bytes["histories"] < len(batches) * weight / 4


async def test_a_table_that_shares_nothing_weighs_what_it_holds():
    game = await wandered("tides", moves=5)
    table = await game.table()
    tale, undo = GameReplay(), EventRecord(table.version + 1, 0, Seat(0), False, MoveUndone(Seat(0), 9))
    anew = await tables_from_logs(game.service).current(game.game_id)

    tale.add(table, EventsHappened((undo,), anew))

    assert table_size(table) + table_size(anew) <= tale.size


async def test_a_tale_that_grows_too_long_begins_anew_and_leaves_the_others_alone(monkeypatch):
    monkeypatch.setattr(replay_cache, "REPLAY_CAPACITY", 400_000)
    service, meter = Service(), RecordedMetrics()
    table_cache = [
        await service.application.tables.current((await service.table("Ann", "Bob"))[0]) for _ in range(2)
    ]
    retold = ReplayCache(meter)
    retold.put(table_cache[0], EventsHappened((), table_cache[0]))
    for _ in range(100):
        retold.put(before := replace(table_cache[1]), EventsHappened((), before))

    assert retold.find(table_cache[0], ())
    assert retold.find(before, ())
    assert meter.most_bytes["histories"] <= 400_000


async def test_a_game_is_told_again_without_being_folded_again(monkeypatch):
    service, folded = Service(), list[int]()
    game_id, tokens = await service.table("Ann", "Bob")
    for token in tokens * 5:
        await service.move(game_id, token)
    count_folds(monkeypatch, folded)
    first = await past(service, game_id, None, 1)
    once = len(folded)

    again = await past(service, game_id, None, 1)

    assert first == again
    assert 0 < once == len(folded)


def count_folds(monkeypatch: pytest.MonkeyPatch, folded: list[int]) -> None:
    """Appends the number of records of each fold to `folded`."""
    honest = table_cache.fold

    def counting(table: Any, records: Any, *how: Any, **more: Any) -> Any:
        folded.append(len(records))
        return honest(table, records, *how, **more)

    monkeypatch.setattr(table_cache, "fold", counting)


async def wandered(title: str, moves: int) -> StartedGame:
    """Returns a game after so many random moves."""
    game = await StartedGame.open(title, seat_count=2)
    await game.play(moves)
    return game
