"""Tests of ListGames and its pages."""

from __future__ import annotations

from typing import Any

from gamehost.play.ports.listings import Listing
from support.service import Service


async def pages(service: Service, **fields: Any) -> list[list[str]]:
    found, token = [], ""
    while True:
        page = await service.call("ListGames", **fields, page_token=token)
        found.append([game.game_id for game in page.games])
        token = page.next_page_token
        if not token:
            return found


async def test_pages_hold_every_public_game_once_newest_first():
    service = Service()
    games = []
    for _ in range(7):
        games.append((await service.table())[0])
        service.now += 1_000_000

    found = await pages(service, page_size=3)

    assert games[::-1] == [game for page in found for game in page]
    assert [3, 3, 1] == [len(page) for page in found]


async def test_a_game_moves_from_list_to_list():
    service = Service()
    game_id, _ = await service.table("Ann")
    assert [[game_id]] == await pages(service, status="GAME_STATUS_GATHERING")

    bob = await service.join(game_id)

    assert [[]] == await pages(service, status="GAME_STATUS_GATHERING")
    assert [[game_id]] == await pages(service, status="GAME_STATUS_PLAYING", title="tides")
    assert [[]] == await pages(service, title="tigris")
    assert bob


async def test_a_finished_game_is_listed_with_its_outcome():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)

    (game,) = (await service.call("ListGames", status="GAME_STATUS_FINISHED")).games

    assert (await service.call("GetGame", game_id=game_id)).game == game
    assert "ROUNDS_PLAYED" == game.outcome.reason


async def test_a_wrong_hint_is_taken_off_the_list():
    """A crash between listing a game and writing it leaves such an entry."""
    service = Service()
    game_id, _ = await service.table()
    await service.store.add_to_list("playing", Listing(game_id, 5))
    await service.store.add_to_list("all", Listing("b" * 20, 6))

    assert [[]] == await pages(service, status="GAME_STATUS_PLAYING")
    assert [[game_id]] == await pages(service)
    assert [] == list(await service.store.list_page("playing", before=None, limit=9))


async def test_nonsense_for_a_page_token_or_size_is_named():
    service = Service()
    for _ in range(3):
        await service.table()
    other = (await service.call("ListGames", page_size=1)).next_page_token

    for fields in ({"page_token": "x"}, {"page_token": "é"}, {"page_token": other, "title": "tides"}):
        error = await service.error("ListGames", **fields)
        assert "INVALID_REQUEST" == error.reason
        assert "page_token" in error.status.message
    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await service.refusal("ListGames", page_size=-1)
    assert 3 == len((await service.call("ListGames", page_size=10**9)).games)


async def test_legal_actions_come_in_pages_of_one_version():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    whole = await service.call("ListLegalActions", ann, game_id=game_id)

    first = await service.call("ListLegalActions", ann, game_id=game_id, page_size=3)
    rest = await service.call(
        "ListLegalActions", ann, game_id=game_id, page_size=3, page_token=first.next_page_token
    )
    assert list(whole.actions) == [*first.actions, *rest.actions]
    assert "" == rest.next_page_token

    await service.move(game_id, bob)
    assert ("ABORTED", "STALE_VERSION") == await service.refusal(
        "ListLegalActions", ann, game_id=game_id, page_size=3, page_token=first.next_page_token
    )


async def test_a_repeated_creation_does_not_make_a_game_newer():
    service = Service()
    wish = {"title": "tides", "request_id": "0123456789abcdef"}
    older = (await service.call("CreateGame", **wish)).game.game_id
    service.now += 1_000_000
    newer, _ = await service.table()
    service.now += 1_000_000

    await service.call("CreateGame", **wish)

    assert [newer, older] == [game.game_id for game in (await service.call("ListGames")).games]
