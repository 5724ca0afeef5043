"""Tests of placing people: SA-10 to SA-13."""

from __future__ import annotations

import pytest

from gamehost.titles.stone_age.rules.actions import PlacePeople
from gamehost.titles.stone_age.rules.events import PeoplePlaced, TurnBegun
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import PLACE_NAMES, Card, Phase, Place, Tile
from gamehost.titles.stone_age.rules.model import Placing, Player, Resolving

from .table import A, B, C, D, after, asked, legal, picture, refused, table, told, tools


def numbers(state, seat):
    """Returns the numbers of people that a seat may place, by place."""
    found: dict[Place, list[int]] = {}
    for action in legal(state, seat):
        found.setdefault(action.place, []).append(action.people)
    return found


def test_SA_10_how_many_people_each_place_takes():
    state = table(agenda=(Placing(A),))

    assert {
        **{place: [1, 2, 3, 4, 5] for place in Place if place <= Place.RIVER},
        **{place: [1] for place in Place if place > Place.RIVER},
        Place.HUT: [2],
    } == numbers(state, A)


def test_SA_10_seven_rings_in_all_and_no_limit_to_hunting():
    state = table(
        "forest  AAAABB.\nhunting  AAAAAAAA",
        agenda=(Placing(C),),
        players={A: Player(people=10), C: Player(people=10)},
    )

    assert [1] == numbers(state, C)[Place.FOREST]
    assert list(range(1, 8)) == numbers(state, C)[Place.RIVER]
    assert list(range(1, 11)) == numbers(state, C)[Place.HUNTING]


def test_SA_10_the_turn_goes_clockwise():
    state = table(agenda=(Placing(D),), start_player=D)

    events = told(state, D, PlacePeople(Place.HUT, 2))

    assert [PeoplePlaced(D, Place.HUT, 2), TurnBegun(A, Phase.PLACING)] == events


def test_SA_10_a_round_of_placing_as_the_book_tells_it():
    state = table(agenda=(Placing(A),))

    state = after(state, A, PlacePeople(Place.CARD_2, 1))
    state = after(state, B, PlacePeople(Place.HUNTING, 5))
    state = after(state, C, PlacePeople(Place.HUT, 2))
    state = after(state, D, PlacePeople(Place.TILE_3, 1))

    expected = table(
        """
        hunting  BBBBB
        hut      CC
        cards    HUT_BUILDER_5 MUSIC_2 WEAVING_1:A FARMER_2
        tiles    FIXED_WWB_1 EXACT_4_2 FREE_1:D FIXED_SSG_1
        """
    )
    assert picture(expected) == picture(state)
    assert Placing(A) == asked(state)


@pytest.mark.parametrize("place", [Place.HUNTING, Place.FOREST])
def test_SA_10_a_place_is_used_once_a_round(place):
    state = table(f"{PLACE_NAMES[place]}  A", agenda=(Placing(A),))

    assert place not in numbers(state, A)
    assert ("PLACE_USED_ALREADY", "SA-10") == refused(state, A, PlacePeople(place, 1))


def test_SA_10_one_player_may_occupy_several_cards_and_tiles():
    state = table(
        "cards  HUT_BUILDER_5:A MUSIC_2 WEAVING_1 FARMER_2\ntiles  FREE_1:A FREE_2 FREE_3 EXACT_4_1",
        agenda=(Placing(A),),
    )

    assert {Place.CARD_1, Place.CARD_3, Place.TILE_2, Place.TILE_4} < numbers(state, A).keys()


def test_SA_11_nobody_passes():
    state = table(agenda=(Placing(A),))

    assert all(isinstance(action, PlacePeople) for action in legal(state, A))


def test_SA_11_who_has_nobody_left_is_skipped():
    state = table("hunting  BBBBB CCCCC", agenda=(Placing(A),))

    events = told(state, A, PlacePeople(Place.HUT, 2))

    assert TurnBegun(D, Phase.PLACING) == events[-1]


