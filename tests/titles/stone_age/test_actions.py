"""Tests of the gains of the places: SA-20 to SA-23."""

from __future__ import annotations

import pytest

from gamehost.titles.stone_age.rules.actions import AddTools, ResolvePlace
from gamehost.titles.stone_age.rules.events import (
    DiceRolled,
    FoodTrackRaised,
    PeopleReturned,
    PersonBorn,
    RollCounted,
    ToolMade,
    TurnBegun,
)
from gamehost.titles.stone_age.rules.goods import Good, Resources
from gamehost.titles.stone_age.rules.material import PLACE_NAMES, Phase, Place
from gamehost.titles.stone_age.rules.model import AddingTools, Player, Resolving, Tool

from .table import NO_TOOLS, A, B, C, after, asked, legal, refused, table, told, tools

BUSY = "cards  TIME_1:A TIME_2:A ART_1:A ART_2"
"""Enough left to do for A that nothing follows by itself."""


def rolled(good, *faces, player):
    """Returns a state in which A has rolled and decides about tools."""
    return table(BUSY, players={A: player}, agenda=(Resolving(A), AddingTools(A, good, faces, sum(faces))))


def test_SA_20_all_own_places_in_an_order_of_choice():
    state = table("hunting  A BB\nhut  AA\ntool maker  A\nfield  B")

    assert [ResolvePlace(Place.HUNTING), ResolvePlace(Place.TOOL_MAKER), ResolvePlace(Place.HUT)] == legal(
        state, A
    )


def test_SA_20_then_the_next_player():
    state = table("field  A\nhunting  B\nhut  BB\ntool maker  C", start_player=A)

    events = told(state, A, ResolvePlace(Place.FIELD))

    assert [PeopleReturned(A, Place.FIELD, 1), FoodTrackRaised(A, 1), TurnBegun(B, Phase.ACTIONS)] == events


def test_SA_20_a_last_place_is_resolved_without_being_asked_for():
    state = table("field  A\ntool maker  A\nhunting  B\nhut  BB")

    events = told(state, A, ResolvePlace(Place.FIELD))

    assert [ToolMade(A, 0, 1), TurnBegun(B, Phase.ACTIONS)] == events[-2:]


def test_SA_20_a_place_without_own_people_is_refused():
    state = table("field  A\ntool maker  A\nhut  BB")

    assert ("NO_PEOPLE_THERE", "SA-20") == refused(state, A, ResolvePlace(Place.HUT))
    assert ("NO_PEOPLE_THERE", "SA-20") == refused(state, A, ResolvePlace(Place.FOREST))


def test_SA_21_twelve_tools():
    player, seen = Player(), []
    for _ in range(13):
        state = table(f"tool maker  A\n{BUSY}", players={A: player})
        player = after(state, A, ResolvePlace(Place.TOOL_MAKER)).players[A]
        seen.append("".join(str(tool.value) for tool in player.tools))

    assert "100 110 111 211 221 222 322 332 333 433 443 444 444" == " ".join(seen)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (tools(1, 1, 1, used=[0]), tools(1, 2, 1, used=[0])),
        (tools(1, 1, 1, used=[0, 1, 2]), tools(2, 1, 1, used=[0, 1, 2])),
        (tools(2, 2, 1, used=[2]), tools(2, 2, 2, used=[2])),
        (tools(1, used=[0]), tools(1, 1, used=[0])),
    ],
)
def test_SA_21_the_lowest_is_raised_an_unused_one_among_equals(before, expected):
    state = table(f"tool maker  A\n{BUSY}", players={A: Player(tools=before)})

    assert expected == after(state, A, ResolvePlace(Place.TOOL_MAKER)).players[A].tools


def test_SA_21_a_new_tool_can_be_used_in_the_same_round():
    state = table(f"tool maker  A\nhunting  A\n{BUSY}")

    state = after(state, A, ResolvePlace(Place.TOOL_MAKER))
    state = after(state, A, ResolvePlace(Place.HUNTING), (1,))

    assert AddTools(frozenset({0}), frozenset()) in legal(state, A)


def test_SA_22_the_hut_brings_one_more_person():
    state = table(f"hut  AA\n{BUSY}")

    events = told(state, A, ResolvePlace(Place.HUT))

    assert [PeopleReturned(A, Place.HUT, 2), PersonBorn(A, 6)] == events


def test_SA_22_the_field_raises_the_food_track():
    state = table(f"field  A\n{BUSY}", players={A: Player(food_track=9)})

    events = told(state, A, ResolvePlace(Place.FIELD))

    assert [PeopleReturned(A, Place.FIELD, 1), FoodTrackRaised(A, 10)] == events


@pytest.mark.parametrize(("place", "there"), [(Place.HUT, "AA"), (Place.FIELD, "A"), (Place.TOOL_MAKER, "A")])
def test_SA_13_no_gain_at_the_limits(place, there):
    full = Player(people=10, food_track=10, tools=tools(4, 4, 4))
    state = table(f"{PLACE_NAMES[place]}  {there}\n{BUSY}", players={A: full})

    state = after(state, A, ResolvePlace(place))

    assert full == state.players[A]
    assert (0, 0, 0, 0) == state.at(place)


def test_SA_23_a_die_for_each_person_and_tools_after_seeing_them():
    state = table(f"hunting  AAA\n{BUSY}", players={A: Player(tools=tools(1))})

    state = after(state, A, ResolvePlace(Place.HUNTING), (6, 4, 1))

    assert AddingTools(A, Good.FOOD, (6, 4, 1), 11) == asked(state)


