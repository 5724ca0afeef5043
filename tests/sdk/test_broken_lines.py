"""Tests with killed, restarted and drained servers and cut connections: nothing is lost or repeated."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import shedu
from sdk.clocks import leaping
from sdk.cutting_proxy import CuttingProxy
from sdk.players import aplay_all, play
from shedu.aio import Game, Player
from support.process import Serve
from support.waiting import PATIENCE


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    """A server that tests may kill and must start again."""
    with Serve(tmp_path_factory.mktemp("mortal")) as process:
        yield process


async def versions(game: Game | Player, seen: list[int], *, enough: int = 0, reached: asyncio.Event) -> None:
    """Records every version that a watcher receives, and sets `reached` when there are enough."""
    async for moment in game.watch(after=0):
        seen += [event.version for event in moment.events]
        if len(seen) >= enough:
            reached.set()


async def table(server: shedu.aio.Server, title: str = "tides") -> tuple[Game, list[Player]]:
    game = await server.create(title)
    return game, [await game.join() for _ in range(2)]


async def check_everything(game: Game, seen: list[list[int]], answered: list[list[str]]) -> None:
    """Asserts that every watcher saw every version once, and that every decision was answered once."""
    events = [event async for event in game.events()]
    assert [list(range(1, len(events) + 1))] * len(seen) == seen
    assert [14, 14] == [len(own) for own in answered]
    assert [14, 14] == [len(set(own)) for own in answered]


async def restart(serve: Serve) -> None:
    await asyncio.to_thread(serve.wait)
    await asyncio.to_thread(serve.start)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_restarted_server_costs_no_move_and_no_moment(mortal, number):
    async with shedu.aio.connect(mortal.address, patience=PATIENCE) as server:
        game, players = await table(server)
        seen: list[list[int]] = [[], [], []]
        middle, struck = asyncio.Event(), asyncio.Event()
        watching = [
            asyncio.create_task(versions(who, found, enough=15, reached=middle))
            for who, found in zip((game, *players), seen, strict=True)
        ]
        playing = asyncio.create_task(aplay_all(players, "restarted", struck))
        async with asyncio.timeout(PATIENCE):
            await middle.wait()

            mortal.signal(number)
            struck.set()
            await restart(mortal)

            answered = await playing
            await asyncio.gather(*watching)
        await check_everything(game, seen, answered)


async def test_a_stream_that_was_silent_for_longer_than_its_patience_survives_a_restart(mortal):
    with leaping() as clock:
        async with shedu.aio.connect(mortal.address, patience=PATIENCE) as server:
            game, (ann, _) = await table(server)
            seen, begun = list[int](), asyncio.Event()
            watching = asyncio.create_task(versions(game, seen, reached=begun))
            await begun.wait()
            clock.added = 10 * PATIENCE

            mortal.signal(signal.SIGKILL)
            await restart(mortal)

            await ann.resign()
            async with asyncio.timeout(PATIENCE):
                await watching
            assert list(range(1, (await game.look()).version + 1)) == seen


async def test_a_line_that_is_cut_again_and_again_costs_nothing(serve):
    async with (
        CuttingProxy(serve.grpc_port, after_bytes=6000) as proxy,
        shedu.aio.connect(f"127.0.0.1:{proxy.port}", patience=PATIENCE) as server,
    ):
        game, players = await table(server)
        seen: list[int] = []
        watching = asyncio.create_task(versions(game, seen, reached=asyncio.Event()))

        answered = await aplay_all(players, "cut")

        async with asyncio.timeout(PATIENCE):
            await watching
        assert proxy.cuts > 5
        await check_everything(game, [seen], answered)


async def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(serve):
    async with (
        CuttingProxy(serve.grpc_port) as proxy,
        shedu.aio.connect(f"127.0.0.1:{proxy.port}", patience=PATIENCE) as server,
    ):
        game, (ann, _) = await table(server)
        before = await ann.view()
        legal = await ann.legal_actions()
        assert legal.decision is not None

        proxy.lose_next_answer()
        played = await ann.play(legal.actions[0], legal.decision)

        assert 1 == proxy.cuts
        assert before.version + len(played.events) == (await game.look()).version


def test_a_restarted_server_does_not_disturb_the_blocking_client(mortal):
    with shedu.connect(mortal.address, patience=PATIENCE) as server:
        game = server.create("tides")
        players = [game.join() for _ in range(2)]
        seen: list[int] = []
        middle, struck = threading.Event(), threading.Event()

        def watch() -> None:
            for moment in game.watch(after=0):
                seen.extend(event.version for event in moment.events)
                if len(seen) > 12:
                    middle.set()

        with ThreadPoolExecutor(3) as pool:
            work = [pool.submit(watch)]
            work += [pool.submit(play, player, random.Random(player.seat), struck) for player in players]
            assert middle.wait(PATIENCE)
            mortal.signal(signal.SIGKILL)
            struck.set()
            mortal.wait()
            mortal.start()
            _, *answered = [each.result(PATIENCE) for each in work]

        assert [14, 14] == [len(own) for own in answered]
        assert list(range(1, game.view().version + 1)) == seen
