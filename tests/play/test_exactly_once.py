"""Tests that a repeated move is applied once, and that concurrent writers never fork a game."""

from __future__ import annotations

import asyncio

from gamehost.api.pipeline.status import RpcError, code_name
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import error_reason_pb2
from support.service import Service, detail


async def test_a_repeated_move_is_applied_once_and_answered_the_same():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    first = await service.call("PlayAction", ann, **request, request_id="once")
    await service.move(game_id, bob)

    again = await service.call("PlayAction", ann, **request, request_id="once")

    assert first == again


async def test_a_repeated_move_is_answered_the_same_by_another_process():
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    game_id, (ann, _) = await here.table("Ann", "Bob")
    request = await here.request(game_id, ann)
    first = await here.call("PlayAction", ann, **request, request_id="once")

    assert first == await there.call("PlayAction", ann, **request, request_id="once")


async def test_one_request_id_is_good_for_one_request():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    await service.call("PlayAction", ann, **await service.request(game_id, ann), request_id="once")

    other = {"game_id": game_id, "decision_id": "draft.1.2.0", "request_id": "once"}
    other["action"] = {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}}

    assert ("INVALID_ARGUMENT", "REQUEST_ID_REUSED") == await service.refusal("PlayAction", ann, **other)


async def test_a_request_id_of_one_seat_says_nothing_to_another():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    await service.call("PlayAction", ann, **request, request_id="once")

    code, reason = await service.refusal("PlayAction", bob, **request, request_id="once")

    assert ("ABORTED", "DECISION_ANSWERED") == (code, reason)


async def test_a_request_id_of_a_seat_says_nothing_to_the_same_seat_of_another_game():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    _, (stranger, _) = await service.table("Cid", "Dot")
    request = await service.request(game_id, ann)
    await service.call("PlayAction", ann, **request, request_id="once")

    refusal = await service.refusal("PlayAction", stranger, **request, request_id="once")

    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == refusal


async def test_a_double_click_plays_once():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)

    clicks = await asyncio.gather(
        *(service.call("PlayAction", ann, **request) for _ in range(5)), return_exceptions=True
    )

    refused = [click for click in clicks if isinstance(click, RpcError)]
    assert 4 == len(refused)
    assert {"DECISION_ANSWERED"} == {error.reason for error in refused}


async def test_simultaneous_answers_do_not_invalidate_one_another():
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    game_id, (ann, bob) = await here.table("Ann", "Bob")
    for_ann, for_bob = await here.request(game_id, ann), await there.request(game_id, bob)

    await asyncio.gather(here.call("PlayAction", ann, **for_ann), there.call("PlayAction", bob, **for_bob))

    view = (await here.call("GetView", game_id=game_id)).view
    assert 2 == view.tides.pick


async def test_an_answered_decision_is_told_what_it_missed():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    old = await service.request(game_id, ann)
    await service.move(game_id, ann)
    await service.move(game_id, bob)

    error = await service.error("PlayAction", ann, **old)

    missed = detail(error, error_reason_pb2.MissedEvents)
    seen = [event.WhichOneof("kind") and event.tides.WhichOneof("kind") for event in missed.events]
    assert "ABORTED" == code_name(error.status)
    assert ["card_chosen", "card_chosen", "cards_revealed", "hand_received", "hand_received"] == seen
    assert not missed.events[1].tides.card_chosen.HasField("card")  # Bob's, until it was revealed


async def test_a_stale_expected_version_is_told_what_it_missed():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, bob)
    version = (await service.call("GetGame", game_id=game_id)).game.version
    await service.move(game_id, ann)

    error = await service.error("PlayAction", bob, **request, expected_version=version)

    missed = detail(error, error_reason_pb2.MissedEvents)
    assert "STALE_VERSION" == error.reason
    assert [version + 1] == [event.version for event in missed.events]
    assert version + 1 == missed.version


async def test_validate_only_changes_nothing():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    before = await service.call("GetView", ann, game_id=game_id)

    rehearsed = await service.call("PlayAction", ann, **request, validate_only=True)

    assert before.view == rehearsed.view
    assert before == await service.call("GetView", ann, game_id=game_id)
    assert [] == list(rehearsed.events)


async def test_a_repeated_creation_makes_one_game_and_a_repeated_join_takes_one_seat():
    service = Service()
    create = {"title": "tides", "visibility": "VISIBILITY_PRIVATE", "request_id": "0123456789abcdef"}
    first = await service.call("CreateGame", **create)
    join = {"game_id": first.game.game_id, "invite_code": first.invite_code, "request_id": "fedcba9876543210"}
    joined = await service.call("JoinGame", **join)

    assert first == await service.call("CreateGame", **create)
    assert joined == await service.call("JoinGame", **join)


async def test_many_processes_race_for_the_seats_and_each_is_taken_once():
    store = MemoryEventStore()
    crowd = [Service(store) for _ in range(8)]
    game_id, _ = await crowd[0].table()

    joins = await asyncio.gather(
        *(service.call("JoinGame", game_id=game_id) for service in crowd), return_exceptions=True
    )

    seats = sorted(join.seat for join in joins if not isinstance(join, BaseException))
    refusals = {error.reason for error in joins if isinstance(error, RpcError)}
    assert [0, 1] == seats
    assert {"GAME_FULL"} == refusals


async def test_the_request_id_of_one_call_is_not_that_of_another_kind() -> None:
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob", manual_start=True)
    request = {"game_id": game_id, "request_id": "the-first-of-all-requests"}
    await service.call("StartGame", tokens[0], **request)

    others = ["Resign", "ReclaimSeat", "ProposeAbandon", "ProposeUndo", "AddBot", "LeaveGame"]
    refusals = [await service.refusal(other, tokens[0], **request) for other in others]

    assert [("INVALID_ARGUMENT", "REQUEST_ID_REUSED")] * len(others) == refusals
