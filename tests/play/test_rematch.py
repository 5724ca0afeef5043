"""Tests of Rematch: a new game with the same seats."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehost.play.table.events import GameAbandoned
from gamehost.rules.catalog import CATALOG
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService
from support.service import Service

ONCE = "0123456789abcdef"


async def played(service: Service, *names: str, **fields: Any) -> tuple[str, list[str]]:
    game_id, tokens = await service.table(*names, **fields)
    await service.finish(game_id, tokens)
    return game_id, tokens


async def given_up(service: Service, game_id: str) -> None:
    """Ends a game as if it had expired before its start."""
    await service.append_events(game_id, GameAbandoned("EXPIRED"))


async def test_all_who_ask_come_to_the_same_game_on_their_old_seats():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")

    first = await service.call("Rematch", bob, game_id=game_id)
    assert [True, False] == [seat.reserved for seat in first.game.seats]
    second = await service.call("Rematch", ann, game_id=game_id)

    assert (1, 0) == (first.seat, second.seat)
    assert first.game.game_id == second.game.game_id != game_id
    assert game_id == second.game.rematch_of
    assert ["Ann", "Bob"] == [seat.display_name for seat in second.game.seats]
    views = [
        (await service.call("GetView", each.seat_token, game_id=each.game.game_id)).view
        for each in (second, first)
    ]
    assert [0, 1] == [view.seat for view in views]
    assert views[0].HasField("tides")


async def test_a_rematch_is_of_the_same_kind():
    service = Service()
    wish: dict[str, Any] = {
        "options": {"tides": {"maze_scores_once": False}},
        "visibility": "VISIBILITY_UNLISTED",
        "spectators": {"policy": "SPECTATOR_POLICY_TOKEN", "delay": 3},
        "reveal": "REVEAL_POLICY_PARTICIPANTS",
    }
    game_id, (ann, _) = await played(service, "Ann", "Bob", **wish)
    old = (await service.call("GetGame", ann, game_id=game_id)).game

    new = (await service.call("Rematch", ann, game_id=game_id)).game

    for field in ("title", "options", "visibility", "spectators", "reveal"):
        assert getattr(old, field) == getattr(new, field)
    assert len(old.seats) == len(new.seats)
    assert old.commitment != new.commitment


async def test_asking_again_is_answered_the_same():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")
    first = await service.call("Rematch", ann, game_id=game_id)
    service.now += 60_000_000

    again = await service.call("Rematch", ann, game_id=game_id)
    await service.call("Rematch", bob, game_id=game_id)
    later = await service.call("Rematch", ann, game_id=game_id)

    assert first == again
    assert (first.seat, first.seat_token) == (later.seat, later.seat_token)
    assert "GAME_STATUS_PLAYING" in str(later.game)


async def test_a_repeated_request_is_answered_the_same_though_the_game_went_on():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")
    first = await service.call("Rematch", ann, game_id=game_id, request_id=ONCE)
    await service.call("Rematch", bob, game_id=game_id, request_id=ONCE)

    assert first == await service.call("Rematch", ann, game_id=game_id, request_id=ONCE)


async def test_two_processes_that_are_asked_at_once_open_one_game():
    store = MemoryEventStore()
    here, there = Service(store, luck="here"), Service(store, luck="there")
    game_id, (ann, bob) = await played(here, "Ann", "Bob")

    answers = await asyncio.gather(
        here.call("Rematch", ann, game_id=game_id), there.call("Rematch", bob, game_id=game_id)
    )

    assert 1 == len({answer.game.game_id for answer in answers})
    new = answers[0].game.game_id
    assert [0, 1] == [answer.seat for answer in answers]
    for answer in answers:
        assert await here.move(new, answer.seat_token)


async def test_others_cannot_take_a_seat_of_a_rematch():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")
    new = (await service.call("Rematch", ann, game_id=game_id)).game.game_id

    for fields in ({}, {"seat": 1}):
        assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
            "JoinGame", game_id=new, **fields
        )
    assert 1 == (await service.call("Rematch", bob, game_id=game_id)).seat


async def test_only_seats_of_a_game_that_is_over_may_ask():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    _, (stranger, _) = await service.table("Cid", "Dot")

    assert ("FAILED_PRECONDITION", "GAME_NOT_OVER") == await service.refusal("Rematch", ann, game_id=game_id)
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
        "Rematch", stranger, game_id=game_id
    )
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal("Rematch", game_id=game_id)
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("Rematch", ann, game_id="a" * 20)


async def test_a_rematch_of_a_rematch_is_a_third_game():
    service = Service()
    game_id, tokens = await played(service, "Ann", "Bob")
    seen = {game_id}
    for _ in range(2):
        answers = [await service.call("Rematch", token, game_id=game_id) for token in tokens]
        game_id, tokens = answers[0].game.game_id, [answer.seat_token for answer in answers]
        seen.add(game_id)
        await service.finish(game_id, tokens)

    assert 3 == len(seen)


async def test_who_leaves_a_rematch_may_come_back():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")
    first = await service.call("Rematch", ann, game_id=game_id)
    await service.call("LeaveGame", first.seat_token, game_id=first.game.game_id)

    again = await service.call("Rematch", ann, game_id=game_id)
    await service.call("Rematch", bob, game_id=game_id)

    assert first.game.game_id == again.game.game_id
    assert first.seat_token != again.seat_token
    assert await service.move(again.game.game_id, again.seat_token)


async def test_a_revoked_token_does_not_come_back_by_asking_again():
    service = Service()
    game_id, (ann, _) = await played(service, "Ann", "Bob")
    first = await service.call("Rematch", ann, game_id=game_id)
    new = first.game.game_id
    await service.call("RevokeSeatTokens", first.seat_token, game_id=new)

    again = await service.call("Rematch", ann, game_id=game_id)

    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
        "GetView", again.seat_token, game_id=new
    )


async def test_a_rematch_that_was_given_up_can_be_asked_for_anew():
    service = Service()
    game_id, (ann, bob) = await played(service, "Ann", "Bob")
    first = (await service.call("Rematch", ann, game_id=game_id)).game.game_id
    await given_up(service, first)

    answers = [await service.call("Rematch", who, game_id=game_id) for who in (bob, ann)]

    assert first != answers[0].game.game_id == answers[1].game.game_id
    assert await service.move(answers[0].game.game_id, answers[0].seat_token)


async def test_seats_nobody_had_are_open_in_the_rematch():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    await given_up(service, game_id)

    new = (await service.call("Rematch", ann, game_id=game_id)).game

    assert [(True, False), (False, False)] == [(seat.taken, seat.reserved) for seat in new.seats]
    assert await service.join(new.game_id)


async def test_bots_sit_down_again():
    service = Service()
    game_id, (ann,) = await service.table("Ann")

    await service.call("AddBot", ann, game_id=game_id, bot_level="random")
    await given_up(service, game_id)

    new = (await service.call("Rematch", ann, game_id=game_id)).game

    assert "GAME_STATUS_PLAYING" in str(new)
    assert [("Ann", ""), ("Random bot", "random")] == [
        (seat.display_name, seat.bot_level) for seat in new.seats
    ]


async def test_an_identity_keeps_its_seat_and_is_invited():
    service = KeyedService()
    ann, bob, eve = [await service.key(name) for name in ("ann", "bob", "eve")]
    game_id, tokens = await service.shared_table(ann, bob, visibility="VISIBILITY_PRIVATE")
    await service.finish(game_id, tokens)

    asked = await service.call("Rematch", ann, game_id=game_id)
    new = asked.game.game_id

    assert new in [game.game_id for game in (await service.call("ListGames", bob, mine=True)).games]
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("JoinGame", eve, game_id=new)
    assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
        "JoinGame", eve, game_id=new, invite_code=asked.invite_code
    )
    assert 1 == (await service.call("JoinGame", bob, game_id=new)).seat


async def test_a_seat_token_sits_down_for_its_owner():
    service = KeyedService()
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    game_id, tokens = await service.shared_table(ann, bob)
    await service.finish(game_id, tokens)

    new = (await service.call("Rematch", tokens[0], game_id=game_id)).game.game_id

    assert 0 == (await service.call("GetView", ann, game_id=new)).view.seat


async def test_who_had_several_seats_says_which():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, tokens = await service.shared_table(ann, ann)
    await service.finish(game_id, tokens)

    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await service.refusal("Rematch", ann, game_id=game_id)
    answers = [await service.call("Rematch", ann, game_id=game_id, seat=seat) for seat in (1, 0)]

    assert [1, 0] == [answer.seat for answer in answers]
    assert "GAME_STATUS_PLAYING" in str(answers[1].game)


@pytest.mark.parametrize("title", sorted(CATALOG))
async def test_every_title_can_be_played_once_more(title: str):
    service = Service()
    created = (await service.call("CreateGame", title=title)).game
    tokens = [await service.join(created.game_id) for _ in created.seats]
    await given_up(service, created.game_id)

    answers = [await service.call("Rematch", token, game_id=created.game_id) for token in tokens]

    new = answers[-1].game
    view = (await service.call("GetView", game_id=new.game_id)).view
    assert await service.move(new.game_id, answers[view.decisions[0].seat].seat_token)


async def test_a_rematch_that_is_watched_with_a_token_has_one():
    service = Service()
    policy = {"policy": "SPECTATOR_POLICY_TOKEN"}
    game_id, (ann, bob) = await played(service, "Ann", "Bob", spectators=policy)
    await service.call("Rematch", ann, game_id=game_id)

    answer = await service.call("Rematch", bob, game_id=game_id)

    look = {"game_id": answer.game.game_id}
    view = (await service.call("GetView", answer.spectator_token, **look)).view
    assert answer.game.version == view.version
    assert not view.HasField("seat")
    assert ("PERMISSION_DENIED", "SPECTATOR_TOKEN_MISSING") == await service.refusal("GetView", **look)