def test_SA_23_without_tools_the_gain_follows_at_once():
    state = table(f"hunting  AAAAA\n{BUSY}", players={A: Player(people=9)})

    events = told(state, A, ResolvePlace(Place.HUNTING), (5, 4, 3, 1, 1))

    assert [
        PeopleReturned(A, Place.HUNTING, 5),
        DiceRolled(A, Good.FOOD, (5, 4, 3, 1, 1), 14),
        RollCounted(A, Good.FOOD, 14, (), (), total=14, divisor=2, gained=7),
    ] == events


@pytest.mark.parametrize(
    ("good", "faces", "held", "added", "gained"),
    [
        (Good.FOOD, (5, 4, 3, 1, 1), tools(1, 1), (), 7),
        (Good.FOOD, (6, 4, 1), tools(1), (0,), 6),
        (Good.FOOD, (1, 1, 1, 1), tools(1, 1), (0, 1), 3),
        (Good.GOLD, (4, 1), tools(1, 1, used=[0]), (), 0),
        (Good.GOLD, (4, 2, 1), tools(2, 2, 2), (0, 1, 2), 2),
        (Good.WOOD, (5, 3), tools(1), (0,), 3),
        (Good.BRICK, (5, 2), tools(1), (0,), 2),
        (Good.STONE, (6, 3), tools(1), (0,), 2),
    ],
)
def test_SA_23_worked_examples(good, faces, held, added, gained):
    """Hunting 14 is 7 food, 11 + 1 is 6, 4 + 1 + 1 is 3; river 5 is no gold, 7 + 2 + 2 + 2 is 2."""
    before = Player(tools=held)

    player = after(rolled(good, *faces, player=before), A, AddTools(frozenset(added), frozenset())).players[A]

    expected = Resources() if good is Good.FOOD else Resources(**{good.name.lower(): gained})
    assert expected == player.resources
    assert 12 + (gained if good is Good.FOOD else 0) == player.food


@pytest.mark.parametrize(
    ("place", "good", "divisor"),
    [
        (Place.HUNTING, Good.FOOD, 2),
        (Place.FOREST, Good.WOOD, 3),
        (Place.CLAY_PIT, Good.BRICK, 4),
        (Place.QUARRY, Good.STONE, 5),
        (Place.RIVER, Good.GOLD, 6),
    ],
)
def test_SA_23_every_roll_is_divided_and_rounded_down(place, good, divisor):
    state = table(f"{PLACE_NAMES[place]}  AA\n{BUSY}")

    *_, counted = told(state, A, ResolvePlace(place), (6, 5))

    assert RollCounted(A, good, 11, (), (), 11, divisor, 11 // divisor) == counted


def test_SA_23_each_tool_once_a_round():
    player = Player(tools=tools(1, 2, 3))

    state = after(rolled(Good.WOOD, 6, player=player), A, AddTools(frozenset({0, 2}), frozenset()))

    assert (Tool(1, True), Tool(2, False), Tool(3, True)) == state.players[A].tools


def test_SA_23_a_used_tool_stays_used_when_another_is_added():
    player = Player(tools=tools(1, 2, used=[0]))

    state = after(rolled(Good.WOOD, 6, player=player), A, AddTools(frozenset({1}), frozenset()))

    assert tools(1, 2, used=[0, 1]) == state.players[A].tools


def test_SA_23_any_choice_of_ready_and_one_use_tools():
    player = Player(tools=tools(1, 2, 3, used=[1]), one_use_tools=frozenset({4}))

    choices = legal(rolled(Good.WOOD, 6, player=player), A)

    assert {
        AddTools(frozenset(ready), frozenset(spent))
        for ready in [(), (0,), (2,), (0, 2)]
        for spent in [(), (4,)]
    } == set(choices)
    assert 8 == len(choices)


def test_SA_26_a_one_use_tool_is_spent():
    player = Player(one_use_tools=frozenset({2, 4}))

    state = after(rolled(Good.GOLD, 6, 2, player=player), A, AddTools(frozenset(), frozenset({4})))

    assert Resources(gold=2) == state.players[A].resources
    assert frozenset({2}) == state.players[A].one_use_tools


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        (AddTools(frozenset({1}), frozenset()), ("TOOL_NOT_READY", "SA-23")),
        (AddTools(frozenset({2}), frozenset()), ("TOOL_NOT_READY", "SA-23")),
        (AddTools(frozenset({7}), frozenset()), ("TOOL_NOT_READY", "SA-23")),
        (AddTools(frozenset(), frozenset({3})), ("ONE_USE_TOOL_NOT_HELD", "SA-26")),
    ],
)
def test_SA_23_tools_used_or_missing_are_refused(action, refusal):
    player = Player(tools=tools(1, 2, used=[1]), one_use_tools=frozenset({4}))

    assert refusal == refused(rolled(Good.WOOD, 6, player=player), A, action)


@pytest.mark.parametrize("seat", [B, C])
def test_only_the_seat_asked_may_answer(seat):
    state = rolled(Good.WOOD, 6, player=Player(tools=tools(1)))

    assert ("NOT_YOUR_DECISION", "SA-23") == refused(state, seat, NO_TOOLS)


def test_another_kind_of_answer_is_refused():
    state = rolled(Good.WOOD, 6, player=Player(tools=tools(1)))

    assert ("WRONG_KIND_OF_ACTION", "SA-23") == refused(state, A, ResolvePlace(Place.CARD_2))
