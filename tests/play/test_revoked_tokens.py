"""Tests that a revoked token gets no recorded answer, whichever call is repeated with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gamehost.api.auth import api_keys
from gamehost.api.auth.api_keys import CACHE_SECONDS
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_service_pb2 as pb
from support.keyed_service import KeyedService
from support.service import Service

ONCE = "a-random-request-id"
REVOKED = ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
MINUTE = {"per_decision": {"seconds": 60}}

Scene = Callable[[Service], Awaitable[tuple[str, dict[str, Any]]]]


async def gathering(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann,) = await service.table("Ann", title="tigris", seat_count=3)
    return ann, {"game_id": game_id}


async def full(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, _) = await service.table("Ann", "Bob", manual_start=True)
    return ann, {"game_id": game_id}


async def playing(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, _, _) = await service.full_table("tigris", 3)
    return ann, {"game_id": game_id}


async def asked(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, _) = await service.table("Ann", "Bob")
    return ann, await service.request(game_id, ann)


async def moved(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, _) = await service.table("Ann", "Bob")
    await service.move(game_id, ann)
    return ann, {"game_id": game_id}


async def proposed(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, bob, _) = await service.full_table("tigris", 3)
    view = (await service.call("ProposeAbandon", bob, game_id=game_id)).view
    return ann, {"game_id": game_id, "proposal_id": view.proposal.proposal_id, "accept": True}


async def timed_out(service: Service) -> tuple[str, dict[str, Any]]:
    game_id, (ann, _) = await service.table("Ann", "Bob", clock=MINUTE)
    await service.pass_time(61)
    return ann, {"game_id": game_id}


SCENES: dict[str, Scene] = {
    "JoinGame": gathering,
    "AddBot": gathering,
    "StartGame": full,
    "PlayAction": asked,
    "ProposeUndo": moved,
    "ProposeAbandon": playing,
    "AnswerProposal": proposed,
    "Resign": playing,
    "ReclaimSeat": timed_out,
    "ForkGame": playing,
}
# Calls that end the token themselves, and one after which tokens cannot be revoked.
OTHERS = {"CreateGame", "LeaveGame", "RevokeSeatTokens", "Rematch"}


def test_every_call_with_a_request_id_is_tested_here():
    calls = pb.DESCRIPTOR.services_by_name["GameService"].methods
    repeatable = {rpc.name for rpc in calls if "request_id" in rpc.input_type.fields_by_name}

    assert repeatable == SCENES.keys() | OTHERS


@pytest.mark.parametrize("name", SCENES)
async def test_a_revoked_token_gets_no_recorded_answer(name: str):
    service = Service()
    token, request = await SCENES[name](service)
    sent = None if name == "JoinGame" else token
    first = await service.call(name, sent, **request, request_id=ONCE)

    assert first == await service.call(name, sent, **request, request_id=ONCE)
    await service.call("RevokeSeatTokens", token, game_id=request["game_id"])

    assert REVOKED == await service.refusal(name, token, **request, request_id=ONCE)


async def test_a_process_that_has_not_heard_of_the_revocation_gives_no_recorded_answer_either():
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    token, request = await asked(here)
    there_first = await there.call("PlayAction", token, **request, request_id=ONCE)

    assert there_first == await here.call("PlayAction", token, **request, request_id=ONCE)
    await here.call("RevokeSeatTokens", token, game_id=request["game_id"])

    assert REVOKED == await there.refusal("PlayAction", token, **request, request_id=ONCE)


async def test_the_call_that_ended_the_token_is_answered_again_until_the_next_revocation():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")

    first = await service.call("RevokeSeatTokens", ann, game_id=game_id, request_id=ONCE)
    again = await service.call("RevokeSeatTokens", ann, game_id=game_id, request_id=ONCE)
    await service.call("RevokeSeatTokens", first.seat_token, game_id=game_id)

    assert first == again
    assert REVOKED == await service.refusal("RevokeSeatTokens", ann, game_id=game_id, request_id=ONCE)


async def test_who_has_left_hears_of_that_again_and_of_nothing_else():
    service = Service()
    ann, request = await gathering(service)
    await service.call("AddBot", ann, **request, request_id=ONCE)

    left = await service.call("LeaveGame", ann, **request, request_id="left")

    assert left == await service.call("LeaveGame", ann, **request, request_id="left")
    assert REVOKED == await service.refusal("AddBot", ann, **request, request_id=ONCE)


async def test_a_token_that_was_revoked_before_the_end_gets_no_rematch():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    fresh = (await service.call("RevokeSeatTokens", ann, game_id=game_id)).seat_token
    await service.finish(game_id, [fresh, bob])
    await service.call("Rematch", fresh, game_id=game_id, request_id=ONCE)

    assert REVOKED == await service.refusal("Rematch", ann, game_id=game_id, request_id=ONCE)


async def test_a_key_that_was_removed_gets_no_recorded_answer():
    service = KeyedService()
    alice, bob = await service.key("alice"), await service.key("bob")
    game_id, _ = await service.shared_table(alice, bob)
    request = {**await service.request(game_id, alice), "request_id": ONCE}
    created = {"title": "tides", "request_id": ONCE}
    first = await service.call("PlayAction", alice, **request)
    opened = await service.call("CreateGame", alice, **created)

    assert first == await service.call("PlayAction", alice, **request)
    assert opened == await service.call("CreateGame", alice, **created)
    await api_keys.revoke_key(service.store, "alice")
    await service.pass_time(CACHE_SECONDS)

    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("PlayAction", alice, **request)
    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("CreateGame", alice, **created)
