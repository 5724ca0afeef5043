"""Tests of profiles, ratings, histories and leaderboards, as callers meet them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from gamehost.play.players.players import PlayerSettings
from support.keyed_service import KeyedService
from support.service import Service
from support.webhooks import URL


async def keys(service: KeyedService, *names: str) -> list[str]:
    found = [await service.key(name) for name in names]
    for name, key in zip(names, found, strict=True):
        await service.call("UpdateProfile", key, handle=name)
    return found


async def play(service: KeyedService, *players: str, rated: bool = True, **fields: Any) -> str:
    """Plays a game in which the last player resigns; returns its id."""
    game_id, tokens = await service.shared_table(*players, rated=rated, seat_count=len(players), **fields)
    await service.call("Resign", tokens[-1], game_id=game_id)
    await service.record_finished_games()
    return game_id


async def rating(service: KeyedService, handle: str, key: str, title: str = "tides") -> tuple[int, int]:
    """Returns the rating of a player and its number of games."""
    player = (await service.call("GetPlayer", key, handle=handle)).player
    [found] = [each for each in player.ratings if each.title == title] or [None]
    return (found.rating, found.games) if found else (1500, 0)


async def test_a_player_gets_a_made_up_handle_that_stays() -> None:
    service = KeyedService()
    ann = await service.key("ann")

    first = (await service.call("GetProfile", ann)).player
    second = (await service.call("GetProfile", ann)).player

    assert first.handle.startswith("player-")
    assert first == second
    assert first == (await service.call("GetPlayer", ann, handle=first.handle.upper())).player


async def test_a_handle_belongs_to_one_player() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")

    taken = await service.refusal("UpdateProfile", bob, handle="ANN")
    await service.call("UpdateProfile", ann, handle="Ann")
    await service.call("UpdateProfile", ann, handle="Anna")
    await service.call("UpdateProfile", bob, handle="Ann")

    assert ("ALREADY_EXISTS", "HANDLE_TAKEN") == taken
    assert ("NOT_FOUND", "PLAYER_NOT_FOUND") == await service.refusal("GetPlayer", ann, handle="bob")
    assert "Ann" == (await service.call("GetPlayer", ann, handle="ann")).player.handle


@pytest.mark.parametrize("handle", ["badword", "xx-B4D_Word", "my-b-a-d-word"])
async def test_words_of_the_operator_are_refused_also_in_disguise(handle: str) -> None:
    service = KeyedService(players=PlayerSettings(refused_words=["BadWord"]))
    ann = await service.key("ann")

    refused = await service.refusal("UpdateProfile", ann, handle=handle)

    assert ("INVALID_ARGUMENT", "HANDLE_REFUSED") == refused
    assert "player-" in (await service.call("GetProfile", ann)).player.handle


@pytest.mark.parametrize("handle", ["", "ab", "a" * 21, "-ab", "a b", "ünsal", "bot:greedy", "key:ann"])
async def test_a_handle_has_a_form(handle: str) -> None:
    service = KeyedService()

    refused = await service.refusal("UpdateProfile", await service.key("ann"), handle=handle)

    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == refused


async def test_a_rated_game_changes_both_ratings_once() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")

    game_id = await play(service, ann, bob)
    await service.record_finished_games()

    (won, games), (lost, _) = await rating(service, "ann", bob), await rating(service, "bob", bob)
    assert 1 == games
    assert won - 1500 == 1500 - lost > 0
    [played] = (await service.call("ListPlayerGames", bob, handle="ann")).games
    assert (game_id, 0, "RESIGNED", True) == (played.game_id, played.seat, played.reason, played.rated)
    assert (1500, won) == (played.rating_change.before, played.rating_change.after)
    assert ["ann", "bob"] == [seat.handle for seat in played.seats]
    assert [1, 2] == [seat.rank for seat in played.seats]
    assert 1 == service.background.counts["tides rated"]


async def test_a_game_that_is_not_rated_is_in_the_history_alone() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")

    await play(service, ann, bob, rated=False)

    assert (1500, 0) == await rating(service, "ann", ann)
    [played] = (await service.call("ListPlayerGames", ann, handle="me")).games
    assert not played.rated
    assert not played.HasField("rating_change")


async def test_an_abandoned_game_is_nowhere() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    game_id, tokens = await service.shared_table(ann, bob, rated=True)

    proposal = await service.call("ProposeAbandon", tokens[0], game_id=game_id)
    del proposal
    await service.call(
        "AnswerProposal",
        tokens[1],
        game_id=game_id,
        proposal_id=(await service.call("GetView", tokens[1], game_id=game_id)).view.proposal.proposal_id,
        accept=True,
    )
    await service.record_finished_games()

    assert (1500, 0) == await rating(service, "ann", ann)
    assert [] == list((await service.call("ListPlayerGames", ann, handle="me")).games)


async def test_a_hosted_bot_is_rated_as_the_player_of_its_level() -> None:
    service = KeyedService()
    [ann] = await keys(service, "ann")
    seats = [{}, {"bot_level": "random"}]
    for _ in range(2):
        game = (await service.call("CreateGame", ann, title="tides", rated=True, seats=seats)).game
        token = (await service.call("JoinGame", ann, game_id=game.game_id)).seat_token
        await service.call("Resign", token, game_id=game.game_id)
    await service.record_finished_games()

    board = await service.call("ListLeaderboard", ann, title="tides")

    assert [(1, "", "random"), (2, "ann", "")] == [
        (entry.place, entry.handle, entry.bot_level) for entry in board.entries
    ]
    assert [False, True] == [entry.me for entry in board.entries]
    assert (2, 2) == (board.players, board.min_games)
    players = (await service.call("ListGamePlayers", ann, game_id=game.game_id)).players
    assert [("ann", ""), ("", "random")] == [(each.handle, each.bot_level) for each in players]
    assert [2, 2] == [each.ratings[0].games for each in players]


async def test_a_leaderboard_lists_players_with_enough_games_in_pages() -> None:
    service = KeyedService()
    ann, bob, cid = await keys(service, "ann", "bob", "cid")
    for winner, loser in ((ann, bob), (bob, cid), (ann, bob)):
        await play(service, winner, loser)

    first = await service.call("ListLeaderboard", cid, title="tides", page_size=1)
    second = await service.call(
        "ListLeaderboard", cid, title="tides", page_size=1, page_token=first.next_page_token
    )

    assert ["ann"] == [entry.handle for entry in first.entries]
    assert [(2, "bob")] == [(entry.place, entry.handle) for entry in second.entries]
    assert "" == second.next_page_token
    around = await service.call("ListLeaderboard", bob, title="tides", around_me=True, page_size=1)
    assert [(2, "bob", True)] == [(each.place, each.handle, each.me) for each in around.entries]
    # Cid has one game only.
    assert [] == list((await service.call("ListLeaderboard", cid, title="tides", around_me=True)).entries)
    assert ("NOT_FOUND", "TITLE_NOT_FOUND") == await service.refusal("ListLeaderboard", cid, title="chess")


async def test_a_history_has_filters_and_pages() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    won = [await play(service, ann, bob) for _ in range(2)]
    lost = await play(service, bob, ann, rated=False)

    async def games(**fields: Any) -> list[str]:
        response = await service.call("ListPlayerGames", ann, handle="me", **fields)
        return [game.game_id for game in response.games]

    assert [lost, won[1], won[0]] == await games()
    assert [won[1], won[0]] == await games(rated=True)
    assert [lost] == await games(rated=False)
    assert [lost] == await games(result="GAME_RESULT_LOST")
    assert [] == await games(title="tigris")
    first = await service.call("ListPlayerGames", ann, handle="me", page_size=2)
    token = first.next_page_token
    newer = await play(service, ann, bob)
    assert [won[0]] == await games(page_size=2, page_token=token)
    assert newer == (await games())[0]
    refused = await service.refusal("ListPlayerGames", ann, handle="me", page_size=2, page_token="nonsense")
    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == refused


async def test_statistics_count_results_by_seat() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    for players in ((ann, bob), (ann, bob), (bob, ann)):
        await play(service, *players)

    [found] = (await service.call("GetPlayerStatistics", bob, handle="ann")).titles

    assert ("tides", 3, 2) == (found.title, found.total.games, found.total.won)
    assert [(2, 2), (1, 0)] == [(seat.games, seat.won) for seat in found.seats]
    assert found.mean_length > 0


async def test_others_do_not_see_games_that_they_could_not_find() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    await play(service, ann, bob, rated=False, visibility="VISIBILITY_PRIVATE")
    await play(service, ann, bob, rated=False, visibility="VISIBILITY_UNLISTED")

    assert 2 == len((await service.call("ListPlayerGames", ann, handle="me")).games)
    assert 2 == len((await service.call("ListPlayerGames", ann, handle="ann")).games)
    assert [] == list((await service.call("ListPlayerGames", bob, handle="ann")).games)
    assert [] == list((await service.call("GetPlayerStatistics", bob, handle="ann")).titles)


async def test_pages_of_a_history_say_nothing_of_games_that_others_could_not_find() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    found = [
        await play(service, ann, bob, rated=False, visibility=f"VISIBILITY_{kind}")
        for kind in ("PUBLIC", "UNLISTED", "PRIVATE", "PUBLIC", "PRIVATE")
    ]

    listed, tokens, token = list[str](), list[str](), ""
    while not listed or token:
        page = await service.call("ListPlayerGames", bob, handle="ann", page_size=1, page_token=token)
        listed += [game.game_id for game in page.games]
        token = page.next_page_token
        tokens.append(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())

    assert [found[3], found[0]] == listed
    assert [True, True, False] == list(map(bool, tokens))
    assert not [game for game in found if game not in listed and any(game in each for each in tokens)]


async def test_a_hidden_history_is_the_players_own() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    await play(service, ann, bob)
    await service.call("UpdateProfile", ann, hide_history=True)

    for rpc in ("ListPlayerGames", "GetPlayerStatistics"):
        assert ("PERMISSION_DENIED", "HISTORY_HIDDEN") == await service.refusal(rpc, bob, handle="ann")
        await service.call(rpc, ann, handle="ann")
    assert (await service.call("GetPlayer", bob, handle="ann")).player.history_hidden


async def test_whoever_erases_its_data_leaves_games_without_a_name() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    game_id = await play(service, ann, bob)
    await play(service, ann, bob)
    before = await rating(service, "bob", bob)

    wrong = await service.refusal("ErasePlayerData", ann, handle="bob")
    await service.call("ErasePlayerData", ann, handle="Ann")

    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == wrong
    assert ("NOT_FOUND", "PLAYER_NOT_FOUND") == await service.refusal("GetPlayer", bob, handle="ann")
    played = (await service.call("ListPlayerGames", bob, handle="me")).games
    assert [["", "bob"]] * 2 == [[seat.handle for seat in game.seats] for game in played]
    players = (await service.call("ListGamePlayers", bob, game_id=game_id)).players
    assert ["", "bob"] == [each.handle for each in players]
    assert ["bob"] == [
        entry.handle for entry in (await service.call("ListLeaderboard", bob, title="tides")).entries
    ]
    assert before == await rating(service, "bob", bob)

    await play(service, ann, bob)

    assert 1 == len((await service.call("ListPlayerGames", ann, handle="me")).games)
    again = (await service.call("GetProfile", ann)).player
    assert again.handle.startswith("player-")
    assert [1] == [each.games for each in again.ratings]
    assert ["", "bob"] == [
        each.handle for each in (await service.call("ListGamePlayers", bob, game_id=game_id)).players
    ]


async def test_blocked_players_are_listed_for_the_caller_alone() -> None:
    service = KeyedService()
    ann, bob, _ = await keys(service, "ann", "bob", "cid")

    await service.call("BlockPlayer", ann, handle="cid")
    await service.call("BlockPlayer", ann, handle="Bob")
    await service.call("BlockPlayer", ann, handle="bob")
    await service.call("UnblockPlayer", ann, handle="cid")

    assert ["bob"] == list((await service.call("ListBlockedPlayers", ann)).handles)
    assert [] == list((await service.call("ListBlockedPlayers", bob)).handles)
    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await service.refusal("BlockPlayer", ann, handle="ann")
    assert ("NOT_FOUND", "PLAYER_NOT_FOUND") == await service.refusal("BlockPlayer", ann, handle="dot")


async def test_nothing_is_rated_where_callers_have_no_identity() -> None:
    service = Service()

    rated = await service.refusal("CreateGame", title="tides", rated=True)

    assert ("FAILED_PRECONDITION", "RATED_NOT_AVAILABLE") == rated
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal("GetProfile")
    assert [] == list((await service.call("ListLeaderboard", title="tides")).entries)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"visibility": "VISIBILITY_PRIVATE"}, "visibility"),
        ({"seats": [{"bot_level": "random"}] * 2}, "rated"),
        ({"title": "tigris", "seats": [{}, *[{"bot_level": "random"}] * 2]}, "seats"),
        ({"seats": [{"reserved_for": "key:bob"}] * 2}, "seats"),
    ],
)
async def test_a_game_is_not_rated_with_these_settings(fields: dict[str, Any], field: str) -> None:
    service = KeyedService()

    asked = {"title": "tides", "rated": True, **fields}

    error = await service.error("CreateGame", await service.key("ann"), **asked)

    assert "INVALID_REQUEST" == error.reason
    assert error.status.message.startswith(f"{field}: ")


async def test_a_rated_game_has_another_player_on_each_seat() -> None:
    service = KeyedService()
    [ann] = await keys(service, "ann")
    game = (await service.call("CreateGame", ann, title="tides", rated=True)).game
    assert game.rated
    await service.call("JoinGame", ann, game_id=game.game_id)

    again = await service.refusal("JoinGame", ann, game_id=game.game_id, seat=1)

    assert ("ALREADY_EXISTS", "ALREADY_JOINED") == again


async def test_a_rated_game_is_not_forked_while_it_runs() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    game_id, tokens = await service.shared_table(ann, bob, rated=True)

    refused = await service.refusal("ForkGame", tokens[0], game_id=game_id)
    await service.call("Resign", tokens[0], game_id=game_id)

    assert ("FAILED_PRECONDITION", "GAME_NOT_OVER") == refused


async def test_an_operator_can_turn_players_off() -> None:
    service = KeyedService(players=None)
    ann = await service.key("ann")

    assert ("UNIMPLEMENTED", "FEATURE_OFF") == await service.refusal("GetProfile", ann)
    assert ("UNIMPLEMENTED", "FEATURE_OFF") == await service.refusal("ListLeaderboard", ann, title="tides")
    rated = await service.refusal("CreateGame", ann, title="tides", rated=True)
    assert ("FAILED_PRECONDITION", "RATED_NOT_AVAILABLE") == rated


async def test_webhooks_tell_matches_and_ratings() -> None:
    service = KeyedService()
    ann, bob = await keys(service, "ann", "bob")
    types = ["WEBHOOK_EVENT_TYPE_GAME_MATCHED", "WEBHOOK_EVENT_TYPE_RATING_CHANGED"]
    await service.call("CreateWebhook", ann, url=URL, event_types=types)

    for key in (ann, bob):
        await service.call("CreateTicket", key, title="tides", rated=True)
    await service.match_tickets()
    [game_id] = await games_of(service)
    await service.call("Resign", bob, game_id=game_id)
    await service.record_finished_games()
    await service.deliver(1)

    matched, changed = [delivery.event for delivery in service.receiver.deliveries]
    assert {game_id} == {event["data"]["gameId"] for event in (matched, changed)}
    assert "1500" not in str(matched)
    assert await rating(service, "ann", ann) == (changed["data"]["rating"]["after"], 1)


async def games_of(service: KeyedService) -> list[str]:
    return [game async for game in service.store.games()]
