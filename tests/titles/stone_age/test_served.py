"""Tests of Stone Age in the service: typed moves, refusals with their rule, a whole game."""

from __future__ import annotations

import random
from typing import Any

import pytest
from google.rpc import error_details_pb2

from shedu.stone_age.v1 import stone_age_pb2 as wire
from support.service import Service, detail, info


async def seated(service: Service, seats: int, **options: Any) -> tuple[str, list[str]]:
    made = await service.call(
        "CreateGame", title="stone_age", seat_count=seats, options={"stone_age": options}
    )
    game_id = made.game.game_id
    return game_id, [await service.join(game_id) for _ in range(seats)]


async def asked(service: Service, game_id: str, tokens: list[str]) -> tuple[str, str]:
    """Returns the token of the seat that decides, and the id of its decision."""
    view = (await service.call("GetView", game_id=game_id)).view
    return tokens[view.decisions[0].seat], view.decisions[0].decision_id


async def move(service: Service, game_id: str, tokens: list[str], coin: random.Random) -> Any:
    """Plays a random move, but never declines."""
    token, decision = await asked(service, game_id, tokens)
    legal = (await service.call("ListLegalActions", token, game_id=game_id, page_size=500)).actions
    actions = [each.action for each in legal if not each.action.stone_age.HasField("decline")]
    return await service.call(
        "PlayAction", token, game_id=game_id, decision_id=decision, action=coin.choice(actions)
    )


async def play_to_the_end(service: Service, game_id: str, tokens: list[str]) -> Any:
    coin = random.Random(7)
    while True:
        played = await move(service, game_id, tokens, coin)
        if played.view.game.HasField("outcome"):
            return played


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_a_game_is_played_to_its_last_round(seats: int):
    service = Service()
    game_id, tokens = await seated(service, seats, max_rounds=2)

    last = await play_to_the_end(service, game_id, tokens)

    view, outcome = last.view.stone_age, last.view.game.outcome
    assert "ROUNDS_PLAYED" == outcome.reason
    assert (2, wire.END_REASON_ROUNDS_PLAYED) == (view.round, view.ended)
    assert list(outcome.scores) == [player.final_score.total for player in view.players]
    assert list(outcome.scores) == [player.score for player in view.players]


async def drawn_cards(service: Service, game_id: str, token: str | None) -> list[tuple[int, bool]]:
    """Returns the seat of each drawn card, and whether the caller sees the card."""
    events = (await service.call("ListEvents", token, game_id=game_id, page_size=1000)).events
    told = [event.stone_age.card_drawn for event in events if event.stone_age.HasField("card_drawn")]
    return [(drawn.seat, drawn.HasField("card")) for drawn in told]


async def play_until_a_card_is_drawn(service: Service, game_id: str, tokens: list[str]) -> None:
    coin = random.Random(7)
    while not await drawn_cards(service, game_id, None):
        await move(service, game_id, tokens, coin)


async def test_SA_26_a_drawn_card_reaches_its_owner_alone():
    service = Service(luck="c")
    game_id, tokens = await seated(service, 3)

    await play_until_a_card_is_drawn(service, game_id, tokens)

    callers = [*tokens, None]
    [(owner, _)] = await drawn_cards(service, game_id, None)
    views = [(await service.call("GetView", token, game_id=game_id)).view.stone_age for token in callers]
    players = [view.players[owner] for view in views]
    only_owner = [seat == owner for seat in range(len(callers))]
    assert only_owner == [(await drawn_cards(service, game_id, token))[0][1] for token in callers]
    assert only_owner == [len(player.drawn) == 1 for player in players]
    assert only_owner == [not player.hidden_drawn for player in players]


async def test_options_left_out_take_their_defaults():
    made = await Service().call("CreateGame", title="stone_age", seat_count=2)

    options = made.game.options.stone_age
    assert (50, wire.TIE_BREAK_SEQUENCE) == (options.max_rounds, options.tie_break)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"max_rounds": 0}, "max_rounds"), ({"tie_break": 0}, "tie_break"), ({"tie_break": 9}, "tie_break")],
)
async def test_options_that_cannot_be_are_named(options: dict[str, int], field: str):
    error = await Service().error(
        "CreateGame", title="stone_age", seat_count=2, options={"stone_age": options}
    )

    (violation,) = detail(error, error_details_pb2.BadRequest).field_violations
    assert f"options.stone_age.{field}" == violation.field


@pytest.mark.parametrize(
    ("action", "reason", "rule"),
    [
        ({"place_people": {"place": "PLACE_HUT", "people": 1}}, "TOO_FEW_PEOPLE", "SA-10"),
        ({"place_people": {"place": "PLACE_FIELD", "people": 2}}, "TOO_MANY_PEOPLE", "SA-10"),
        ({"place_people": {"place": "PLACE_RIVER", "people": 6}}, "NOT_ENOUGH_PEOPLE", "SA-10"),
        ({"place_people": {"place": "PLACE_RIVER"}}, "TOO_FEW_PEOPLE", "SA-10"),
        ({"place_people": {"place": "PLACE_TILE_3", "people": 1}}, "NO_SUCH_PLACE", "SA-2"),
        ({"pay": {"resources": {"wood": 1}}}, "WRONG_KIND_OF_ACTION", "SA-10"),
        ({"take_resources": {"resources": {"wood": 2}}}, "CARD_NOT_HELD", "SA-26"),
    ],
)
async def test_what_the_rules_refuse_changes_nothing(action: dict[str, Any], reason: str, rule: str):
    service = Service()
    game_id, tokens = await seated(service, 2)
    token, decision = await asked(service, game_id, tokens)
    before = await service.call("GetView", token, game_id=game_id)

    error = await service.error(
        "PlayAction", token, game_id=game_id, decision_id=decision, action={"stone_age": action}
    )

    metadata = info(error).metadata
    assert (reason, "stone_age", rule) == (error.reason, metadata["title"], metadata["rule"])
    assert before == await service.call("GetView", token, game_id=game_id)


async def test_the_rules_are_in_the_catalog():
    title = (await Service().call("GetTitle", title="stone_age")).title

    assert {"SA-1", "SA-26", "SA-44"} <= {rule.rule_id for rule in title.rules}
