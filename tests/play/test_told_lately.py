"""Telling costs memory for what somebody has yet to be told, and a room in bytes for what was told lately."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import gc
import random
import sys
import types
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from gamehost.api import moments, stream
from gamehost.api.weight import ENTRY, weigh
from gamehost.play import earlier, late_tables, retelling, watching
from gamehost.play.happenings import MoveUndone
from gamehost.play.lately import Lately
from gamehost.play.moments import Happened
from gamehost.play.retelling import Retelling, Tale
from gamehost.play.table import Record, Table
from gamehost.play.watching import Feed
from gamehost.play.weight import weigh_table
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.world import Service

PASSED_OVER = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
    enum.Enum,
)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.001)


class Audience:
    """Watchers that read whatever they are sent."""

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
    return (await service.house.tables.fresh(game_id)).version


def feed_of(service: Service, game_id: str) -> Feed:
    return service.house.watching._feeds[game_id, 0]


def alive(kind: type[Any], belongs: Callable[[Any], bool]) -> int:
    """How many such objects there are in this process."""
    gc.collect()
    return sum(1 for each in gc.get_objects() if type(each) is kind and belongs(each))


async def test_what_every_watcher_has_been_told_is_not_kept():
    service = Service(luck="a game whose id no other test has")
    game_id, tokens = await service.table("Ann", "Bob")
    async with audience(service, game_id, None, *tokens) as watchers:
        await watchers.know(await head(service, game_id))
        for token in tokens * 10:
            await service.move(game_id, token)
            await watchers.know(await head(service, game_id))

        await until(lambda: not feed_of(service, game_id).recent)
        assert 1 >= alive(Happened, lambda moment: moment.table.game_id == game_id)
        # The newest as the process and as the feed have folded it, and what the watchers began with.
        assert 3 >= alive(Table, lambda table: table.game_id == game_id)


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
            left.append(len(feed_of(service, game_id).recent))
            await anext(slow)

    assert [6, 6, 5, 4, 3, 2, 1] == left
    assert {} == service.house.watching._feeds


async def test_nothing_is_kept_for_a_watcher_that_left():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    async with audience(service, game_id, None) as others:
        async with contextlib.aclosing(service.watch(game_id=game_id)) as slow:
            await anext(slow)
            for token in tokens * 3:
                await service.move(game_id, token)
            await others.know(await head(service, game_id))
            assert 6 == len(feed_of(service, game_id).recent)

        assert not feed_of(service, game_id).recent


async def test_nothing_is_kept_for_a_watcher_that_is_too_far_behind(monkeypatch):
    monkeypatch.setattr(watching, "BACKLOG", 3)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    async with contextlib.aclosing(service.watch(game_id=game_id)) as slow:
        await anext(slow)
        await anext(slow)
        for token in tokens * 2:
            await service.move(game_id, token)
        reached = await head(service, game_id)
        await until(lambda: feed_of(service, game_id).table.version == reached)

        assert not feed_of(service, game_id).recent
        last = await anext(slow)

    assert pb.GoAwayReason.GO_AWAY_REASON_SLOW == last.go_away.reason


def test_what_was_used_lately_stays_within_its_room():
    known = Lately[int, bytes](100, len)
    coin = random.Random(3)

    for _ in range(500):
        key = coin.randrange(20)
        known.keep(key, bytes(coin.randrange(40)))
        if coin.random() < 0.1:
            known.forget(coin.randrange(20))

        assert known.weight == sum(map(len, kept(known))) <= 100
    left = set(known) - {1}
    known.keep(1, bytes(101))
    assert left == set(known)


async def test_what_was_told_lately_stays_within_its_room_and_is_told_right(monkeypatch):
    """However little room there is: what has gone is folded and written again."""
    rooms = {"BEGINNINGS": 50_000, "BIRTHS": 50_000, "HAPPENINGS": 360_000}
    for name, room in rooms.items():
        monkeypatch.setattr(retelling, name, room)
    for module in (earlier, late_tables):
        monkeypatch.setattr(module, "REMEMBERED", 60_000)
    for name in ("FRESH", "WRITTEN"):
        monkeypatch.setattr(moments, name, 30_000)
    tight = Service()
    for _ in range(4):
        game_id, tokens = await tight.table("Ann", "Bob", spectators=game_pb2.Spectators(delay=2))
        await tight.call("GetView", game_id=game_id)
    for token in tokens * 10:
        await tight.move(game_id, token)
    roomy = Service(tight.store)
    monkeypatch.undo()

    for after in (*range(1, await head(tight, game_id) - 10, 4), 3):
        for token in (None, *tokens):
            told = [await past(service, game_id, token, after) for service in (tight, roomy)]
            assert told[0] == told[1]

    showing = tight.dispatch._handlers[tight.methods["WatchGame"].path].__self__._showing
    retold = tight.house.watching._retelling
    assert 0 < sum(weigh_table(began.table) for began in kept(retold._beginnings)) <= rooms["BEGINNINGS"]
    assert 0 < held(*steps(retold)) <= retold._tales.weight <= rooms["HAPPENINGS"]
    assert 0 < sum(map(weigh, kept(showing._fresh))) <= 30_000
    assert 0 < sum(map(len, kept(showing._written))) <= 30_000
    for known in (tight.house.tables._earlier._known, tight.house.watching._late._known):
        assert 0 < sum(map(weigh_table, kept(known))) <= 60_000


def steps(retold: Retelling) -> list[tuple[Table, Happened]]:
    return [step for tale in kept(retold._tales) for step in tale._steps.values()]


def told_tables(retold: Retelling) -> list[Table]:
    return [table for before, moment in steps(retold) for table in (before, moment.table)]


def kept(known: Lately[Any, Any]) -> list[Any]:
    return [known.get(key) for key in known]


async def past(service: Service, game_id: str, token: str | None, after: int) -> list[pb.WatchGameResponse]:
    messages = []
    async with contextlib.aclosing(service.watch(token, game_id=game_id, after_version=after)) as told:
        async for message in told:
            messages.append(message)
            if message.HasField("caught_up"):
                break
    return messages


def test_what_was_framed_lately_stays_within_its_room(monkeypatch):
    monkeypatch.setattr(stream, "REMEMBERED", 5_000)
    written: list[pb.WatchGameResponse] = []

    def write(message: pb.WatchGameResponse) -> bytes:
        written.append(message)
        return bytes(500)

    frame = stream.once(write)
    crowd = [pb.WatchGameResponse(caught_up=pb.CaughtUp(version=number + 1)) for number in range(20)]
    fit = 5_000 // (ENTRY + 2 * 500)
    for message in crowd:
        frame(message)

    for message in reversed(crowd[-fit:]):
        frame(message)
    assert 20 == len(written)
    frame(crowd[-fit - 1])
    assert 21 == len(written)


@pytest.mark.parametrize("title", CATALOG)
async def test_a_table_holds_no_more_than_it_is_said_to_weigh(title):
    service, game_id = await wandered(title, moves=24)
    table = await service.house.tables.fresh(game_id)

    long = await service.house.tables._fold_from_start(game_id, table.version, None)

    assert len(table.past) < len(long.past)
    for each in (table, long):
        assert held(each) <= weigh_table(each)


@pytest.mark.parametrize("title", CATALOG)
async def test_a_tale_holds_no_more_than_it_is_said_to_weigh_and_is_far_lighter_than_its_tables(title):
    service, game_id = await wandered(title, moves=27)

    await past(service, game_id, None, 1)

    retold = service.house.watching._retelling
    tables = told_tables(retold)
    assert len(tables) > 40
    assert held(*steps(retold)) <= retold._tales.weight < sum(map(weigh_table, tables)) / 4


async def test_a_table_that_shares_nothing_weighs_what_it_holds():
    service, game_id = await wandered("tides", moves=5)
    table = await service.house.tables.fresh(game_id)
    tale, undo = Tale(), Record(table.version + 1, 0, Seat(0), False, MoveUndone(Seat(0), 9))
    anew = await service.house.tables._fold_from_start(game_id, None, None)

    tale.add(table, Happened((undo,), anew))

    assert weigh_table(table) + weigh_table(anew) <= tale.weight


async def test_a_tale_that_grows_too_long_begins_anew_and_leaves_the_others_alone(monkeypatch):
    monkeypatch.setattr(retelling, "HAPPENINGS", 400_000)
    service = Service()
    tables = [await service.house.tables.fresh((await service.table("Ann", "Bob"))[0]) for _ in range(2)]
    retold = Retelling()
    retold.keep(tables[0], Happened((), tables[0]))
    for _ in range(100):
        retold.keep(before := replace(tables[1]), Happened((), before))

    assert retold.happened(tables[0], ())
    assert retold.happened(before, ())
    assert retold._tales.weight <= 400_000


async def test_a_game_is_told_again_without_being_folded_again():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    for token in tokens * 5:
        await service.move(game_id, token)
    first = await past(service, game_id, None, 1)
    tables = told_tables(service.house.watching._retelling)

    again = await past(service, game_id, None, 1)

    assert first == again
    assert list(map(id, tables)) == list(map(id, told_tables(service.house.watching._retelling)))


async def wandered(title: str, moves: int) -> tuple[Service, str]:
    """A game after so many moves at random."""
    service, coin = Service(), random.Random(7)
    game_id = (await service.call("CreateGame", title=title, seat_count=2)).game.game_id
    tokens = [await service.join(game_id) for _ in range(2)]
    for _ in range(moves):
        view = (await service.call("GetView", game_id=game_id)).view
        token = tokens[view.decisions[0].seat]
        legal = await service.call("ListLegalActions", token, game_id=game_id)
        await service.move(game_id, token, coin.randrange(len(legal.actions)))
    return service, game_id


def held(*values: Any) -> int:
    """Bytes of the values and of all that is reached from them, without what all tables of a title share."""
    seen, size, waiting = set(map(id, CATALOG.values())), 0, list(values)
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, PASSED_OVER):
            seen.add(id(each))
            size += sys.getsizeof(each)
            waiting.extend(gc.get_referents(each))
    return size
