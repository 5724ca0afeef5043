"""Tests of the views of seats and spectators of Stone Age."""

from __future__ import annotations

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Hidden
from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.actions import (
    ACTIONS,
    AddTools,
    GoHungry,
    Pay,
    PlacePeople,
    TakeResources,
)
from gamehost.titles.stone_age.rules.describe import describe
from gamehost.titles.stone_age.rules.events import CardDrawn
from gamehost.titles.stone_age.rules.evolve import WRITTEN
from gamehost.titles.stone_age.rules.goods import Good, Resources
from gamehost.titles.stone_age.rules.material import Card, Place, Tile
from gamehost.titles.stone_age.rules.model import (
    AddingTools,
    BuyingCard,
    Feeding,
    Placing,
    Player,
    Resolving,
    TileView,
)

from .table import A, B, C, D, table, tools


def place_view(state, place):
    return next(shown for shown in STONE_AGE.view(state, A).places if shown.place is place)


def test_SA_10_occupancy_capacity_and_who_may_still_come():
    state = table("forest  AAAABB.\nhut  CC\nhunting  A BB", agenda=(Placing(A),))

    forest, hut, hunting = (place_view(state, place) for place in (Place.FOREST, Place.HUT, Place.HUNTING))

    assert (7, (4, 2, 0, 0), {2, 3}) == (forest.capacity, forest.people, forest.open_to)
    assert (2, (0, 0, 2, 0), set()) == (hut.capacity, hut.people, hut.open_to)
    assert (None, (1, 2, 0, 0), {2, 3}) == (hunting.capacity, hunting.people, hunting.open_to)


def test_SA_11_a_place_is_open_only_to_those_with_people_enough():
    state = table("hunting  AAAAA BBBB", agenda=(Placing(C),))

    forest, hut = (place_view(state, place).open_to for place in (Place.FOREST, Place.HUT))

    assert ({B, C, D}, {C, D}) == (forest, hut)


def test_where_the_round_and_the_deck_stand():
    state = table(
        "hunting  AAA", agenda=(Placing(B),), start_player=C, round=7, deck=[Card.TIME_1, Card.TIME_2]
    )

    view = STONE_AGE.view(state, B)

    assert (7, C, 2) == (view.round, view.start_player, view.deck_size)
    assert [(5, 2), (5, 5)] == [(player.people, player.people_at_home) for player in view.players[:2]]


def test_SA_12_closed_places_are_open_to_nobody():
    state = table("tool maker  A\nhut  BB\nriver  B", seats=2, agenda=(Placing(A),))

    assert [set(), set()] == [place_view(state, place).open_to for place in (Place.FIELD, Place.RIVER)]


def test_no_place_is_open_after_the_placing():
    assert set() == place_view(table("hunting  A", agenda=(Resolving(A),)), Place.FOREST).open_to


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_SA_2_only_stacks_in_use_are_shown(seats):
    view = STONE_AGE.view(table(seats=seats), None)

    assert 12 + seats == len(view.places)
    assert seats == len(view.tiles)


def test_SA_24_costs_and_who_can_pay():
    players = {A: Player(resources=Resources(wood=2)), B: Player(resources=Resources(wood=1, gold=3))}

    shown = STONE_AGE.view(table(players=players), C).cards

    assert [(1, 1, {A, B}), (2, 2, {A, B}), (3, 3, {B}), (4, 4, {B})] == [
        (card.slot, card.cost, card.payable_by) for card in shown
    ]
    assert Card.FARMER_2 is shown[0].card


def test_SA_25_prices_of_tiles_and_who_can_pay():
    players = {
        A: Player(resources=Resources(wood=2, brick=1)),
        B: Player(resources=Resources(wood=3, gold=3)),
    }

    shown = STONE_AGE.view(table("tiles  FIXED_WWB_1 EXACT_4_2 FREE_1 -", players=players), C).tiles

    cost = Resources(wood=2, brick=1)
    assert (
        TileView(1, 6, Tile.FIXED_WWB_1, 3, 3, 2, cost, frozenset({A})),
        TileView(2, 6, Tile.EXACT_4_2, 4, 4, 2, None, frozenset({B})),
        TileView(3, 6, Tile.FREE_1, 1, 7, None, None, frozenset({A, B})),
        TileView(4, 6, None, 0, 0, None, None, frozenset()),
    ) == shown


def test_SA_23_the_dice_and_their_sum():
    task = AddingTools(A, Good.GOLD, (6, 2), 8)

    view = STONE_AGE.view(table(players={A: Player(tools=tools(1))}, agenda=(Resolving(A), task)), B)

    assert task == view.agenda[-1]


def test_SA_30_the_balance_of_food():
    state = table(players={A: Player(people=9, food=3, food_track=4)})

    assert -2 == STONE_AGE.view(state, B).players[A].food_balance


def test_SA_30_the_balance_once_the_track_has_given():
    state = table(players={A: Player(people=9, food=7, food_track=4)}, agenda=(Feeding(A),))

    assert -2 == STONE_AGE.view(state, B).players[A].food_balance


def test_a_drawn_card_is_counted_by_the_others():
    state = table(players={A: Player(drawn=(Card.SHAMAN_1,))})

    assert [Hidden(1), Hidden(1), (Card.SHAMAN_1,)] == [
        STONE_AGE.view(state, seat).players[A].drawn for seat in (None, B, A)
    ]


def test_other_worlds_hold_other_drawn_cards():
    state = table(players={A: Player(drawn=(Card.SHAMAN_1,))})
    known = STONE_AGE.view(state, B)

    worlds = [STONE_AGE.imagine(known, SeededChance(b"any", luck)) for luck in range(40)]

    assert len({world.players[A].drawn for world in worlds}) > 10
    assert all(known == STONE_AGE.view(world, B) for world in worlds)
    own = STONE_AGE.imagine(STONE_AGE.view(state, A), SeededChance(b"any", 0))
    assert state == own


def test_a_hidden_card_is_no_truth():
    with pytest.raises(ValueError, match="witnessed"):
        STONE_AGE.evolve(table(), CardDrawn(A, Hidden()))


def test_every_event_is_written_down():
    from typing import get_args

    from gamehost.titles.stone_age.rules.events import Event

    assert set(get_args(Event)) == set(WRITTEN)


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        (Placing(A), "Put people on a place; 1 left to place."),
        (BuyingCard(A, 1), "Buy the card at the cost of 1, or leave it."),
    ],
)
def test_questions_read_well_with_one(task, sentence):
    player = Player(people=1, resources=Resources(wood=1))

    [decision] = STONE_AGE.decisions(table(players={A: player}, agenda=(task,)))

    assert sentence == decision.prompt.english


def test_actions_read_as_sentences():
    examples = [
        (
            AddTools(frozenset({2, 0}), frozenset()),
            "Use these tools: 1 and 3; spend these one-use tools: none.",
        ),
        (PlacePeople(Place.CLAY_PIT, 1), "Put 1 of your people on clay pit."),
        (Pay(Resources(wood=2, gold=1)), "Pay 2 wood, 1 gold."),
        (Pay(Resources(wood=2), food=1), "Pay 2 wood and 1 food."),
        (GoHungry(), "Go hungry and lose 10 points."),
        (TakeResources(Resources(stone=2)), "Use the card to take 2 stone."),
    ]

    assert [sentence for _, sentence in examples] == [describe(action).english for action, _ in examples]
    assert 9 == len(ACTIONS)
