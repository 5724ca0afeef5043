"""Tests of reserved seats, and of finding games with one."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import error_details_pb2

from support.keyed_service import KeyedService
from support.service import Service, detail

PRIVATE = "VISIBILITY_PRIVATE"


async def people(service: KeyedService, *names: str) -> list[str]:
    return [await service.key(name) for name in names]


def kept(*names: str) -> list[dict[str, str]]:
    """Returns a plan with a seat for each caller; an empty name is an open seat."""
    return [{"reserved_for": f"key:{name}" if name else ""} for name in names]


async def found(service: Service, who: str | None = None, **fields: Any) -> list[str]:
    """Returns the games of all pages."""
    games, token = [], ""
    while True:
        page = await service.call("ListGames", who, **fields, page_token=token)
        games += [game.game_id for game in page.games]
        token = page.next_page_token
        if not token:
            return games


async def test_a_kept_seat_is_taken_by_its_caller_alone():
    service = KeyedService()
    ann, bob, eve = await people(service, "ann", "bob", "eve")
    created = await service.call("CreateGame", ann, title="tides", seats=kept("", "bob"))
    game_id = created.game.game_id
    assert [False, True] == [seat.reserved for seat in created.game.seats]

    assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
        "JoinGame", eve, game_id=game_id, seat=1
    )
    mine = await service.call("JoinGame", bob, game_id=game_id)
    assert (1, [False, False]) == (mine.seat, [seat.reserved for seat in mine.game.seats])
    assert 0 == (await service.call("JoinGame", eve, game_id=game_id)).seat


async def test_when_only_kept_seats_are_open_others_are_told_so():
    service = KeyedService()
    ann, eve = await people(service, "ann", "eve")
    created = await service.call("CreateGame", ann, title="tides", seats=kept("", "bob"))
    await service.call("JoinGame", ann, game_id=created.game.game_id)

    assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
        "JoinGame", eve, game_id=created.game.game_id
    )


async def test_a_kept_seat_that_is_left_is_kept_still():
    service = KeyedService()
    ann, bob, eve = await people(service, "ann", "bob", "eve")
    game_id = (await service.call("CreateGame", ann, title="tides", seats=kept("bob", ""))).game.game_id
    await service.call("JoinGame", bob, game_id=game_id)

    left = await service.call("LeaveGame", bob, game_id=game_id)

    assert left.game.seats[0].reserved
    assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
        "JoinGame", eve, game_id=game_id, seat=0
    )
    assert 0 == (await service.call("JoinGame", bob, game_id=game_id)).seat


async def test_who_is_expected_needs_no_code_for_a_private_game():
    service = KeyedService()
    ann, bob, eve = await people(service, "ann", "bob", "eve")
    created = await service.call(
        "CreateGame", ann, title="tides", visibility=PRIVATE, seats=kept("ann", "bob")
    )
    game_id = created.game.game_id

    assert game_id == (await service.call("GetGame", bob, game_id=game_id)).game.game_id
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetGame", eve, game_id=game_id)
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("JoinGame", eve, game_id=game_id)
    assert ("FAILED_PRECONDITION", "SEAT_RESERVED") == await service.refusal(
        "JoinGame", eve, game_id=game_id, invite_code=created.invite_code
    )
    assert 1 == (await service.call("JoinGame", bob, game_id=game_id)).seat


async def test_nobody_is_shown_for_whom_a_seat_is_kept():
    service = KeyedService()
    ann, bob = await people(service, "ann", "bob-the-second")
    created = await service.call("CreateGame", ann, title="tides", seats=kept("", "bob-the-second"))
    game_id = created.game.game_id

    shown = [await service.call(name, bob, game_id=game_id) for name in ("GetGame", "GetView", "ListEvents")]
    shown += [created, await service.call("ListGames", bob, mine=True)]

    assert [] == [message for message in shown if "-the-" in str(message)]
    assert 2 == len(shown[2].events[0].game_created.seats)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seats": kept("bob")}, "seat_count"),
        ({"seats": kept("a", "b", "c"), "seat_count": 2}, "seats"),
        ({"seats": [{"reserved_for": "bob"}, {}]}, "seats[0].reserved_for"),
        ({"seats": [{}, {"reserved_for": "key:"}]}, "seats[1].reserved_for"),
        ({"seats": [{}, {"reserved_for": "jwt:bob"}]}, "seats[1].reserved_for"),
        ({"seats": [{}, {"reserved_for": "seat:1"}]}, "seats[1].reserved_for"),
        ({"seats": [{}, {"reserved_for": "k" * 257}]}, "seats[1].reserved_for"),
        ({"seats": [{"reserved_for": "key:bob", "bot_level": "x"}, {}]}, "seats[0].reserved_for"),
        ({"seats": [{}] * 17}, "seats"),
        ({"seats": [{}] * 5}, "seat_count"),
    ],
)
async def test_a_bad_plan_is_named_and_makes_no_game(fields: dict[str, Any], field: str):
    service = KeyedService()
    [ann] = await people(service, "ann")

    error = await service.error("CreateGame", ann, title="tides", **fields)

    assert "INVALID_REQUEST" == error.reason
    named = [each.field for each in detail(error, error_details_pb2.BadRequest).field_violations]
    assert [field] == named
    assert [] == await found(service, ann)


async def test_without_identities_no_seat_is_kept():
    service = Service()

    error = await service.error("CreateGame", title="tides", seats=kept("", "ann"))

    assert "INVALID_REQUEST" == error.reason
    assert "seats[1].reserved_for" in error.status.message


async def test_a_plan_says_how_many_chairs_there_are():
    service = Service()

    game = (await service.call("CreateGame", title="stone_age", seats=[{}] * 3)).game

    assert 3 == len(game.seats)


async def test_mine_are_the_games_where_one_sits_or_is_expected_listed_or_not():
    service = KeyedService()
    ann, bob, eve = await people(service, "ann", "bob", "eve")
    games = []
    for visibility in ("VISIBILITY_PUBLIC", "VISIBILITY_UNLISTED", PRIVATE):
        games.append((await service.shared_table(ann, bob, visibility=visibility))[0])
        service.now += 1_000_000
    invited = await service.call("CreateGame", eve, title="tides", visibility=PRIVATE, seats=kept("ann", ""))

    assert [invited.game.game_id, *games[::-1]] == await found(service, ann, mine=True, page_size=2)
    assert games[::-1] == await found(service, bob, mine=True)
    assert [] == await found(service, eve, mine=True)


async def test_mine_forgets_a_game_that_was_left():
    service = KeyedService()
    [ann] = await people(service, "ann")
    game_id, _ = await service.shared_table(ann)
    assert [game_id] == await found(service, ann, mine=True)

    await service.call("LeaveGame", ann, game_id=game_id)

    assert [] == await found(service, ann, mine=True)


async def test_mine_needs_an_identity():
    service = Service()
    _, (ann,) = await service.table("Ann")

    for who in (None, ann):
        assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal("ListGames", who, mine=True)


async def test_joinable_are_games_with_a_seat_for_this_caller():
    service = KeyedService()
    ann, bob, eve = await people(service, "ann", "bob", "eve")
    full, _ = await service.shared_table(ann, bob)
    half, _ = await service.shared_table(ann)
    for_bob = (await service.call("CreateGame", ann, title="tides", seats=kept("bob", "ann"))).game.game_id

    joinable = {who: set(await found(service, who, joinable=True)) for who in (ann, bob, eve)}

    assert {ann: {half, for_bob}, bob: {half, for_bob}, eve: {half}} == joinable
    assert {for_bob} == set(await found(service, bob, joinable=True, mine=True))
    assert [] == await found(service, bob, joinable=True, status="GAME_STATUS_PLAYING")
    assert full in await found(service, eve)


async def test_filters_combine_and_pages_skip_nothing():
    service = KeyedService()
    ann, bob = await people(service, "ann", "bob")
    made = []
    for number in range(12):
        keys = [ann, bob] if number % 3 == 0 else [ann]
        title = "tides" if number % 2 == 0 else "tigris"
        game: Any = (await service.call("CreateGame", ann, title=title)).game
        for seat, key in enumerate(keys):
            await service.call("JoinGame", key, game_id=game.game_id, seat=seat)
        made.append((game.game_id, title, len(keys) == 2, service.now))
        service.now += 1_000_000

    for size in (1, 2, 5, 100):
        for mine in (True, False):
            expected = [
                game
                for game, title, full, at in made[::-1]
                if title == "tides" and not full and at > made[2][3]
            ]
            actual = await found(
                service,
                ann,
                title="tides",
                joinable=True,
                mine=mine,
                page_size=size,
                created_after={"seconds": made[2][3] // 1_000_000},
            )
            assert expected == actual


async def test_created_after_ends_the_pages_there():
    service = Service()
    games = []
    for _ in range(6):
        games.append((await service.table())[0])
        service.now += 1_000_000
    after = {"seconds": (service.now - 3_000_000) // 1_000_000}

    first = await service.call("ListGames", created_after=after, page_size=3)

    assert [games[5], games[4]] == [game.game_id for game in first.games]
    assert "" == first.next_page_token
