"""Clocks and taking back: who takes back alone gains no time; what all agreed to begins anew."""

from __future__ import annotations

from typing import Any

import pytest

from shedu.v1 import game_service_pb2 as pb
from support.world import Service

MINUTE = {"per_decision": {"seconds": 60}}
BANK = {"bank": {"initial": {"seconds": 60}, "increment": {"seconds": 5}, "cap": {"seconds": 300}}}


async def timed(service: Service, clock: dict[str, Any], title: str = "tigris") -> tuple[str, list[str], int]:
    """A game with that clock: its id, the tokens, and the seat that is asked first."""
    game_id, tokens = await service.full_table(title, clock=clock)
    view = (await service.call("GetView", game_id=game_id)).view
    return game_id, tokens, view.decisions[0].seat


def left(view: pb.View, seat: int, now: int) -> tuple[float, float | None]:
    clock = view.clocks[seat]
    deadline = clock.deadline.ToMicroseconds() if clock.HasField("deadline") else None
    return clock.remaining.ToMicroseconds() / 1e6, deadline and (deadline - now) / 1e6


async def harmless(service: Service, game_id: str, token: str) -> pb.PlayActionResponse:
    """An action after which the same seat is asked again and may take back."""
    legal = await service.call("ListLegalActions", token, game_id=game_id)
    (choice, *_) = [
        number for number, each in enumerate(legal.actions) if each.action.tigris.HasField("place_leader")
    ]
    return await service.move(game_id, token, choice)


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 55)], ids=["per decision", "bank"])
async def test_taking_back_alone_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock)
    service.now += 10_000_000
    moved = await harmless(service, game_id, tokens[me])
    assert (whole, whole) == left(moved.view, me, service.now)
    service.now += 20_000_000

    back = await service.call("ProposeUndo", tokens[me], game_id=game_id)

    assert "move_undone" == back.events[0].WhichOneof("kind")
    assert (whole - 20, whole - 20) == left(back.view, me, service.now)


async def test_bots_are_asked_again_after_an_undo() -> None:
    service = Service()
    seats = [{}, {"bot_level": "random"}]
    game_id = (await service.call("CreateGame", title="tides", seats=seats)).game.game_id
    ann = await service.join(game_id)
    await service.let_bots_play()
    await service.move(game_id, ann)
    await service.let_bots_play()
    version = (await service.call("GetView", game_id=game_id)).view.version

    undone = await service.call("ProposeUndo", ann, game_id=game_id)
    await service.let_bots_play()

    assert "move_undone" in [event.WhichOneof("kind") for event in undone.events]
    view = (await service.call("GetView", game_id=game_id)).view
    assert view.version > version
    assert [0] == [decision.seat for decision in view.decisions]


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 60), (BANK, 55)], ids=["per decision", "bank"])
async def test_acting_once_more_after_taking_back_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock)
    service.now += 10_000_000
    await harmless(service, game_id, tokens[me])

    for _ in range(3):
        service.now += 5_000_000
        await service.call("ProposeUndo", tokens[me], game_id=game_id)
        service.now += 5_000_000
        moved = await harmless(service, game_id, tokens[me])

    assert (whole - 30, whole - 30) == left(moved.view, me, service.now)


@pytest.mark.parametrize(("clock", "whole"), [(MINUTE, 50), (BANK, 55)], ids=["per decision", "bank"])
async def test_taking_back_the_end_of_a_turn_gives_no_time(clock: dict[str, Any], whole: int) -> None:
    service = Service()
    game_id, tokens, me = await timed(service, clock, "stone_age")

    for _ in range(4):
        service.now += 10_000_000
        moved = await service.move(game_id, tokens[me])
        assert [1 - me] == [decision.seat for decision in moved.view.decisions]
        service.now += 3_000_000
        back = await service.call("ProposeUndo", tokens[me], game_id=game_id)

    assert (whole - 30, whole - 30) == left(back.view, me, service.now)
