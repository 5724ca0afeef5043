"""Bad input gets the right typed error, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import error_details_pb2

from support.world import Service, detail, info

MOLEHILL = {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}}
ABSENT = "a" * 20


@pytest.mark.parametrize(
    ("name", "fields", "field"),
    [
        ("CreateGame", {"title": "chess"}, "title"),
        ("CreateGame", {"title": ""}, "title"),
        ("CreateGame", {"title": "Tides\n"}, "title"),
        ("CreateGame", {"title": "tides", "seat_count": 3}, "seat_count"),
        ("CreateGame", {"title": "tides", "seat_count": 99}, "seat_count"),
        ("CreateGame", {"title": "tides", "visibility": 9}, "visibility"),
        ("CreateGame", {"title": "tides", "request_id": "1"}, "request_id"),
        ("GetGame", {"game_id": ""}, "game_id"),
        ("GetGame", {"game_id": "{a}:*\n"}, "game_id"),
        ("GetGame", {"game_id": "a" * 19 + "*"}, "game_id"),
        ("GetGame", {"game_id": "a" * 20 + "\n"}, "game_id"),
        ("GetView", {"game_id": ABSENT, "version": 0}, "version"),
        ("ListEvents", {"game_id": ABSENT, "page_size": -5}, "page_size"),
        ("PlayAction", {"game_id": ABSENT, "decision_id": "x"}, "action"),
        (
            "PlayAction",
            {"game_id": ABSENT, "decision_id": "", "action": MOLEHILL},
            "decision_id",
        ),
        (
            "PlayAction",
            {"game_id": ABSENT, "decision_id": "x", "action": {"tides": {"choose_card": {"card": 99}}}},
            "action.tides.choose_card.card",
        ),
        (
            "PlayAction",
            {"game_id": ABSENT, "decision_id": "x", "action": {"tides": {}}},
            "action.tides",
        ),
        ("JoinGame", {"game_id": ABSENT, "display_name": "x" * 41}, "display_name"),
    ],
)
async def test_a_bad_field_is_named(name: str, fields: dict[str, Any], field: str):
    service = Service()

    error = await service.error(name, **fields)

    violations = detail(error, error_details_pb2.BadRequest).field_violations
    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await service.refusal(name, **fields)
    assert field in {violation.field for violation in violations}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("GetGame", {}),
        ("GetView", {}),
        ("ListEvents", {}),
        ("ListLegalActions", {}),
        ("JoinGame", {}),
        ("LeaveGame", {}),
        ("StartGame", {}),
        ("PlayAction", {"decision_id": "x", "action": MOLEHILL}),
    ],
)
async def test_an_unknown_game_is_not_found(name: str, fields: dict[str, Any]):
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await Service().refusal(name, game_id=ABSENT, **fields)


async def test_an_unknown_title_is_not_found():
    assert ("NOT_FOUND", "TITLE_NOT_FOUND") == await Service().refusal("GetTitle", title="chess")


async def test_a_refusal_of_the_rules_carries_its_reason_rule_and_title():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    legal = await service.call("ListLegalActions", ann, game_id=game_id)
    held = {legal.action.tides.choose_card.card for legal in legal.actions}
    request["action"] = {"tides": {"choose_card": {"card": next(c for c in range(1, 19) if c not in held)}}}
    before = await service.call("GetView", ann, game_id=game_id)

    error = await service.error("PlayAction", ann, **request)

    metadata = info(error).metadata
    assert ("tides", "TT-2") == (metadata["title"], metadata["rule"])
    assert "FAILED_PRECONDITION" in str(error)
    assert error.reason.isupper()
    assert before == await service.call("GetView", ann, game_id=game_id)


async def test_the_seats():
    service = Service()
    game_id, (ann,) = await service.table("Ann")

    assert ("NOT_FOUND", "SEAT_NOT_FOUND") == await service.refusal("JoinGame", game_id=game_id, seat=2)
    assert ("FAILED_PRECONDITION", "SEAT_TAKEN") == await service.refusal("JoinGame", game_id=game_id, seat=0)
    assert ("ALREADY_EXISTS", "ALREADY_JOINED") == await service.refusal("JoinGame", ann, game_id=game_id)
    assert ("FAILED_PRECONDITION", "GAME_NOT_FULL") == await service.refusal(
        "StartGame", ann, game_id=game_id
    )
    move = {"game_id": game_id, "decision_id": "draft.1.1.0", "action": MOLEHILL}
    assert ("FAILED_PRECONDITION", "GAME_NOT_STARTED") == await service.refusal("PlayAction", ann, **move)

    await service.join(game_id)

    assert ("FAILED_PRECONDITION", "GAME_FULL") == await service.refusal("JoinGame", game_id=game_id)
    assert ("FAILED_PRECONDITION", "GAME_STARTED") == await service.refusal("StartGame", ann, game_id=game_id)
    assert ("FAILED_PRECONDITION", "GAME_STARTED") == await service.refusal("LeaveGame", ann, game_id=game_id)
    assert [] == list((await service.call("ListLegalActions", ann, game_id=game_id, page_size=1)).actions)[1:]


async def test_a_manual_start_waits_for_someone_to_ask():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob", manual_start=True)
    assert [] == list((await service.call("GetView", ann, game_id=game_id)).view.decisions)

    started = await service.call("StartGame", bob, game_id=game_id)

    assert 2 == started.game.status
    assert 2 == len((await service.call("GetView", ann, game_id=game_id)).view.decisions)


async def test_options_left_out_take_their_defaults():
    service = Service()

    made = await service.call("CreateGame", title="tides", options={"tides": {"maze_scores_once": False}})

    options = made.game.options.tides
    assert (False, True) == (options.maze_scores_once, options.nest_wins_zero_zero)
