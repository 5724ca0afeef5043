"""Tests that a caller with an identity acts for its own seats only."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.api.auth import api_keys
from gamehost.api.pipeline.status import RpcError
from support.keyed_service import KeyedService
from support.service import DAY, SECRET, Service, detail

ONCE = "a-random-request-id"


async def test_a_key_plays_the_seat_it_took_without_a_seat_token():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)

    played = await service.move(game_id, ann)
    seen = await service.call("GetView", bob, game_id=game_id)

    assert (0, 1) == (played.view.seat, seen.view.seat)
    assert 5 == len(seen.view.tides.hand)
    assert ("FAILED_PRECONDITION", "NOT_YOUR_DECISION") == await service.refusal(
        "PlayAction", ann, **await service.request(game_id, bob)
    )


async def test_a_seat_token_still_opens_its_seat_where_identities_are_asked_for():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, (token, _) = await service.shared_table(ann, bob)

    assert 0 == (await service.call("GetView", token, game_id=game_id)).view.seat


async def test_who_has_no_seat_sees_as_a_spectator_and_cannot_act():
    service = KeyedService()
    ann, bob, eve = [await service.key(name) for name in ("ann", "bob", "eve")]
    game_id, _ = await service.shared_table(ann, bob)

    view = (await service.call("GetView", eve, game_id=game_id)).view

    assert not view.HasField("seat")
    assert [] == list(view.tides.hand)
    for name, fields in (("ListLegalActions", {}), ("RefreshSeatToken", {}), ("GetView", {"seat": 0})):
        assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
            name, eve, game_id=game_id, **fields
        )


async def test_a_private_game_does_not_exist_for_a_caller_without_a_seat():
    service = KeyedService()
    ann, eve = await service.key("ann"), await service.key("eve")
    game_id, _ = await service.shared_table(ann, visibility="VISIBILITY_PRIVATE")
    absent = "a" * 20

    for name, fields in (
        ("GetGame", {}),
        ("GetView", {"seat": 0}),
        ("ListLegalActions", {}),
        ("JoinGame", {}),
    ):
        private = await service.error(name, eve, game_id=game_id, **fields)
        nowhere = await service.error(name, eve, game_id=absent, **fields)
        assert "GAME_NOT_FOUND" == private.reason
        assert private.status.message == nowhere.status.message.replace(absent, game_id)
    assert game_id == (await service.call("GetGame", ann, game_id=game_id)).game.game_id


async def test_who_has_several_seats_must_say_which():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, _ = await service.shared_table(ann, ann)

    for name in ("GetView", "ListLegalActions", "ListEvents", "RefreshSeatToken"):
        error = await service.error(name, ann, game_id=game_id)
        assert "INVALID_REQUEST" == error.reason
        [violation] = detail(error, error_details_pb2.BadRequest).field_violations
        assert "seat" == violation.field
    views = [(await service.call("GetView", ann, game_id=game_id, seat=seat)).view for seat in (0, 1)]

    assert [0, 1] == [view.seat for view in views]
    assert list(views[0].tides.hand) != list(views[1].tides.hand)
    assert game_id == (await service.call("GetGame", ann, game_id=game_id)).game.game_id


async def test_who_has_several_seats_is_told_the_seed_without_saying_which():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, tokens = await service.shared_table(ann, ann, reveal="REVEAL_POLICY_PARTICIPANTS")
    before = (await service.call("GetFairness", ann, game_id=game_id)).fairness
    await service.finish(game_id, tokens)

    after = (await service.call("GetFairness", ann, game_id=game_id)).fairness

    assert (False, 32) == (before.HasField("seed"), len(after.seed))


async def test_who_has_several_seats_plays_each_by_its_number():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, _ = await service.shared_table(ann, ann)

    for seat in (0, 1):
        legal = await service.call("ListLegalActions", ann, game_id=game_id, seat=seat)
        move = {"decision_id": legal.decision.decision_id, "action": legal.actions[0].action}
        played = await service.call("PlayAction", ann, game_id=game_id, seat=seat, **move)
        assert seat == played.view.seat


async def test_a_double_click_does_not_take_two_seats():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, _ = await service.shared_table(ann)

    assert ("ALREADY_EXISTS", "ALREADY_JOINED") == await service.refusal("JoinGame", ann, game_id=game_id)
    assert 1 == (await service.call("JoinGame", ann, game_id=game_id, seat=1)).seat


async def test_a_token_says_its_seat_already():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")

    assert 0 == (await service.call("GetView", ann, game_id=game_id, seat=0)).view.seat
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
        "GetView", ann, game_id=game_id, seat=1
    )


async def test_nobody_is_told_whose_a_seat_is():
    service = KeyedService()
    ann, bob = await service.key("ann-the-first"), await service.key("bob-the-second")
    game_id, _ = await service.shared_table(ann, bob)
    error = await service.error("ListLegalActions", ann, game_id=game_id, seat=1)

    shown = [
        await service.call(name, key, game_id=game_id)
        for key in (ann, bob)
        for name in ("GetGame", "GetView", "ListEvents", "ListLegalActions")
    ]
    shown += [await service.call("ListGames", ann), error.status]
    stream = service.watch(ann, game_id=game_id, after_version=0)
    shown += [await anext(stream) for _ in range(3)]
    await stream.aclose()

    assert [] == [message for message in shown if "-the-" in str(message)]
    kept = b"".join(stored.payload for stored in await service.store.read(game_id))
    assert b"key:ann-the-first" in kept


async def test_nor_when_everything_else_is_revealed():
    service = KeyedService()
    ann, bob = await service.key("ann-the-first"), await service.key("bob-the-second")
    game_id, tokens = await service.shared_table(ann, bob)
    await service.finish(game_id, tokens)

    events = (await service.call("ListEvents", ann, game_id=game_id, page_size=1000)).events
    stream = [message async for message in service.watch(ann, game_id=game_id, after_version=0)]
    shown = [*events, *stream, await service.call("GetFairness", ann, game_id=game_id)]

    assert "seed_revealed" == events[-1].WhichOneof("kind")
    assert [] == [message for message in shown if "-the-" in str(message)]


async def test_another_process_and_a_snapshot_know_the_owner():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)
    table = await service.application.tables.current(game_id)
    copy = service.codec.decode_table(game_id, service.codec.encode_table(table, with_state=True))
    other = KeyedService(service.store)

    assert table == copy
    assert 1 == (await other.call("GetView", bob, game_id=game_id)).view.seat


async def test_callers_do_not_share_request_ids():
    service = KeyedService()
    ann, eve = await service.key("ann"), await service.key("eve")
    mine = await service.call(
        "CreateGame", ann, title="tides", visibility="VISIBILITY_PRIVATE", request_id=ONCE
    )
    taken = await service.call(
        "JoinGame", ann, game_id=mine.game.game_id, request_id=ONCE, invite_code=mine.invite_code
    )

    again = await service.call(
        "CreateGame", ann, title="tides", visibility="VISIBILITY_PRIVATE", request_id=ONCE
    )
    hers = await service.call(
        "CreateGame", eve, title="tides", visibility="VISIBILITY_PRIVATE", request_id=ONCE
    )
    joined = await service.call(
        "JoinGame", eve, game_id=mine.game.game_id, request_id=ONCE, invite_code=mine.invite_code
    )

    assert mine.game.game_id == again.game.game_id
    assert mine.game.game_id != hers.game.game_id
    assert (0, 1) == (taken.seat, joined.seat)
    assert taken.seat_token != joined.seat_token


async def test_a_repeated_move_of_a_caller_is_applied_once():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)
    move = await service.request(game_id, ann)

    first = await service.call("PlayAction", ann, request_id="once", **move)
    second = await service.call("PlayAction", ann, request_id="once", **move)

    assert first == second


@pytest.mark.parametrize(
    "spoiled", ["shedu_key_ann_aaaa", "shedu_key_", "shedu_key_ann", "nonsense", "shedu_seat_x"]
)
async def test_a_key_that_was_never_made_is_refused(spoiled: str):
    service = KeyedService()
    await service.key("ann")

    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("ListGames", spoiled)


async def test_a_revoked_key_dies_within_seconds_and_a_new_one_lives_at_once():
    service = KeyedService()
    ann = await service.key("ann")
    await service.call("ListGames", ann)

    await api_keys.revoke_key(service.store, "ann")
    service.now += 3_000_000
    anew = await service.key("ann")

    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("ListGames", ann)
    assert ann != anew
    await service.call("ListGames", anew)


async def test_a_stream_does_not_outlive_its_key_for_long():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, (token, _) = await service.shared_table(ann, bob)
    streams = [service.watch(who, game_id=game_id) for who in (ann, token, bob)]
    for stream in streams:
        await anext(stream)
    await api_keys.revoke_key(service.store, "ann")

    service.now += 31 * 1_000_000
    ended = [await ending(stream) for stream in streams]
    service.now += 31 * DAY * 1_000_000

    assert ["TOKEN_INVALID", "", ""] == ended
    assert "TOKEN_EXPIRED" == await ending(streams[1])
    await streams[2].aclose()


async def ending(stream: Any) -> str:
    """Returns the reason with which a stream ends within its next messages; empty if it does not end."""
    try:
        for _ in range(3):
            await anext(stream)
    except RpcError as error:
        return error.reason
    return ""


async def test_a_key_is_kept_as_a_digest_only():
    service = KeyedService()
    ann = await service.key("ann")

    kept = await service.store.all_registered(api_keys.REGISTRY_NAME)

    assert ["ann"] == list(kept)
    assert ann.rpartition("_")[2].encode() not in kept["ann"]
    assert api_keys.key_digest(ann).encode() in kept["ann"]


@pytest.mark.parametrize("name", ["", "Ann", "a_b", "-a", "a" * 41, "ä"])
async def test_a_key_has_a_plain_name(name: str):
    with pytest.raises(api_keys.KeyProblem):
        await KeyedService().key(name)


async def test_a_name_has_one_key():
    service = KeyedService()
    await service.key("ann")

    with pytest.raises(api_keys.KeyProblem, match="key ann exists already"):
        await service.key("ann")


async def test_an_open_service_knows_no_keys():
    service = Service(secrets=(SECRET,))

    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("ListGames", "shedu_key_ann_abc")
