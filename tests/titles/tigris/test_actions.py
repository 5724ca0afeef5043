"""Tests of the actions of a turn: TE-9 to TE-35."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.kit import IllegalAction
from gamehost.titles.tigris.rules import TIGRIS
from gamehost.titles.tigris.rules.actions import (
    ChooseSpace,
    DiscardTiles,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    PlayCatastrophe,
    SwapTiles,
    WithdrawLeader,
)
from gamehost.titles.tigris.rules.events import (
    ActionChosen,
    CatastrophePlayed,
    ConflictBegun,
    DrawFailed,
    HomeReason,
    KingdomsJoined,
    LeaderPlaced,
    LeaderSentHome,
    TilePlaced,
    TilesDrawn,
    TilesSwapped,
    TurnBegun,
    TurnEnded,
)
from gamehost.titles.tigris.rules.model import NOTHING
from gamehost.titles.tigris.rules.phases import Acting, Conflict, Swapping

from .table import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    after,
    asked,
    at,
    catastrophe,
    drawn_like,
    gains,
    leader,
    legal,
    spaces_listed,
    table,
    tidy,
    tile,
    told,
)

LONE_TEMPLE = """
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   r*  .   .   .
"""


def test_TE_9_a_turn_is_two_actions():
    state = table(LONE_TEMPLE, "E4")

    once = after(state, *leader("k", "I6"))
    twice = after(once, *tile("r", "E4"))

    assert (Acting(1),) == once.agenda
    assert 0 == once.active
    assert (Acting(2),) == twice.agenda
    assert 1 == twice.active


@pytest.mark.parametrize("left", [1, 2])
def test_TE_9_a_turn_may_end_early(left):
    state = table(LONE_TEMPLE, "E4", left=left)

    events = told(state, EndTurn())

    assert [TurnEnded(0), TurnBegun(1, 2)] == events


def test_TE_9_the_first_half_of_an_action_cannot_be_given_up():
    state = after(table(LONE_TEMPLE, "E4"), PlaceTile(RED))

    assert all(isinstance(action, ChooseSpace) for action in legal(state))


def test_TE_10_a_leader_stands_on_empty_land_beside_a_face_up_temple():
    drawing = """
        .   .   .   .   .   .   .
        .   x   x   #   r   k   .
        .   x   x   .   .   .   .
    """
    state = after(table(drawing, "E4"), PlaceLeader(BLACK))

    near = {name for name in spaces_listed(state) if name[0] in "GHIJK" and name[1:] in "45"}

    assert {"I4"} == near
    assert "I6" in spaces_listed(state)


def test_TE_10_no_leader_on_the_river():
    state = after(table(LONE_TEMPLE, "E4"), PlaceLeader(BLUE))

    assert not spaces_listed(state) & {"N4", "O5"}
    assert {"M5", "N6"} <= spaces_listed(state)


def test_TE_10_a_leader_joins_no_two_kingdoms_but_any_number_of_regions():
    drawing = """
        .   R1  r   .   r   B1  .   .
        .   .   .   .   .   .   .   .
        k   r   .   g   .   r   k   .
    """
    state = after(table(drawing, "E4"), PlaceLeader(BLACK))

    assert "H4" not in spaces_listed(state)
    assert {"G6", "G5", "I6"} <= spaces_listed(state)


def test_TE_10_a_leader_without_any_space_cannot_be_chosen():
    """The only space left is between two kingdoms: only the leader that makes one of them can go there."""
    row = "#   " * 4 + "R1  r   .   r   B0  " + "#   " * 7
    state = table("\n".join(["#   " * 16] * 4 + [row] + ["#   " * 16] * 6), "A1", "r", "r")

    assert [PlaceLeader(BLUE)] == [action for action in legal(state) if isinstance(action, PlaceLeader)]


def test_TE_11_lifting_a_bridge_leaves_two_kingdoms_that_no_leader_may_join():
    drawing = """
        R1  r   .   r   B1
        .   k   K0  k   .
    """
    state = after(table(drawing, "E4"), PlaceLeader(BLACK))

    assert "G4" not in spaces_listed(state)
    assert "G5" not in spaces_listed(state)
    assert "F3" not in spaces_listed(state)


def test_TE_11_a_lifted_leader_leaves_a_region_behind():
    """With the leader there are two kingdoms, its own and the priest's; without it only the priest's."""
    state = table("K0 r . r R1", "E5")

    moved = after(state, *leader("k", "G5"))

    assert tidy(".  r  K0 r  R1") == drawn_like(moved, "K0 r . r R1", "E5")
    assert (Acting(1),) == moved.agenda


def test_TE_11_moving_inside_the_own_kingdom_is_no_revolt():
    drawing = """
        .   .   r   .   .
        .   .   k   K0  r
        .   .   r   .   .
    """
    expected = """
        .   .   r   .   .
        .   .   k   .   r
        .   .   r   K0  .
    """
    state = table(drawing, "E4")

    events = told(state, *leader("k", "H6"))

    assert LeaderPlaced(0, BLACK, at("H6"), at("H5")) in events
    assert not any(isinstance(event, ConflictBegun) for event in events)
    assert tidy(expected) == drawn_like(after(state, *leader("k", "H6")), expected, "E4")


def test_TE_12_a_catastrophe_on_the_last_temple_sends_leaders_home():
    drawing = """
        .   K0  r   G1  .
        .   .   B1  r   .
    """
    expected = """
        .   .   #   G1  .
        .   .   B1  r   .
    """
    state = table(drawing, "E5")

    events = told(state, *catastrophe("G5"))

    assert [
        CatastrophePlayed(0, at("G5"), RED),
        LeaderSentHome(0, BLACK, at("F5"), HomeReason.NO_TEMPLE),
    ] == events[1:]
    assert tidy(expected) == drawn_like(after(state, *catastrophe("G5")), expected, "E5")


def test_TE_13_withdrawal_is_an_action_and_leaders_never_score():
    state = table("K0 r R0", "E5")

    withdrawn = after(state, WithdrawLeader(BLACK))
    placed = told(withdrawn, *leader("b", "F4"))

    assert (Acting(1),) == withdrawn.agenda
    assert tidy(".  r  R0") == drawn_like(withdrawn, "K0 r R0", "E5")
    assert [] == gains(placed)


def test_TE_13_no_withdrawal_in_a_conflict():
    state = after(table("K0 r .", "E5", active=1), *leader("k", "G5"))

    with pytest.raises(IllegalAction, match="WRONG_KIND_OF_ACTION"):
        after(state, WithdrawLeader(BLACK))


def test_TE_20_farms_lie_on_the_river_and_nothing_else_does():
    state = table(LONE_TEMPLE, "E4", "rbgk", "r")
    river = {"A4", "N4", "G9"}
    land = {"E4", "P6", "A1"}

    for colour in (RED, GREEN, BLACK):
        assert land <= spaces_listed(after(state, PlaceTile(colour)))
        assert not river & spaces_listed(after(state, PlaceTile(colour)))
    assert river <= spaces_listed(after(state, PlaceTile(BLUE)))
    assert not land & spaces_listed(after(state, PlaceTile(BLUE)))


def test_TE_20_a_tile_joins_at_most_two_kingdoms():
    drawing = """
        .   .   r   .   .
        .   .   R0  .   .
        r   K0  .   B1  r
    """
    state = table(drawing, "E4")

    three = after(state, PlaceTile(RED))
    two_and_a_region = after(table(drawing.replace("B1", "k"), "E4"), PlaceTile(RED))

    assert "G6" not in spaces_listed(three)
    assert "F5" in spaces_listed(three)
    assert "G6" in spaces_listed(two_and_a_region)


def test_TE_20_several_edges_to_one_kingdom_count_once():
    drawing = """
        .   r   R0  .
        .   r   .   g
        .   r   k   .
    """
    state = table(drawing, "E4")

    assert [(0, RED, 1)] == gains(told(state, *tile("r", "G5")))


def test_TE_20_a_tile_may_touch_nothing_and_scores_nothing():
    state = table(LONE_TEMPLE, "E4")

    events = told(state, *tile("k", "A11"))

    assert [TilePlaced(0, BLACK, at("A11"))] == events[1:]


def test_TE_21_the_leader_of_the_tiles_colour_scores_else_the_king():
    state = table("K0 r G1 .", "E5", "rgk", "r")

    assert [(1, GREEN, 1)] == gains(told(state, *tile("g", "H5")))
    assert [(0, RED, 1)] == gains(told(state, *tile("r", "H5")))
    assert [(0, BLACK, 1)] == gains(told(state, *tile("k", "H5")))


def test_TE_21_no_leader_of_the_colour_and_no_king_no_point():
    state = table("R0 r G1 .", "E5", "rgk", "r")

    assert [] == gains(told(state, *tile("k", "H5")))


def test_TE_21_joining_two_kingdoms_never_scores_war_or_not():
    drawing = "K0 r . r G1"
    expected = "K0 r g r G1"
    state = table(drawing, "E5")

    events = told(state, *tile("g", "G5"))

    assert at("G5") in [event.space for event in events if isinstance(event, KingdomsJoined)]
    assert [] == gains(events)
    assert tidy(expected) == drawn_like(after(state, *tile("g", "G5")), expected, "E5")


def test_TE_21_a_king_gives_the_tiles_colour():
    state = table("K0 r . .", "E5", "g", "r")

    assert [(0, GREEN, 1)] == gains(told(state, *tile("g", "G5")))


def test_TE_22_a_tile_that_touches_only_a_leader_is_in_its_kingdom():
    state = table(". K0 r .", "E5", "k", "r")

    assert [(0, BLACK, 1)] == gains(told(state, *tile("k", "E5")))


def test_TE_30_a_catastrophe_spares_what_carries_something():
    drawing = """
        .   r*  r   r^  x   #
        .   .   K0  .   W   .
    """
    state = after(table(drawing, "E5"), PlayCatastrophe())

    near = {name for name in spaces_listed(state) if name[1:] in "56" and name[0] in "EFGHIJ"}

    assert {"E5", "G5", "E6", "F6", "H6", "J6"} == near


def test_TE_30_also_on_an_empty_river_but_not_on_a_catastrophe():
    state = table(LONE_TEMPLE, "E4")

    struck = after(state, *catastrophe("G9"))

    assert "G9" in spaces_listed(after(state, PlayCatastrophe()))
    assert "G9" not in spaces_listed(after(struck, PlayCatastrophe()))
    assert (1, 2) == struck.catastrophes


def test_TE_30_a_catastrophe_parts_a_kingdom_without_points_or_conflict():
    drawing = "K0 r k r R1"
    expected = "K0 r # r R1"
    state = table(drawing, "E5")

    events = told(state, *catastrophe("G5"))

    assert [CatastrophePlayed(0, at("G5"), BLACK)] == events[1:]
    assert tidy(expected) == drawn_like(after(state, *catastrophe("G5")), expected, "E5")
    assert (0, 0, 0, 1) == after(state, *catastrophe("G5")).removed


def test_TE_30_two_for_each_seat():
    state = replace(table(LONE_TEMPLE, "E4"), catastrophes=(0, 2))

    assert PlayCatastrophe() not in legal(state)


def test_TE_35_a_swap_draws_as_many_as_it_discards():
    state = after(table(LONE_TEMPLE, "E4", "rrbbgk", "r"), SwapTiles())

    swapped, drawn = told(state, DiscardTiles(1, 2, 0, 0))

    assert TilesSwapped(0, (RED, BLUE, BLUE)) == swapped
    assert isinstance(drawn, TilesDrawn)
    assert 3 == len(drawn.tiles)
    assert 6 == sum(after(state, DiscardTiles(1, 2, 0, 0)).hands[0])


def test_TE_35_zero_is_no_swap_and_every_choice_is_listed_once():
    state = after(table(LONE_TEMPLE, "E4", "rrbbgk", "r"), SwapTiles())

    assert DiscardTiles(0, 0, 0, 0) not in legal(state)
    assert DiscardTiles(2, 2, 1, 1) in legal(state)
    assert 3 * 3 * 2 * 2 - 1 == len(set(legal(state))) == len(legal(state))


def test_TE_35_new_tiles_are_usable_in_the_second_action():
    state = replace(table(LONE_TEMPLE, "E4", "rrrrrr", "r"), bag=(0, 0, 6, 0))

    swapped = after(state, SwapTiles(), DiscardTiles(6, 0, 0, 0))

    assert PlaceTile(GREEN) in legal(swapped)


def test_TE_35_a_bag_too_small_gives_what_it_has():
    state = replace(table(LONE_TEMPLE, "E4", "rrrrrr", "rrrrrr"), bag=(0, 0, 2, 0))

    events = told(state, SwapTiles(), DiscardTiles(3, 0, 0, 0))

    assert [TilesSwapped(0, (RED,) * 3), TilesDrawn(0, (GREEN,) * 2), DrawFailed(0)] == events[1:]


def test_the_only_space_left_is_taken_without_asking():
    """One answer is left by public information alone."""
    temples = "\n".join(["#   " * 16] * 10 + ["#   " * 14 + "r   ."])
    state = table(temples, "A1", "k", "r")

    events = told(state, PlaceTile(BLACK))

    assert [TilePlaced(0, BLACK, at("P11"))] == [event for event in events if isinstance(event, TilePlaced)]
    assert isinstance(events[0], ActionChosen)


def test_the_only_tile_of_a_hand_is_swapped_without_asking():
    """It is public that the hand has one tile, but not that two tiles are equal."""
    one, two = table(LONE_TEMPLE, "E4", "k", "r"), table(LONE_TEMPLE, "E4", "kk", "r")

    events = told(one, SwapTiles())

    assert [ActionChosen, TilesSwapped, TilesDrawn] == [type(event) for event in events]
    assert TilesSwapped(0, (BLACK,)) == events[1]
    assert (Swapping(),) == after(two, SwapTiles()).agenda[1:]


ONE_RIVER_SPACE = "\n".join(["#   " * 16] * 8 + ["#   " * 6 + "~   " + "#   " * 9] + ["#   " * 16] * 2)


def test_TE_20_whether_a_hand_fits_is_its_owners_secret():
    """Only a farm can be placed; a seat without one gets the same decision."""
    with_farm, without = (table(ONE_RIVER_SPACE, "A1", hand, "r") for hand in ("bk", "kk"))

    assert PlaceTile in TIGRIS.decisions(with_farm)[0].kinds
    assert TIGRIS.decisions(with_farm) == TIGRIS.decisions(without)
    assert [PlaceTile(BLUE)] == [action for action in legal(with_farm) if isinstance(action, PlaceTile)]
    assert not any(isinstance(action, PlaceTile) for action in legal(without))


def test_TE_20_where_no_tile_fits_none_is_asked_for():
    state = table("\n".join(["#   " * 16] * 11), "A1", "bk", "r")

    assert (SwapTiles, EndTurn) == TIGRIS.decisions(state)[0].kinds[-2:]
    assert PlaceTile not in TIGRIS.decisions(state)[0].kinds


def test_nothing_is_asked_of_others_while_a_seat_acts():
    state = table(LONE_TEMPLE, "E4", "r", "r", "r", active=2)

    assert 2 == asked(state)
    assert NOTHING == state.points[0]
    assert not isinstance(state.agenda[-1], Conflict)
