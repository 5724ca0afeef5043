"""Tests of the quotas of a caller, and of the error when one is exceeded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.api.pipeline.quotas import Limits, TokenBuckets
from gamehost.api.pipeline.status import RpcError, code_name, retry_after_of
from gamehost.api.pipeline.stream_queue import StreamQueue
from support.fake_sleep import FakeSleep
from support.keyed_service import KeyedService
from support.service import Service, detail
from support.waiting import until

TOO_MUCH = ("RESOURCE_EXHAUSTED", "TOO_MUCH")
SECOND = 1_000_000


def seconds(error: RpcError) -> float:
    found = retry_after_of(error.status)
    assert found is not None
    return found


def subject(error: RpcError) -> str:
    [violation] = detail(error, error_details_pb2.QuotaFailure).violations
    return str(violation.subject)


async def test_a_caller_may_call_so_often_and_is_told_when_again():
    service = KeyedService(limits=Limits(calls_per_second=2))
    ann, bob = await service.key("ann"), await service.key("bob")
    for _ in range(4):
        await service.call("ListGames", ann)

    error = await service.error("ListGames", ann)
    await service.call("ListGames", bob)
    service.now += int(seconds(error) * SECOND) + 1
    await service.call("ListGames", ann)

    assert ("caller", pytest.approx(0.5)) == (subject(error), seconds(error))


async def test_a_connection_is_limited_even_for_who_has_no_identity():
    service = KeyedService(limits=Limits(connection_calls_per_second=1))
    for _ in range(2):
        assert "TOKEN_INVALID" == (await service.error("ListGames", "shedu_key_eve_guess")).reason

    error = await service.error("ListGames", "shedu_key_eve_guess")

    assert ("TOO_MUCH", "connection") == (error.reason, subject(error))


def test_a_bucket_fills_at_its_rate_and_never_above_its_brim():
    now = [0.0]
    buckets = TokenBuckets(10, lambda: now[0])

    taken = sum(not buckets.take("a") for _ in range(100))
    now[0] += 1
    later = sum(not buckets.take("a") for _ in range(100))
    now[0] += 3600
    rested = sum(not buckets.take("a") for _ in range(100))

    assert (20, 10, 20) == (taken, later, rested)


async def test_new_games_are_counted_over_all_processes_and_by_the_minute():
    one = KeyedService(limits=Limits(creates_per_minute=3))
    two = KeyedService(one.store, luck="two", limits=Limits(creates_per_minute=3))
    ann, bob = await one.key("ann"), await one.key("bob")
    for service in (one, two, one):
        await service.call("CreateGame", ann, title="tides")

    error = await two.error("CreateGame", ann, title="tides")
    await two.call("CreateGame", bob, title="tides")
    one.now += int(seconds(error) * SECOND)
    await one.call("CreateGame", ann, title="tides")

    assert "TOO_MUCH" == error.reason
    assert 0 < seconds(error) <= 60


async def test_unfinished_games_are_counted_until_they_are_over():
    service = KeyedService(open_games=2)
    ann = await service.key("ann")
    game_id, tokens = await service.shared_table(ann, ann)
    await service.call("CreateGame", ann, title="tides")
    before = await service.refusal("CreateGame", ann, title="tides")

    await service.finish(game_id, tokens)
    service.now += 6 * SECOND
    await service.call("CreateGame", ann, title="tides")
    service.now += 6 * SECOND

    assert TOO_MUCH == before
    assert TOO_MUCH == await service.refusal("CreateGame", ann, title="tides")


async def test_a_repeated_creation_takes_one_place():
    service = KeyedService(open_games=1)
    ann = await service.key("ann")

    created = [
        await service.call("CreateGame", ann, title="tides", request_id="the-same-request") for _ in range(3)
    ]

    assert 1 == len({answer.game.game_id for answer in created})
    assert TOO_MUCH == await service.refusal("CreateGame", ann, title="tides")


async def test_streams_are_counted_while_they_are_open():
    service = KeyedService(limits=Limits(streams_per_caller=2, streams=3))
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    game_id, _ = await service.shared_table(ann, bob)
    open_streams = [await opened(service, key, game_id) for key in (ann, ann, bob)]

    own = await failed(service, ann, game_id)
    process = await failed(service, cid, game_id)
    await open_streams.pop(0).aclose()
    open_streams.append(await opened(service, ann, game_id))

    assert [("TOO_MUCH", "process")] * 2 == [(e.reason, subject(e)) for e in (own, process)]
    for stream in open_streams:
        await stream.aclose()
    for _ in range(3):
        await (await opened(service, cid, game_id)).aclose()


async def test_a_caller_alone_cannot_take_all_streams():
    service = KeyedService(limits=Limits(streams_per_caller=1, streams=3))
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)
    stream = await opened(service, ann, game_id)

    error = await failed(service, ann, game_id)

    assert "caller" == subject(error)
    await stream.aclose()


async def test_where_nobody_is_asked_an_address_is_a_caller_whatever_tokens_it_has():
    service = Service(limits=Limits(calls_per_second=2))
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    await service.call("GetView", ann, game_id=game_id)

    assert TOO_MUCH == await service.refusal("GetView", bob, game_id=game_id)


async def test_who_is_over_the_limit_takes_no_rest_from_those_who_come():
    sleep = FakeSleep()
    limits = Limits(streams_per_caller=1, streams=3)
    service = KeyedService(limits=limits, stream_queue=StreamQueue(1.0, sleep))
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)
    stream = await opened(service, ann, game_id)

    subjects = [subject(await failed(service, ann, game_id)) for _ in range(5)]
    other = await opened(service, bob, game_id)

    assert ["caller"] * 5 == subjects
    assert [1.0, 1.0, 0, 0, 0, 0, 0] == sleep.begun
    await stream.aclose()
    await other.aclose()


async def test_no_more_may_wait_to_begin_than_there_is_room_for():
    sleep = FakeSleep(held=True)
    line = StreamQueue(60.0, sleep)
    service = Service(limits=Limits(streams=3), stream_queue=line)
    game_id, _ = await service.table("Ann", "Bob")
    waiting = [asyncio.create_task(anext(service.watch(game_id=game_id))) for _ in range(3)]
    await until(lambda: line.waiting == 3)

    with pytest.raises(RpcError) as caught:
        await anext(service.watch(game_id=game_id))

    assert ("RESOURCE_EXHAUSTED", "process") == (code_name(caught.value.status), subject(caught.value))
    await sleep.end()
    await until(lambda: line.waiting == 2)
    assert [60.0, 60.0] == sleep.begun, "a stream that was refused before the queue causes no pause"
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert 0 == line.waiting


async def opened(service: Service, key: str, game_id: str) -> Any:
    stream = service.watch(key, game_id=game_id)
    assert "snapshot" == (await anext(stream)).WhichOneof("kind")
    return stream


async def failed(service: Service, key: str, game_id: str) -> RpcError:
    with pytest.raises(RpcError) as caught:
        await anext(service.watch(key, game_id=game_id))
    return caught.value
