"""Tests of the card game in the service: typed options, moves, refusals, hidden information."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from shedu.tigris_cards.v1 import tigris_cards_pb2 as wire
from support.service import Service, info


async def seated(service: Service, seats: int, **fields: Any) -> tuple[str, list[str]]:
    created = await service.call("CreateGame", title="tigris_cards", seat_count=seats, **fields)
    game_id = created.game.game_id
    return game_id, [await service.join(game_id, display_name=f"Player {seat}") for seat in range(seats)]


async def asked(service: Service, game_id: str) -> int:
    view = (await service.call("GetView", game_id=game_id)).view
    return int(view.decisions[0].seat)


async def wander(service: Service, game_id: str, tokens: list[str], moves: int) -> None:
    """Plays so many random moves."""
    coin = random.Random(7)
    for _ in range(moves):
        token = tokens[await asked(service, game_id)]
        legal = await service.call("ListLegalActions", token, game_id=game_id)
        await service.move(game_id, token, coin.randrange(len(legal.actions)))


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_a_game_is_played_to_its_end_and_its_log_tells_all(seats):
    service = Service(luck=str(seats))
    game_id, tokens = await seated(service, seats)
    await wander(service, game_id, tokens, 40)

    last = await service.finish(game_id, tokens)

    assert "NO_CARD_PLAYED" == last.view.game.outcome.reason
    assert seats == len(last.view.tigris_cards.points)
    table = await service.application.tables.current(game_id)
    assert table == await TableCache(service.store, service.codec, CATALOG).current(game_id)


async def test_options_left_out_take_their_defaults():
    service = Service()
    options = {"tigris_cards": {"income_per_ship": True}}

    created = await service.call("CreateGame", title="tigris_cards", options=options)

    expected = wire.Options(leader_colour_must_differ=True, voluntary_withdrawal=True, income_per_ship=True)
    assert expected == created.game.options.tigris_cards


async def test_nobody_else_is_told_a_hand():
    service = Service()
    game_id, tokens = await seated(service, 3)
    await wander(service, game_id, tokens, 60)

    told = [(await service.call("ListEvents", token, game_id=game_id)).events for token in (None, *tokens)]

    for viewer, events in zip((None, 0, 1, 2), told, strict=True):
        for event in events:
            drawn = event.tigris_cards.cards_drawn
            if event.tigris_cards.HasField("cards_drawn") and drawn.seat != viewer:
                assert not drawn.cards
                assert drawn.hidden_cards


async def test_the_colour_of_a_link_is_told_to_its_player_alone_until_it_is_turned_up():
    service = Service()
    game_id, tokens = await seated(service, 3)
    await wander(service, game_id, tokens, 60)

    told = [(await service.call("ListEvents", token, game_id=game_id)).events for token in (None, *tokens)]

    for viewer, events in zip((None, 0, 1, 2), told, strict=True):
        laid = [each.tigris_cards.link_laid for each in events if each.tigris_cards.HasField("link_laid")]
        turned = [each for each in events if each.tigris_cards.HasField("link_turned_up")]
        assert laid
        assert [link.seat == viewer for link in laid] == [link.HasField("colour") for link in laid]
        assert all(each.tigris_cards.link_turned_up.colour for each in turned)


async def refusal(service: Service, game_id: str, token: str, action: dict[str, Any]) -> tuple[str, str]:
    decision_id = (await service.call("GetView", game_id=game_id)).view.decisions[0].decision_id
    request = {"game_id": game_id, "decision_id": decision_id, "action": {"tigris_cards": action}}
    found = info(await service.error("PlayAction", token, **request))
    return found.reason, found.metadata["rule"]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"lay_link": {"colour": "COLOUR_RED", "gap": 0}}, ("COLUMNS_TOO_SHORT", "EC-21")),
        (
            {"place_leader": {"colour": "COLOUR_RED", "place": {"column": 0, "row": 1}}},
            ("NO_CARD_THERE", "EC-10"),
        ),
        ({"play_calamity": {"place": {"column": 0, "row": 0}}}, ("IS_A_HEAD", "EC-24")),
        ({"withdraw_leader": {"colour": "COLOUR_BLUE"}}, ("LEADER_NOT_ON_TABLE", "EC-11")),
        ({"commit_cards": {"colour": "COLOUR_RED", "count": 1}}, ("NOT_ASKED", "EC-40")),
        ({"exchange_treasure": {"column": 0}}, ("NOT_ASKED", "EC-22")),
        ({"take_point": {}}, ("NOT_ASKED", "EC-20")),
    ],
)
async def test_a_refusal_names_the_rule_and_changes_nothing(action, expected):
    service = Service()
    game_id, tokens = await seated(service, 2)
    active = await asked(service, game_id)
    before = await service.call("GetView", tokens[active], game_id=game_id)

    refused = await refusal(service, game_id, tokens[active], action)

    assert expected == refused
    assert before == await service.call("GetView", tokens[active], game_id=game_id)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"lay_card": {"colour": "COLOUR_RED", "column": 8}}, "action.tigris_cards.lay_card.column"),
        ({"lay_card": {"column": 1}}, "action.tigris_cards.lay_card.colour"),
        ({"lay_link": {"colour": 9, "gap": 0}}, "action.tigris_cards.lay_link.colour"),
        ({"lay_link": {"colour": 1, "gap": 7}}, "action.tigris_cards.lay_link.gap"),
        ({"place_leader": {"colour": 1}}, "action.tigris_cards.place_leader.place"),
        ({"play_calamity": {"place": {"column": 8}}}, "action.tigris_cards.play_calamity.place.column"),
        ({"commit_cards": {"colour": 1, "count": 9}}, "action.tigris_cards.commit_cards.count"),
        ({"build_ship": {}}, "action.tigris_cards.build_ship.ship"),
        ({}, "action.tigris_cards"),
    ],
)
async def test_what_no_rule_could_allow_is_an_invalid_field(action, field):
    service = Service()
    game_id, tokens = await seated(service, 2)
    request = {"game_id": game_id, "decision_id": "q1", "action": {"tigris_cards": action}}

    error = await service.error("PlayAction", tokens[0], **request)

    assert field in str(error)
