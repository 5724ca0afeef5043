"""Tests of Tigris & Euphrates in the service: typed options, actions, views and refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.service import Service, info

LEGAL_PAGE = 500


async def seated(service: Service, seats: int, **options: Any) -> tuple[str, list[str]]:
    """Creates a full game; returns its id and the tokens by seat."""
    made = await service.call("CreateGame", title="tigris", seat_count=seats, options={"tigris": options})
    return made.game.game_id, [await service.join(made.game.game_id) for _ in range(seats)]


async def asked(service: Service, game_id: str) -> Any:
    view = (await service.call("GetView", game_id=game_id)).view
    return view.decisions[0] if view.decisions else None


async def answer(service: Service, game_id: str, **action: Any) -> dict[str, Any]:
    decision = await asked(service, game_id)
    return {"game_id": game_id, "decision_id": decision.decision_id, "action": {"tigris": action}}


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_a_game_from_the_first_tile_to_the_last_score(seats: int):
    service, coin = Service(), random.Random(seats)
    game_id, tokens = await seated(service, seats, board="BOARD_SIDE_ADVANCED", civilization_buildings=True)
    for _ in range(60):
        token = tokens[(await asked(service, game_id)).seat]
        legal = await service.call("ListLegalActions", token, game_id=game_id, page_size=LEGAL_PAGE)
        assert not legal.next_page_token
        await service.move(game_id, token, coin.randrange(len(legal.actions)))

    while decision := await asked(service, game_id):
        legal = await service.call(
            "ListLegalActions", tokens[decision.seat], game_id=game_id, page_size=LEGAL_PAGE
        )
        done = await service.move(game_id, tokens[decision.seat], len(legal.actions) - 1)

    assert "STANDSTILL" == done.view.game.outcome.reason
    assert seats == len(done.view.game.outcome.ranks)
    (ended,) = (event.tigris.game_ended for event in done.events if event.tigris.HasField("game_ended"))
    assert seats == len(ended.standings)


async def test_each_seat_sees_its_own_hand_and_points_alone():
    service = Service()
    game_id, tokens = await seated(service, 3)

    views = [(await service.call("GetView", token, game_id=game_id)).view.tigris for token in tokens]
    watched = (await service.call("GetView", game_id=game_id)).view.tigris

    for seat, view in enumerate(views):
        assert [6 if other == seat else 0 for other in range(3)] == [len(each.hand) for each in view.players]
        assert [4 if other == seat else 0 for other in range(3)] == [
            len(each.points) for each in view.players
        ]
        assert not view.HasField("bag")
    assert [6, 6, 6] == [player.hidden_hand for player in watched.players]


async def test_others_see_how_many_tiles_were_drawn_and_not_which():
    service = Service()
    game_id, tokens = await seated(service, 2)

    events = (await service.call("ListEvents", tokens[0], game_id=game_id)).events
    drawn = {
        e.tigris.tiles_drawn.seat: e.tigris.tiles_drawn for e in events if e.tigris.HasField("tiles_drawn")
    }

    assert (6, False) == (len(drawn[0].tiles), drawn[0].HasField("hidden_tiles"))
    assert (0, 6) == (len(drawn[1].tiles), drawn[1].hidden_tiles)


async def test_a_space_off_the_board_is_refused_by_the_rules():
    service = Service()
    game_id, tokens = await seated(service, 2)
    seat = (await asked(service, game_id)).seat
    catastrophe = await answer(service, game_id, play_catastrophe={})
    await service.call("PlayAction", tokens[seat], **catastrophe)
    before = await service.call("GetView", tokens[seat], game_id=game_id)

    beyond = await answer(service, game_id, choose_space={"space": {"row": 11, "column": 3}})
    error = await service.error("PlayAction", tokens[seat], **beyond)

    assert ("OFF_BOARD", "TE-2") == (error.reason, info(error).metadata["rule"])
    assert before == await service.call("GetView", tokens[seat], game_id=game_id)


async def test_malformed_actions_are_refused_before_the_rules_see_them():
    service = Service()
    game_id, tokens = await seated(service, 2)
    seat = (await asked(service, game_id)).seat

    for action in ({"place_tile": {}}, {"place_leader": {"leader": 9}}, {"choose_space": {}}, {}):
        request = await answer(service, game_id, **action)
        assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await service.refusal(
            "PlayAction", tokens[seat], **request
        )


async def test_nobody_answers_for_another_seat():
    service = Service()
    game_id, tokens = await seated(service, 2)
    other = 1 - (await asked(service, game_id)).seat

    request = await answer(service, game_id, end_turn={})

    assert ("FAILED_PRECONDITION", "NOT_YOUR_DECISION") == await service.refusal(
        "PlayAction", tokens[other], **request
    )