def test_SA_11_whoever_alone_has_people_left_goes_on():
    state = table("hunting  BBBBB CCCCC DDDDD", agenda=(Placing(A),))

    assert TurnBegun(A, Phase.PLACING) == told(state, A, PlacePeople(Place.HUT, 2))[-1]


def test_SA_11_stuck_while_placing():
    """B has two people and nowhere to go: the village and the resources are closed (SA-12)."""
    crowd = """
        hunting     B
        forest      A
        clay pit    A
        quarry      A
        river       A
        tool maker  A
        field       A
        cards       TIME_1:B TIME_2:B ART_1:B ART_2:B
        tiles       FREE_1:B FREE_2:A
    """
    state = table(crowd, seats=2, players={A: Player(people=8), B: Player(people=8)}, agenda=(Placing(A),))

    events = told(state, A, PlacePeople(Place.HUNTING, 1))

    assert 2 == state.home(B)
    assert [PeoplePlaced(A, Place.HUNTING, 1), TurnBegun(A, Phase.ACTIONS)] == events


def test_SA_11_one_person_is_too_few_for_the_hut():
    crowd = """
        hunting     B
        forest      AAAAAAA
        clay pit    CCCCCCC
        quarry      DDDDDDD
        river       BBBBBBB
        tool maker  A
        field       C
        cards       TIME_1:A TIME_2:B ART_1:C ART_2:D
        tiles       FREE_1:A FREE_2:C FREE_3:D EXACT_4_1
    """
    grown = dict.fromkeys((A, B, C, D), Player(people=10))
    state = table(crowd, players=grown, agenda=(Placing(D),))

    events = told(state, D, PlacePeople(Place.TILE_4, 1))

    assert 1 == state.home(B)
    assert [PeoplePlaced(D, Place.TILE_4, 1), TurnBegun(A, Phase.ACTIONS)] == events


def test_SA_11_the_phase_ends_when_no_one_can_place():
    state = table("hunting  AAA BBBBB CCCCC DDDDD", agenda=(Placing(A),), start_player=C)

    after_last = after(state, A, PlacePeople(Place.HUT, 2), (1, 1, 1, 1, 1), (1, 1, 1, 1, 1))

    assert Resolving(A) == asked(after_last)


def test_SA_11_a_single_answer_is_not_asked_for():
    """C can only hunt, with one person: it is done at once."""
    crowd = """
        forest      AAAAAAA
        clay pit    BBBBBBB
        quarry      DDDDDDD
        river       AAAAAAA
        tool maker  A
        field       B
        cards       TIME_1:D TIME_2:D ART_1:D ART_2:D
        tiles       FREE_1:D FREE_2:D FREE_3:D EXACT_4_1:A
    """
    players = {A: Player(people=20), B: Player(people=9), C: Player(people=1), D: Player(people=17)}
    state = table(crowd, players=players, agenda=(Placing(B),))

    events = told(state, B, PlacePeople(Place.HUNTING, 1))

    assert [
        PeoplePlaced(B, Place.HUNTING, 1),
        TurnBegun(C, Phase.PLACING),
        PeoplePlaced(C, Place.HUNTING, 1),
        TurnBegun(D, Phase.PLACING),
    ] == events


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("closed", ["tool maker", "hut", "field"])
def test_SA_12_only_two_of_the_village_with_two_or_three_players(seats, closed):
    others = {"tool maker": "B", "hut": "BB", "field": "B"}
    del others[closed]
    state = table(
        "\n".join(f"{name}  {people}" for name, people in others.items()), seats=seats, agenda=(Placing(A),)
    )
    place = Place[closed.upper().replace(" ", "_")]

    assert ("PLACE_CLOSED", "SA-12") == refused(state, A, PlacePeople(place, 2 if closed == "hut" else 1))


@pytest.mark.parametrize("seats", [2, 3])
def test_SA_12_two_people_in_the_hut_occupy_one_place(seats):
    state = table("hut  BB", seats=seats, agenda=(Placing(A),))

    assert {PlacePeople(Place.TOOL_MAKER, 1), PlacePeople(Place.FIELD, 1)} <= set(legal(state, A))


