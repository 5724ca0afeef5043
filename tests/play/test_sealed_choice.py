"""Tests of TT-3: until both have chosen, the choice of a seat is in no answer to others."""

from __future__ import annotations

import contextlib

import pytest

from gamehost.api.pipeline.status import RpcError
from support.service import Service


async def answers(service: Service, game_id: str, token: str | None) -> list[bytes]:
    """Returns all answers about a game that a caller can get, as bytes."""
    said = []
    questions = {
        "GetGame": {},
        "GetView": {},
        "ListEvents": {"page_size": 1000},
        "ListLegalActions": {},
        "JoinGame": {},
        "PlayAction": {
            "decision_id": "draft.1.1.0",
            "action": {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}},
        },
    }
    for name, fields in questions.items():
        try:
            answer = await service.call(name, token, game_id=game_id, **fields)
        except RpcError as error:
            answer = error.status
        said.append(answer.SerializeToString(deterministic=True))
    version = (await service.call("GetGame", game_id=game_id)).game.version
    for at in range(1, version + 1):
        answer = await service.call("GetView", token, game_id=game_id, version=at)
        said.append(answer.SerializeToString(deterministic=True))
    async with contextlib.aclosing(service.watch(token, game_id=game_id, after_version=0)) as stream:
        async for message in stream:
            said.append(message.SerializeToString(deterministic=True))
            if message.HasField("caught_up"):
                break
    return said


async def world(choice: int, relics: bool) -> tuple[Service, str, str, str]:
    """Plays the same game with the same luck, in which only Ann has made that choice."""
    service = Service(luck="the same")
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    for _ in range(4 if relics else 0):
        await service.move(game_id, ann)
        await service.move(game_id, bob)
    await service.move(game_id, ann, choice)
    return service, game_id, ann, bob


@pytest.mark.parametrize("relics", [False, True], ids=["draft", "relics"])
async def test_two_worlds_that_differ_in_a_sealed_choice_look_the_same_to_others(relics):
    one, game_id, _, bob = await world(0, relics)
    other, _, _, _ = await world(3, relics)

    assert await answers(one, game_id, bob) == await answers(other, game_id, bob)
    assert await answers(one, game_id, None) == await answers(other, game_id, None)


async def test_the_chooser_sees_the_own_choice():
    one, game_id, ann, _ = await world(0, False)
    other, _, _, _ = await world(3, False)

    assert await answers(one, game_id, ann) != await answers(other, game_id, ann)
