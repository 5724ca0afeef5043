"""Tests of long logs: reading yields to other tasks, is charged to the reader, and ends on a drain."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import aclosing
from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.api.pipeline.quotas import Limits
from gamehost.play import throttle
from gamehost.play.tables import current as table_cache
from shedu.v1 import game_service_pb2 as pb
from support.keyed_service import KeyedService
from support.long_logs import lengthen
from support.service import Service, detail
from support.started_game import StartedGame, kinds

LENGTH = 1000
RATE = 100.0  # events per second, and a burst of twice as many
READINGS = {
    "ListEvents": {"page_size": 1000},
    "GetView": {"version": LENGTH - 1},
    "ProposeUndo": {"to_version": 3},
    "ForkGame": {},
}


def versions(messages: list[Any]) -> list[int]:
    return [event.version for message in messages for event in message.happened.events]


async def long_game(limits: Limits | None = None, **fields: Any) -> StartedGame:
    game = await StartedGame.open("tides", service=Service(limits=limits), **fields)
    await game.play(2)
    service = game.service
    await lengthen(service.application.tables, service.store, service.codec, game.game_id, LENGTH)
    await game.view()
    return game


async def answered(game: StartedGame, name: str) -> str:
    """Returns the reason of an error; empty if there was none."""
    try:
        await game.call(name, 0, **READINGS[name])
    except Exception as error:
        return str(getattr(error, "reason", error))
    return ""


@pytest.mark.parametrize("name", READINGS)
async def test_whatever_reads_a_long_log_gives_way_to_others(name, monkeypatch):
    """With slices of no time other tasks run after every few events."""
    game, turns = await long_game(), 0
    monkeypatch.setattr(throttle, "SLICE", -1.0)
    reading = asyncio.create_task(answered(game, name))

    while not reading.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > LENGTH


async def test_a_slice_lasts_over_the_parts_in_which_a_log_is_read(monkeypatch):
    """The clock advances by 0.1 ms with each event, and the parts are shorter than a slice."""
    game, turns, ticks = await long_game(), 0, itertools.count()
    monkeypatch.setattr(table_cache, "READ_AT_ONCE", 8)
    monkeypatch.setattr(throttle, "perf_counter", lambda: next(ticks) / 10_000)
    reading = asyncio.create_task(game.service.application.tables.read(game.game_id, after=0))

    while not reading.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns > 0.9 * LENGTH / 10_000 / throttle.SLICE


@pytest.mark.parametrize("name", READINGS)
async def test_whoever_has_read_too_much_is_told_when_to_read_again(name):
    game = await long_game(Limits(events_per_second=RATE))
    await answered(game, "ListEvents")

    error = await game.service.error(name, game.tokens[0], game_id=game.game_id, **READINGS[name])
    told = detail(error, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() / 1000

    assert error.reason == "TOO_MUCH"
    assert LENGTH / RATE - 2 == pytest.approx(told, abs=0.1)
    await game.service.pass_time(told)
    assert await answered(game, name) != "TOO_MUCH"


async def test_who_owes_for_reading_may_still_play():
    game = await long_game(Limits(events_per_second=RATE))
    await answered(game, "ListEvents")

    played = await game.play()

    assert played.view.version > LENGTH


async def test_one_reader_does_not_pay_for_another():
    service = KeyedService(limits=Limits(events_per_second=RATE))
    ann, bob = await service.key("ann"), await service.key("bob")
    game, _ = await service.shared_table(ann, bob)
    await lengthen(service.application.tables, service.store, service.codec, game, LENGTH)
    await service.call("ListEvents", ann, game_id=game, page_size=1000)

    told = await service.call("ListEvents", bob, game_id=game, page_size=1000)

    assert len(told.events) == LENGTH
    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal("ListEvents", ann, game_id=game)


async def test_a_stream_slows_down_to_what_its_caller_may_read():
    game = await long_game(Limits(events_per_second=RATE))

    told = await game.service.read_stream("WatchGame", game_id=game.game_id, after_version=0)

    assert list(range(1, LENGTH + 1)) == versions(told)
    # The last page is sent before its quota is available.
    assert LENGTH / RATE - 2 - 0.64 <= game.service.slept <= LENGTH / RATE - 2


async def test_a_stream_that_would_wait_long_ends_and_can_be_resumed():
    game = await long_game(Limits(events_per_second=RATE))
    await answered(game, "ListEvents")

    stream = game.service.read_stream("WatchGame", game_id=game.game_id, after_version=0)

    with pytest.raises(Exception, match="too many log events"):
        await stream
    await game.service.pass_time(20)
    told = await game.service.read_stream("WatchGame", game_id=game.game_id, after_version=0)
    assert list(range(1, LENGTH + 1)) == versions(told)


async def test_news_are_charged_too():
    game = await long_game(Limits(events_per_second=1))
    service = game.service
    async with aclosing(service.watch(game_id=game.game_id)) as stream:
        while (await anext(stream)).WhichOneof("kind") != "caught_up":
            pass
        for _ in range(4):
            await game.play()
            await anext(stream)

        assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await game.refusal("ListEvents")


async def test_without_a_limit_nobody_waits():
    game = await long_game()

    told = [await game.service.read_stream("WatchGame", game_id=game.game_id, after_version=0) for _ in "123"]

    assert [LENGTH] * 3 == [len(versions(messages)) for messages in told]
    assert game.service.slept == 0


async def test_a_drain_ends_a_stream_amid_a_long_past_where_it_can_be_resumed():
    game = await long_game()
    service, before = game.service, []
    async with aclosing(service.watch(game_id=game.game_id, after_version=0)) as stream:
        for _ in range(100):
            before.append(await anext(stream))

        service.application.watching.drain()
        rest = [message async for message in stream]

    assert ["go_away"] == kinds(rest)
    assert pb.GO_AWAY_REASON_DRAINING == rest[0].go_away.reason
    assert rest[0].go_away.version == versions(before)[-1] < LENGTH
    other = Service(service.store)
    after = await other.read_stream("WatchGame", game_id=game.game_id, after_version=rest[0].go_away.version)
    assert list(range(1, LENGTH + 1)) == versions(before + after)


async def test_a_drain_ends_an_inbox_that_is_being_told():
    service = KeyedService()
    ann = await service.key("ann")
    for _ in range(5):
        await service.shared_table(ann, ann)
    await service.settled()
    async with aclosing(service.stream("WatchInbox", ann)) as stream:
        first = await anext(stream)

        service.application.inbox.drain()
        rest = [message async for message in stream]

    assert ["item", "go_away"] == kinds([first, *rest])
