"""Servers killed, restarted and drained, lines cut: nothing is lost and nothing comes twice."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import shedu
from sdk.cutting import CuttingProxy
from sdk.players import aplay_all, play, play_all
from shedu.aio import Game, Player
from support.process import Serve

LONG = 60.0


@pytest.fixture
def serve(tmp_path):
    with Serve(tmp_path) as process:
        yield process


async def versions(game: Game | Player, seen: list[int], *, enough: int = 0, reached: asyncio.Event) -> None:
    """Write down every version that a watcher is told, and tell when there are enough of them."""
    async for moment in game.watch(after=0):
        seen += [event.version for event in moment.events]
        if len(seen) >= enough:
            reached.set()


async def table(server: shedu.aio.Server, title: str = "tides") -> tuple[Game, list[Player]]:
    game = await server.create(title)
    return game, [await game.join() for _ in range(2)]


async def check_everything(game: Game, seen: list[list[int]], answered: list[list[str]]) -> None:
    """Every watcher saw every version once, and every decision was answered once."""
    events = [event async for event in game.events()]
    assert [list(range(1, len(events) + 1))] * len(seen) == seen
    assert [14, 14] == [len(own) for own in answered]
    assert [14, 14] == [len(set(own)) for own in answered]


async def restart(serve: Serve, number: signal.Signals) -> None:
    serve.signal(number)
    await asyncio.to_thread(serve.wait)
    await asyncio.to_thread(serve.start)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_restarted_server_costs_no_move_and_no_moment(serve, number):
    address = f"127.0.0.1:{serve.grpc_port}"
    async with shedu.aio.connect(address, patience=LONG) as server:
        game, players = await table(server)
        seen: list[list[int]] = [[], [], []]
        middle = asyncio.Event()
        watching = [
            asyncio.create_task(versions(who, found, enough=15, reached=middle))
            for who, found in zip((game, *players), seen, strict=True)
        ]
        playing = asyncio.create_task(slowly(players))
        async with asyncio.timeout(LONG):
            await middle.wait()

            await restart(serve, number)

            answered = await playing
            await asyncio.gather(*watching)
        await check_everything(game, seen, answered)


async def test_a_stream_that_was_silent_for_longer_than_its_patience_survives_a_restart(serve):
    async with shedu.aio.connect(f"127.0.0.1:{serve.grpc_port}", patience=12) as server:
        game, (ann, _) = await table(server)
        seen: list[int] = []
        watching = asyncio.create_task(versions(game, seen, reached=asyncio.Event()))
        await asyncio.sleep(13)

        await restart(serve, signal.SIGKILL)

        await ann.resign()
        async with asyncio.timeout(LONG):
            await watching
        assert list(range(1, (await game.look()).version + 1)) == seen


async def slowly(players: list[Player]) -> list[list[str]]:
    """Play so that a restart falls into the game."""

    async def one(player: Player) -> list[str]:
        coin, answered = random.Random(player.seat), []
        async for turn in player.turns():
            await asyncio.sleep(0.03)
            await turn.play(coin.choice(turn.actions))
            answered.append(turn.decision.decision_id)
        return answered

    return await asyncio.gather(*map(one, players))


async def test_a_line_that_is_cut_again_and_again_costs_nothing(serve):
    async with (
        CuttingProxy(serve.grpc_port, after_bytes=6000) as proxy,
        shedu.aio.connect(f"127.0.0.1:{proxy.port}", patience=LONG) as server,
    ):
        game, players = await table(server)
        seen: list[int] = []
        watching = asyncio.create_task(versions(game, seen, reached=asyncio.Event()))

        answered = await aplay_all(players, "cut")

        async with asyncio.timeout(LONG):
            await watching
        assert proxy.cuts > 5
        await check_everything(game, [seen], answered)


async def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(serve):
    async with (
        CuttingProxy(serve.grpc_port) as proxy,
        shedu.aio.connect(f"127.0.0.1:{proxy.port}", patience=LONG) as server,
    ):
        game, (ann, _) = await table(server)
        before = await ann.view()
        legal = await ann.legal_actions()
        assert legal.decision is not None

        proxy.lose_next_answer()
        played = await ann.play(legal.actions[0], legal.decision)

        assert 1 == proxy.cuts
        assert before.version + len(played.events) == (await game.look()).version


def test_a_restarted_server_does_not_disturb_the_blocking_client(serve):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", patience=LONG) as server:
        game = server.create("tides")
        players = [game.join() for _ in range(2)]
        seen: list[int] = []
        middle = threading.Event()

        def watch() -> None:
            for moment in game.watch(after=0):
                seen.extend(event.version for event in moment.events)
                if len(seen) > 12:
                    middle.set()

        with ThreadPoolExecutor(3) as pool:
            work = [pool.submit(watch)]
            work += [pool.submit(play, player, random.Random(player.seat), 0.03) for player in players]
            assert middle.wait(LONG)
            serve.signal(signal.SIGKILL)
            serve.wait()
            serve.start()
            _, *answered = [each.result(LONG) for each in work]

        assert [14, 14] == [len(own) for own in answered]
        assert list(range(1, game.view().version + 1)) == seen


def test_a_watcher_that_sleeps_misses_nothing(serve):
    with shedu.connect(f"127.0.0.1:{serve.grpc_port}", patience=LONG) as server:
        game = server.create("stone_age")
        players = [game.join() for _ in range(2)]
        watching = game.watch(after=0)
        seen = [event.version for event in next(watching).events]

        play_all(players, "asleep")

        seen += [event.version for moment in watching for event in moment.events]
        assert len(seen) > 300
        assert list(range(1, game.look().version + 1)) == seen
