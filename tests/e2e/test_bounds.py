"""Tests of the limits of a real server under attack; at full scale: `python3 tests bench bounds`."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from typing import Any

import grpc.aio
import httpx
import pytest

from bench.bounds import attacks, trials
from bench.load.site import place
from bench.moves.wires import SERVICE
from shedu.v1 import game_service_pb2 as pb
from support.waiting import PATIENCE, until

MIB = 1 << 20
GAMES = 2


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A server with games of Tigris that a driver plays."""
    with place(tmp_path_factory.mktemp("bounds"), mode="memory", title="tigris") as found:
        found.crew.open(GAMES)
        yield found


@pytest.fixture
def target(here):
    return trials.target(here)


def grown(here, before: int) -> int:
    return here.reading().held["service"] - before


async def moves(here, count: int) -> None:
    """Plays moves of other callers, all of which must be answered."""
    await asyncio.to_thread(here.crew.open, GAMES)
    (told,) = await asyncio.to_thread(here.crew.run, 150.0, count / 150)
    assert [] == told["failed"]


async def test_a_watcher_that_falls_behind_is_ended_and_told_where_to_resume(here, target):
    game, own = trials.games_of(here)[0], attacks.unread_channel(target.grpc_port)
    call = watch(own, game)
    first = await call.read()

    await moves(here, 190 * GAMES)  # more than fit into buffers and the backlog together
    *told, last = [message async for message in until_end(call)]

    seen = [event.version for message in told for event in message.happened.events]
    assert "snapshot" == first.WhichOneof("kind")
    assert pb.GO_AWAY_REASON_SLOW == last.go_away.reason
    assert list(range(first.snapshot.version + 1, last.go_away.version + 1)) == seen
    again = until_end(watch(own, game, after_version=last.go_away.version))
    assert last.go_away.version == (await anext(again)).snapshot.version
    assert last.go_away.version + 1 == (await anext(again)).happened.events[0].version
    await again.aclose()
    await own.close()


def watch(own: grpc.aio.Channel, game: str, **fields: int) -> Any:
    method = own.unary_stream(SERVICE + "WatchGame", None, pb.WatchGameResponse.FromString)
    return method(pb.WatchGameRequest(game_id=game, **fields).SerializeToString())


async def until_end(call: Any) -> AsyncGenerator[Any]:
    async with asyncio.timeout(PATIENCE):
        while (message := await call.read()) is not grpc.aio.EOF:
            yield message


async def test_watchers_that_never_read_hold_little_and_hold_up_nobody(here, target):
    watchers = 60
    await moves(here, 40)
    before = here.reading().held["service"]
    unread = attacks.Unread(target, trials.games_of(here))

    await unread.come(watchers)
    await moves(here, 100)

    assert 0 < trials.open_streams(here, "rest")
    assert grown(here, before) < watchers * trials.UNREAD.holds
    await unread.leave()
    await until(lambda: not trials.open_streams(here, "rest") + trials.open_streams(here, "grpc"), pause=0.1)


async def test_a_megabyte_is_refused_over_every_transport_and_not_kept(here, target):
    await attacks.big_bodies(target, 3)
    before = here.reading().held["service"]

    answers = await attacks.big_bodies(target, 30)

    assert {"rest 413": 30, "connect 429": 30, "grpc RESOURCE_EXHAUSTED": 30} == answers
    assert grown(here, before) < 24 * MIB  # of the 90 MiB that were sent


async def test_a_ping_flood_is_sent_away(target):
    flood = await attacks.ping_flood(target, 100_000)

    assert flood.over
    assert flood.sent < 100_000
    assert flood.goodbye in {(attacks.CALM_DOWN, "too_many_pings"), None}


async def test_pings_one_by_one_are_told_why(target):
    rude = await attacks.Rude.connect(target.grpc_port)

    for _ in itertools.takewhile(lambda _: not rude.over, range(20)):
        await rude.ping()
        await asyncio.sleep(0.05)
    await until(lambda: rude.over)
    await rude.close()

    assert (attacks.CALM_DOWN, "too_many_pings") == rude.goodbye


async def test_calls_that_are_taken_back_leave_nothing_behind(here, target):
    before = here.reading().held["service"]

    flood = await attacks.rapid_reset(target, 500, 2000)

    assert 500 == flood.sent
    assert grown(here, before) < 24 * MIB
    await moves(here, 50)


async def test_all_who_come_back_at_once_catch_up(here, target):
    games = trials.games_of(here)
    storm = attacks.Storm(target, games)
    await storm.come(60)
    await storm.cut()
    await moves(here, 20)
    versions = [int(here.serve.get(f"/v1/games/{game}")["game"]["version"]) for game in games]

    await storm.come(60, min(versions) - 5)

    assert 60 == trials.open_streams(here, "grpc")
    await moves(here, 50)
    await storm.cut()
    await until(lambda: not trials.open_streams(here, "grpc"), pause=0.1)


async def test_many_games_stay_within_the_cache(tmp_path):
    with place(tmp_path, mode="memory", SHEDU_CACHE_MB="2") as here:
        here.crew.open(100)
        before = here.reading().held["service"]

        here.crew.open(400)

        assert grown(here, before) < 300 * trials.GAMES.holds
        (told,) = here.crew.run(200.0, 1.0)
        assert [] == told["failed"]
        assert 200 == httpx.get(f"{here.serve.url}/readyz", timeout=PATIENCE).status_code
