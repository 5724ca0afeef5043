"""Tests of feeding: SA-30 and SA-31."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.actions import Feed, GoHungry, ResolvePlace, TakeResources
from gamehost.titles.stone_age.rules.events import (
    FoodProduced,
    PeopleFed,
    PersonBorn,
    TurnBegun,
    WentHungry,
)
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import Phase, Place
from gamehost.titles.stone_age.rules.model import Feeding, Player, Resolving
from gamehost.titles.stone_age.rules.options import Options

from .table import A, B, after, asked, legal, refused, table, told

FED = Player(food=30)


def last_place(player, other=FED):
    """Returns a state in which B, who acts last, has only the field left before feeding."""
    return table("field  B", seats=2, players={A: other, B: player}, agenda=(Resolving(B),))


def hungry(player, **more):
    return table(seats=2, players={A: player, B: FED}, agenda=(Feeding(A),), **more)


def feeding(events):
    kinds = FoodProduced | PeopleFed | WentHungry
    return [event for event in events if isinstance(event, kinds)]


def test_SA_30_the_track_gives_food_then_everyone_pays_for_each_person():
    state = last_place(Player(people=6, food=4, food_track=2), other=Player(people=5, food=12))

    events = told(state, B, ResolvePlace(Place.FIELD))

    assert [
        PeopleFed(A, 5, Resources()),
        FoodProduced(B, 3),
        PeopleFed(B, 6, Resources()),
    ] == feeding(events)


def test_SA_30_with_enough_food_nothing_is_asked():
    state = last_place(Player(people=5, food=5, resources=Resources(9, 9, 9, 9)))

    state = after(state, B, ResolvePlace(Place.FIELD))

    assert 1 == state.players[B].food
    assert 2 == state.round


def test_SA_22_a_newborn_eats_this_round():
    state = table("hut  BB", seats=2, players={A: FED, B: Player(food=6)}, agenda=(Resolving(B),))

    events = told(state, B, ResolvePlace(Place.HUT))

    assert PersonBorn(B, 6) in events
    assert PeopleFed(B, 6, Resources()) in events


def test_SA_11_unplaced_people_eat():
    state = last_place(Player(people=8, food=8))

    assert PeopleFed(B, 8, Resources()) in told(state, B, ResolvePlace(Place.FIELD))


def test_SA_31_who_lacks_food_is_asked():
    state = last_place(Player(people=7, food=2, food_track=1, resources=Resources(wood=4)))

    state = after(state, B, ResolvePlace(Place.FIELD))

    assert Feeding(B) == asked(state)
    assert [Feed(Resources(wood=3)), GoHungry()] == legal(state, B)
    assert "short by 3" in STONE_AGE.decisions(state)[0].prompt.english


def test_SA_31_the_whole_remainder_in_resources_of_choice():
    state = hungry(Player(people=5, food=3, resources=Resources(wood=2, gold=1)))

    state = after(state, A, Feed(Resources(wood=1, gold=1)))

    assert (0, Resources(wood=1), 0) == (
        state.players[A].food,
        state.players[A].resources,
        state.players[A].score,
    )


def test_SA_31_or_ten_points_and_everything_else_is_kept():
    before = Player(people=7, food=3, resources=Resources(wood=5), tile_points=4)

    events = told(hungry(before), A, GoHungry())
    state = after(hungry(before), A, GoHungry())

    assert WentHungry(A, food=3, points_lost=10) == events[0]
    assert replace(before, food=0, hunger=10) == state.players[A]
    assert -6 == state.players[A].score


def test_SA_31_without_resources_hunger_follows_by_itself():
    state = last_place(Player(people=7, food=0))

    events = told(state, B, ResolvePlace(Place.FIELD))

    assert [TurnBegun(B, Phase.FEEDING), WentHungry(B, 1, 10)] == events[-4:-2]


def test_SA_31_too_few_resources_are_as_good_as_none():
    state = last_place(Player(people=7, food=0, resources=Resources(wood=5)))

    assert WentHungry(B, 1, 10) in told(state, B, ResolvePlace(Place.FIELD))


def test_SA_31_ten_points_are_lost_once_however_many_are_hungry():
    state = after(hungry(Player(people=10, food=0)), A, GoHungry())

    assert 10 == state.players[A].hunger


def test_SA_31_every_hungry_round_costs_points():
    state = after(hungry(Player(food=0, hunger=10)), A, GoHungry())

    assert -20 == state.players[A].score


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        (Resources(wood=2), "PARTIAL_PAYMENT"),
        (Resources(), "PARTIAL_PAYMENT"),
        (Resources(wood=4), "WRONG_NUMBER_OF_RESOURCES"),
        (Resources(brick=3), "RESOURCES_NOT_OWNED"),
        (Resources(wood=4, gold=-1), "RESOURCES_NOT_OWNED"),
    ],
)
def test_SA_31_partial_and_wrong_payments_are_refused(resources, reason):
    state = hungry(Player(people=7, food=4, resources=Resources(wood=5)))

    assert (reason, "SA-31") == refused(state, A, Feed(resources))


def test_SA_26_the_any_two_card_helps_at_feeding():
    state = last_place(Player(people=7, food=3, resources=Resources(wood=1), any_two=True))

    state = after(state, B, ResolvePlace(Place.FIELD))

    assert Feeding(B) == asked(state)
    assert (GoHungry, TakeResources) == STONE_AGE.decisions(state)[0].kinds
    state = after(state, B, TakeResources(Resources(gold=2)))
    assert [Feed(Resources(wood=1, gold=2)), GoHungry()] == legal(state, B)


def test_SA_26_hunger_that_the_card_cannot_help_is_not_asked_about():
    state = last_place(Player(people=7, food=2, resources=Resources(wood=1), any_two=True))

    assert WentHungry(B, 3, 10) in told(state, B, ResolvePlace(Place.FIELD))


def test_SA_30_everyone_is_fed_in_turn_from_the_start_player():
    short = Player(people=5, food=3, resources=Resources(wood=9))
    state = table("field  A", seats=2, players={A: short, B: short}, agenda=(Resolving(A),), start_player=B)

    state = after(state, A, ResolvePlace(Place.FIELD))

    assert Feeding(B) == asked(state)
    assert Feeding(A) == asked(after(state, B, GoHungry()))


def test_SA_31_the_score_may_end_below_zero():
    state = hungry(Player(people=5, food=0), round=7, options=Options(max_rounds=7), start_player=B)

    state = after(state, A, GoHungry())

    assert (-10, 0) == STONE_AGE.outcome(state).scores
    assert (2, 1) == STONE_AGE.outcome(state).ranks
