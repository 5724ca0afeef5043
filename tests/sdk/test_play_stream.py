"""Tests that bots play over one stream, and that each action is sent once although the stream breaks."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from sdk.cutting_proxy import CuttingProxy
from shedu import aio
from shedu.deciding import Decider
from shedu.play_stream import PlayStream
from shedu.running import Bot, match
from shedu.v1 import game_service_pb2 as pb
from support.waiting import PATIENCE, wait_until


class First(Decider):
    def decide(self, view: Any, decision: Any, actions: Any) -> Any:
        return actions[0]


def calls(serve: Any, game_id: str) -> list[tuple[str, str]]:
    """Returns method and transport of every call for a game, from the log of the service."""
    lines = [json.loads(line) for line in serve.log.read_text().splitlines() if game_id in line]
    return [(line["method"], line["transport"]) for line in lines if line.get("event") == "call"]


async def test_a_bot_needs_one_item_per_decision_and_no_other_call(serve):
    async with aio.connect(serve.address) as server:
        [played] = await match(server, "tides", [Bot("first", First), Bot("also", First)])

    wait_until(lambda: ("WatchGame", "grpc") in calls(serve, played.game_id))
    made = calls(serve, played.game_id)
    assert ("PlayAction", "play_stream") in made
    assert {("PlayAction", "grpc"), ("ListLegalActions", "grpc")}.isdisjoint(made)


async def test_an_action_whose_result_is_lost_is_played_once(serve):
    async with (
        CuttingProxy(int(serve.address.rpartition(":")[2])) as line,
        aio.connect(serve.address) as server,
        aio.connect(f"127.0.0.1:{line.port}") as cut,
    ):
        game = await server.create("tides")
        ann, _ = await game.join("Ann"), await game.join("Bob")
        player = cut.player(game.id, ann.seat, ann.token)
        player.wire.plays = PlayStream(player.wire).play
        legal = await player.legal_actions()
        assert legal.decision is not None
        before = (await player.view()).version

        line.lose_next_answer()
        played = await asyncio.wait_for(player.play(legal.actions[0], legal.decision), PATIENCE)

        events = [event async for event in ann.events(before)]
    assert 1 == line.cuts
    assert list(played.events) == events


async def test_a_server_without_the_stream_is_asked_by_calls(serve):
    async with aio.connect(serve.address) as server:
        player, streams = await seat_against_a_bot(server), [0]

        def unknown(**options: Any) -> Any:
            streams[0] += 1
            path = "/shedu.v1.GameService/Unheard"
            request, response = pb.PlayStreamRequest, pb.PlayStreamResponse
            method = player.wire._channel.stream_stream(path, request.SerializeToString, response.FromString)
            return method(**options)

        player.wire.games.PlayStream = unknown  # type: ignore[assignment]
        player.wire.plays = PlayStream(player.wire).play
        for _ in range(2):
            turn = await player.turn()
            assert turn is not None
            assert (await turn.play(turn.actions[0])).events
            await until_asked(player)

    assert [1] == streams


async def seat_against_a_bot(server: Any) -> Any:
    game = await server.create("tides", bots=["random"])
    return await game.join("Ann")


async def until_asked(player: Any) -> None:
    async for turn in player.turns():
        assert turn.decision
        return


async def test_a_refused_item_raises_the_error_of_the_call(serve):
    async with aio.connect(serve.address) as server:
        player = await seat_against_a_bot(server)
        turn = await player.turn()
        wrong = await refusal(turn, "x")
        player.wire.plays = PlayStream(player.wire).play

        assert wrong == await refusal(turn, "x")


async def refusal(turn: Any, decision: str) -> tuple[type[Exception], str]:
    try:
        await turn.player.play(turn.actions[0], decision)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError("played")
