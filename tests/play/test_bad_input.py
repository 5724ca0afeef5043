"""Tests that bad input gets the right typed error, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.play.table.events import SeatLeft, SeatTaken
from gamehost.rules.kit import Seat
from support.service import Service, detail, info, tables_from_logs

MOLEHILL = {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}}
ABSENT = "a" * 20
PER_DECISION = "clock.per_decision"


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
        ("GetView", {"game_id": ABSENT, "legal_actions_limit": -1}, "legal_actions_limit"),
        ("GetView", {"game_id": ABSENT, "read_mask": {"paths": ["hand"]}}, "read_mask"),
        ("GetView", {"game_id": ABSENT, "read_mask": {"paths": ["view\u202e"]}}, "read_mask.paths[0]"),
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
        ("ListGames", {"created_after": {"seconds": 253_402_300_800}}, "created_after"),
        ("ListGames", {"created_after": {"seconds": -62_135_596_801}}, "created_after"),
        ("ListGames", {"created_after": {"seconds": 2**63 - 1}}, "created_after"),
        ("ListGames", {"created_after": {"nanos": -1}}, "created_after"),
        ("ListGames", {"created_after": {"nanos": 1_000_000_000}}, "created_after"),
        ("CreateGame", {"title": "tides", "clock": {"per_decision": {"seconds": 2**63 - 1}}}, PER_DECISION),
        (
            "CreateGame",
            {"title": "tides", "clock": {"per_decision": {"seconds": 1, "nanos": -1}}},
            PER_DECISION,
        ),
        ("CreateGame", {"title": "tides", "clock": {"per_decision": {"nanos": 2**31 - 1}}}, PER_DECISION),
        (
            "CreateGame",
            {"title": "tides", "clock": {"bank": {"initial": {"seconds": 9}, "cap": {"nanos": -(2**31)}}}},
            "clock.bank.cap",
        ),
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


UNSAFE = {
    "NUL": "\0",
    "line feed": "\n",
    "carriage return": "\r",
    "escape": "\x1b",
    "delete": "\x7f",
    "C1 control": "\x9b",
    "line separator": "\u2028",
    "left-to-right mark": "\u200e",
    "Arabic letter mark": "\u061c",
    "right-to-left override": "\u202e",
    "pop directional isolate": "\u2069",
}


@pytest.mark.parametrize("character", UNSAFE.values(), ids=UNSAFE)
async def test_text_with_control_or_bidirectional_characters_is_refused(character: str):
    service = Service()
    game_id, _ = await service.table("Ann")
    wishes = {
        "display_name": ("JoinGame", {"game_id": game_id, "display_name": f"A{character}B"}),
        "invite_code": ("JoinGame", {"game_id": game_id, "invite_code": character}),
        "seats[1].reserved_for": (
            "CreateGame",
            {"title": "tides", "seats": [{}, {"reserved_for": f"key:a{character}"}]},
        ),
    }

    for field, (name, request) in wishes.items():
        error = await service.error(name, **request)
        violations = detail(error, error_details_pb2.BadRequest).field_violations
        assert (field, "INVALID_REQUEST") == (violations[0].field, error.reason)
        assert f"U+{ord(character):04X}" in violations[0].description
    assert not (await service.call("GetGame", game_id=game_id)).game.seats[1].taken


@pytest.mark.parametrize("name", ["Ünsal 🂡", "שירה", "علي", "می\u200cخواهم", "👩\u200d👧", "O'Neil <b>", "á"])
async def test_names_in_every_script_are_taken(name: str):
    service = Service()
    game_id, _ = await service.table(name)

    assert name == (await service.call("GetGame", game_id=game_id)).game.seats[0].display_name


async def test_a_name_that_was_taken_before_it_was_refused_is_still_told():
    service = Service()
    game_id, (_, bob) = await service.table("Ann", "Bob", manual_start=True)
    old = "A\x1b[31m\u202eB\n"
    await service.append_events(game_id, SeatLeft(Seat(0)), SeatTaken(Seat(0), old))
    await service.call("StartGame", bob, game_id=game_id)

    folded = await tables_from_logs(service).current(game_id)
    told = await service.call("ListEvents", bob, game_id=game_id)

    assert old == folded.chairs[0].display_name
    assert old in [event.seat_taken.display_name for event in told.events]
    assert old == (await service.call("GetGame", game_id=game_id)).game.seats[0].display_name
