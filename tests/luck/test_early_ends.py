"""Tests export, replay and verification of games that did not end by the rules."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable

import pytest
from rich.console import Console

from gamehost.codec import exported_game
from gamehost.codec.exported_game import ExportedGame
from gamehost.codec.process_codec import CODEC
from gamehost.commands.recorded.replay import ReplayFrames
from gamehost.commands.recorded.verify import verify_game
from luck.games import exported
from shedu.v1 import game_pb2
from support.service import Service

MINUTE = {"per_decision": {"seconds": 60}}
BOT = {"bot_level": "random"}


async def resigned(service: Service) -> str:
    game_id, (ann, _) = await service.table("Ann", "Bob")
    await service.move(game_id, ann)
    await service.call("Resign", ann, game_id=game_id)
    return game_id


async def timed_out(service: Service) -> str:
    clock = {**MINUTE, "on_timeout": game_pb2.TIMEOUT_POLICY_FORFEIT}
    game_id, (ann, _) = await service.table("Ann", "Bob", clock=clock)
    await service.move(game_id, ann)
    await service.pass_time(60)
    return game_id


async def expired(service: Service) -> str:
    game_id, _ = await service.table("Ann")
    await service.pass_time(3600)
    return game_id


async def deserted(service: Service) -> str:
    clock = {**MINUTE, "on_timeout": game_pb2.TIMEOUT_POLICY_FORFEIT}
    game_id, _ = await service.table("Ann", "Bob", clock=clock)
    await service.pass_time(60)
    return game_id


async def left_to_bots(service: Service) -> str:
    game_id = (await service.call("CreateGame", title="tigris", seats=[{}, {}, BOT])).game.game_id
    for token in [await service.join(game_id) for _ in range(2)]:
        await service.call("Resign", token, game_id=game_id)
    return game_id


async def played_by_bots(service: Service) -> str:
    created = await service.call("CreateGame", title="tides", seats=[BOT, BOT])
    await service.let_bots_play()
    return str(created.game.game_id)


async def taken_over_and_back(service: Service) -> str:
    game_id, (ann, _) = await service.table("Ann", "Bob", clock=MINUTE)
    await service.pass_time(60)
    await service.call("ReclaimSeat", ann, game_id=game_id)
    await service.move(game_id, ann)
    await service.let_bots_play()
    await service.pass_time(60)
    await service.let_bots_play()
    return game_id


ENDS = {
    resigned: "RESIGNED",
    timed_out: "TIMED_OUT",
    expired: "EXPIRED",
    deserted: "DESERTED",
    left_to_bots: "RESIGNED",
    played_by_bots: "ROUNDS_PLAYED",
    taken_over_and_back: "ROUNDS_PLAYED",
}


@pytest.mark.parametrize("play", ENDS, ids=lambda play: play.__name__)
async def test_a_game_that_went_another_way_is_told_shown_and_proven(
    play: Callable[[Service], Awaitable[str]],
) -> None:
    service = Service(expiry=3_600_000_000)
    told = await exported(service, await play(service))

    again: ExportedGame = exported_game.parse_export(list(exported_game.export_lines(told)))

    assert told == again
    assert ENDS[play] == again.outcome.reason
    verdict = verify_game(again)
    assert verdict.verified, verdict.text
    reel, page = ReplayFrames(exported_game.recorded_game(CODEC, again)), io.StringIO()
    for number in range(1, len(reel.steps) + 1):
        Console(file=page, color_system=None).print(reel.frame(number, None))
    assert "Seed revealed" in page.getvalue()


async def test_a_stolen_victory_is_not_proven() -> None:
    service = Service()
    told = await exported(service, await resigned(service))
    finished = next(event for event in told.events if event.HasField("game_finished"))
    finished.game_finished.outcome.ranks[:] = [1, 2]
    told.game.outcome.ranks[:] = [1, 2]

    verdict = verify_game(told)

    assert not verdict.verified
    assert "the rules do not give this outcome" in verdict.text
