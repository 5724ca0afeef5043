"""Whole games of every title against a real server, blocking and with asyncio."""

from __future__ import annotations

from itertools import pairwise

import pytest

import shedu
from gamehost.rules.catalog import CATALOG
from sdk.players import aplay_all, play_all
from support.process import Serve


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    with Serve(tmp_path_factory.mktemp("sdk")) as process:
        yield process


@pytest.fixture
def server(serve):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}") as server:
        yield server


@pytest.mark.parametrize("title", CATALOG)
def test_a_whole_game_blocking(server, title):
    game = server.create(title)
    seats = len(game.look().seats)
    players = [game.join(f"player {seat}") for seat in range(seats)]

    answered = play_all(players, title)

    moments = list(game.watch(after=0))
    versions = [event.version for moment in moments for event in moment.events]
    assert list(range(1, len(versions) + 1)) == versions
    assert len(versions) == game.view().version
    assert seats == len(game.outcome().ranks)
    assert all(len(own) == len(set(own)) for own in answered)
    assert [event.version for event in game.events()] == versions


@pytest.mark.parametrize("title", CATALOG)
async def test_a_whole_game_with_asyncio(serve, title):
    async with shedu.aio.connect(f"grpc://127.0.0.1:{serve.grpc_port}") as server:
        seats = max(CATALOG[title].seats)
        game = await server.create(title, seats=seats)
        players = [await game.join() for _ in range(seats)]

        await aplay_all(players, title)

        moments = [moment async for moment in players[0].watch(after=0)]
        assert all(before.version < after.version for before, after in pairwise(moments))
        assert {0} == {moment.view.seat for moment in moments[1:]}
        assert (await game.outcome()) == moments[-1].view.game.outcome
        assert (await game.fairness()).HasField("seed")
