"""Tests of whole games on a real server, blocking and with asyncio."""

from __future__ import annotations

from itertools import pairwise

import pytest

import shedu
from sdk.players import aplay_all, play_all
from shedu.stone_age.v1 import stone_age_pb2


@pytest.fixture
def server(serve):
    with shedu.connect(serve.address) as server:
        yield server


def test_a_whole_game_blocking_and_a_watcher_that_sleeps_meanwhile(server):
    game = server.create("stone_age")
    seats = len(game.look().seats)
    players = [game.join(f"player {seat}") for seat in range(seats)]
    watching = game.watch(after=0)
    seen = [event.version for event in next(watching).events]

    answered = play_all(players, "blocking")

    seen += [event.version for moment in watching for event in moment.events]
    told_at_once = [event.version for moment in game.watch(after=0) for event in moment.events]
    assert len(seen) > 300
    assert list(range(1, game.view().version + 1)) == seen
    assert seen == told_at_once == [event.version for event in game.events()]
    assert seats == len(game.outcome().ranks)
    assert all(len(own) == len(set(own)) for own in answered)


async def test_a_whole_game_with_asyncio(serve):
    async with shedu.aio.connect(f"grpc://{serve.address}") as server:
        game = await server.create("stone_age", seats=4, options=stone_age_pb2.Options(max_rounds=2))
        players = [await game.join() for _ in range(4)]

        await aplay_all(players, "asyncio")

        moments = [moment async for moment in players[0].watch(after=0)]
        assert all(before.version < after.version for before, after in pairwise(moments))
        assert {0} == {moment.view.seat for moment in moments[1:]}
        assert (await game.outcome()) == moments[-1].view.game.outcome
        assert (await game.fairness()).HasField("seed")