def test_SA_12_all_three_of_the_village_with_four_players():
    state = table("tool maker  B\nhut  BB", agenda=(Placing(A),))

    assert PlacePeople(Place.FIELD, 1) in legal(state, A)


@pytest.mark.parametrize("place", [Place.FOREST, Place.CLAY_PIT, Place.QUARRY, Place.RIVER])
@pytest.mark.parametrize(
    ("seats", "people", "open"), [(2, "B", False), (3, "BBBB", True), (3, "BC", False), (4, "BCD", True)]
)
def test_SA_12_how_many_players_share_a_resource(place, seats, people, open):
    state = table(f"{PLACE_NAMES[place]}  {people}", seats=seats, agenda=(Placing(A),))

    assert open == (PlacePeople(place, 1) in legal(state, A))
    if not open:
        assert ("PLACE_CLOSED", "SA-12") == refused(state, A, PlacePeople(place, 1))


@pytest.mark.parametrize("seats", [2, 3])
def test_SA_12_hunting_is_open_to_all(seats):
    state = table("hunting  BBB", seats=seats, agenda=(Placing(A),))

    assert PlacePeople(Place.HUNTING, 5) in legal(state, A)


def test_SA_13_blocking_without_means_or_gain():
    full = Player(people=10, food_track=10, tools=tools(4, 4, 4), resources=Resources())
    state = table(agenda=(Placing(A),), players={A: full})

    assert {
        PlacePeople(Place.CARD_4, 1),
        PlacePeople(Place.TILE_4, 1),
        PlacePeople(Place.HUT, 2),
        PlacePeople(Place.FIELD, 1),
        PlacePeople(Place.TOOL_MAKER, 1),
    } <= set(legal(state, A))


@pytest.mark.parametrize(
    ("place", "people", "reason"),
    [
        (Place.FOREST, 0, "TOO_FEW_PEOPLE"),
        (Place.FOREST, -1, "TOO_FEW_PEOPLE"),
        (Place.HUT, 1, "TOO_FEW_PEOPLE"),
        (Place.HUT, 3, "TOO_MANY_PEOPLE"),
        (Place.FIELD, 2, "TOO_MANY_PEOPLE"),
        (Place.CARD_1, 2, "TOO_MANY_PEOPLE"),
        (Place.TILE_1, 2, "TOO_MANY_PEOPLE"),
        (Place.QUARRY, 3, "TOO_MANY_PEOPLE"),
        (Place.HUNTING, 6, "NOT_ENOUGH_PEOPLE"),
        (Place.RIVER, 6, "NOT_ENOUGH_PEOPLE"),
        (Place.TOOL_MAKER, 1, "PLACE_FULL"),
        (Place.CLAY_PIT, 1, "PLACE_FULL"),
        (Place.CARD_2, 1, "PLACE_FULL"),
        (Place.TILE_2, 1, "PLACE_FULL"),
    ],
)
def test_SA_10_wrong_numbers_and_full_places_are_refused(place, people, reason):
    state = table(
        """
        quarry      BBBBB..
        clay pit    BBBBBBB
        tool maker  B
        cards       TIME_1 TIME_2 ART_1:C ART_2
        tiles       FREE_1 FREE_2:C FREE_3 EXACT_4_1
        """,
        players={B: Player(people=20)},
        agenda=(Placing(A),),
    )

    assert (reason, "SA-10") == refused(state, A, PlacePeople(place, people))


@pytest.mark.parametrize("place", [Place.TILE_3, Place.TILE_4])
def test_SA_2_stacks_out_of_the_game_are_no_places(place):
    state = table(seats=2, agenda=(Placing(A),))

    assert ("NO_SUCH_PLACE", "SA-2") == refused(state, A, PlacePeople(place, 1))


def test_an_empty_slot_is_no_place():
    state = table("cards  TIME_1 - ART_1 ART_2", agenda=(Placing(A),))

    assert Card.ART_2 is state.market.display[0]
    assert Tile.FREE_1 in state.market.open_tiles
    assert ("NO_SUCH_PLACE", "SA-2") == refused(state, A, PlacePeople(Place.CARD_3, 1))
