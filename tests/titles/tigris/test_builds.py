"""Buildings, monuments and the wonder: TE-50 to TE-54."""

from __future__ import annotations

from gamehost.titles.tigris.rules.actions import (
    BuildMonument,
    BuildWonder,
    ChooseColour,
    CommitSupport,
    DeclineBuild,
    EndTurn,
    RaiseBuilding,
)
from gamehost.titles.tigris.rules.events import (
    BuildDeclined,
    BuildingOffered,
    BuildingRaised,
    BuildingReturned,
    HomeReason,
    LeaderSentHome,
    MonumentBuilt,
    MonumentOffered,
    PointReason,
    PointsScored,
    TilesDrawn,
    TurnEnded,
    WonderBuilt,
)
from gamehost.titles.tigris.rules.material import Monument
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.phases import (
    Acting,
    ChoosingColour,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
)

from .table import (
    BLACK,
    BLUE,
    COLOURS,
    GREEN,
    RED,
    after,
    at,
    catastrophe,
    drawn_like,
    gains,
    legal,
    table,
    tidy,
    tile,
    told,
)

BUILDINGS = Options(civilization_buildings=True)
WONDER = Options(wonder=True)
EVERYTHING = Options(civilization_buildings=True, wonder=True)


def raised(state):
    return {action.space.name for action in legal(state) if isinstance(action, RaiseBuilding)}


TEMPLE_SQUARE = """
    .   .   .   .   .   .
    G1  r   r   .   .   .
    .   r   .   r   B0  .
    .   R1  r   .   .   .
"""


def test_TE_12_TE_51_TE_52_example_6_a_monument_of_temples():
    """The lion's trader goes home; bull and lion earn at the end of their own turns."""
    expected = """
        .   .   .   .   .   .
        .   x   x   .   .   .
        .   x   x   r   B0  .
        .   R1  r   .   .   .
    """
    state = table(TEMPLE_SQUARE, "E4", "rkkkkk", "kkkkkk", left=1)

    offered = after(state, *tile("r", "G6"))
    events = told(offered, BuildMonument(Monument.RED_BLUE, at("F5")))
    built = after(offered, BuildMonument(Monument.RED_BLUE, at("F5")))

    assert [
        MonumentBuilt(0, Monument.RED_BLUE, at("F5"), RED),
        LeaderSentHome(1, GREEN, at("E5"), HomeReason.NO_TEMPLE),
        TurnEnded(0),
        PointsScored(0, BLUE, 1, PointReason.MONUMENT),
    ] == events[:4]
    assert tidy(expected) == drawn_like(built, expected, "E4")
    assert [(1, RED, 1)] == gains(told(built, EndTurn()))


TWO_SQUARES = """
    k   k   k
    k   .   k
"""


def test_TE_51_a_tile_that_completes_two_squares_lets_the_player_choose():
    state = table(TWO_SQUARES, "E4", "k", "k")
    expected = """
        k   x   x
        k   x   x
    """

    offered = after(state, *tile("k", "F5"))
    built = after(offered, BuildMonument(Monument.GREEN_BLACK, at("F4")))

    black = (Monument.RED_BLACK, Monument.BLUE_BLACK, Monument.GREEN_BLACK)
    squares = [BuildMonument(monument, at(corner)) for corner in ("E4", "F4") for monument in black]
    assert [*squares, DeclineBuild()] == legal(offered)
    assert tidy(expected) == drawn_like(built, expected, "E4")
    assert (Acting(1),) == built.agenda


def test_TE_51_a_used_monument_is_not_offered_again():
    drawing = """
        k   k   .   x   x
        k   .   .   x   x
    """
    state = table(drawing, "E4", "k", "k", monuments=((Monument.RED_BLACK, "H4"),))

    offered = after(state, *tile("k", "F5"))

    assert {Monument.BLUE_BLACK, Monument.GREEN_BLACK} == {
        action.monument for action in legal(offered) if isinstance(action, BuildMonument)
    }


def test_TE_51_without_a_monument_of_the_colour_nothing_is_offered():
    drawing = """
        k   k   .   x   x   x   x   x   x
        k   .   .   x   x   x   x   x   x
    """
    black = (Monument.RED_BLACK, Monument.BLUE_BLACK, Monument.GREEN_BLACK)
    state = table(drawing, "E4", "k", "k", monuments=tuple(zip(black, ("H4", "J4", "L4"), strict=True)))

    assert (Acting(1),) == after(state, *tile("k", "F5")).agenda


def test_TE_51_a_square_declined_or_existing_earlier_is_never_offered_by_itself():
    state = table(TWO_SQUARES, "E4", "kk", "k")

    declined = after(state, *tile("k", "F5"), DeclineBuild())
    events = told(declined, *tile("k", "E6"))

    assert (Acting(1),) == declined.agenda
    assert MonumentOffered(0, at("E6")) not in events


def test_TE_51_face_down_tiles_only_connect():
    drawing = """
        K0  r   .   r   K1
        x   x   .   x   x
        x   x   .   x   x
    """
    state = table(drawing, "E4", "gk", "k")

    joined = after(state, *tile("g", "G5"))

    assert (0, 0) == (joined.agenda[-1].attacker_strength, joined.agenda[-1].defender_strength)


def test_TE_51_a_treasure_stays_on_its_flipped_tile():
    drawing = """
        r*  r   .
        r   .   .
    """
    expected = """
        x*  x   .
        x   x   .
    """
    state = table(drawing, "E5", "r", "k")

    built = after(state, *tile("r", "F6"), BuildMonument(Monument.RED_GREEN, at("E5")))

    assert tidy(expected) == drawn_like(built, expected, "E5")


def test_TE_50_TE_51_the_war_comes_first_and_may_break_the_square():
    drawing = """
        .   .   k   k   .   .
        K0  r   k   .   r   K1
    """
    state = table(drawing, "E4", "kbb", "kkkk")

    lost = after(state, *tile("k", "H5"), CommitSupport(0), CommitSupport(4))
    won = after(state, *tile("k", "H5"), CommitSupport(0), CommitSupport(0))

    assert isinstance(after(state, *tile("k", "H5")).agenda[-1], Conflict)
    assert (Acting(1),) == lost.agenda
    assert OfferingMonument(at("H5")) == won.agenda[-1]


def test_TE_52_only_the_active_player_earns_before_the_refill():
    drawing = """
        x   x   R0  r   G1
        x   x   .   .   .
    """
    state = table(drawing, "E5", "k", "kkkkkk", monuments=((Monument.RED_GREEN, "E5"),))

    events = told(state, EndTurn())

    assert TurnEnded(0) == events[0]
    assert PointsScored(0, RED, 1, PointReason.MONUMENT) == events[1]
    assert isinstance(events[2], TilesDrawn)
    assert [(0, RED, 1)] == gains(events)


def test_TE_52_a_monument_in_another_kingdom_gives_nothing():
    drawing = """
        x   x   .   R0  r
        x   x   .   .   .
    """
    state = table(drawing, "E5", "k", "kkkkkk", monuments=((Monument.RED_GREEN, "E5"),))

    assert [] == gains(told(state, EndTurn()))


def test_TE_52_kings_do_not_stand_in_and_each_monument_counts():
    drawing = """
        x   x   K0  r   .
        x   x   x   x   .
        .   .   x   x   .
    """
    both = ((Monument.RED_BLACK, "E4"), (Monument.GREEN_BLACK, "G5"))
    state = table(drawing, "E4", "k", "k", monuments=both)
    other = table(drawing, "E4", "k", "k", monuments=((Monument.RED_GREEN, "E4"), (Monument.RED_BLUE, "G5")))

    assert [(0, BLACK, 2)] == gains(told(state, EndTurn()))
    assert [] == gains(told(other, EndTurn()))


def test_TE_53_example_8_a_line_of_three_earns_its_building():
    farms = table("b b ~", "G9", "b", "k", options=BUILDINGS)
    temples = table("r\nr\n.", "E4", "r", "k", options=BUILDINGS)
    bent = table("g .\ng .", "E4", "g", "k", options=BUILDINGS)

    row = after(farms, *tile("b", "I9"))
    column = after(temples, *tile("r", "E6"))

    assert {"G9", "H9", "I9"} == raised(row)
    assert {"E4", "E5", "E6"} == raised(column)
    assert [BuildingRaised(0, BLUE, at("H9"), None)] == told(row, RaiseBuilding(at("H9")))
    assert (Acting(1),) == after(bent, *tile("g", "F5")).agenda


def test_TE_53_row_and_column_are_each_judged_by_themselves():
    drawing = """
        .   .   k
        .   .   k
        k   k   .
    """
    crossed = table(drawing, "E4", "k", "k", options=BUILDINGS)
    only_column = table(drawing.replace("k   k   .", ".   k   ."), "E4", "k", "k", options=BUILDINGS)

    assert {"G4", "G5", "G6", "E6", "F6"} == raised(after(crossed, *tile("k", "G6")))
    assert {"G4", "G5", "G6"} == raised(after(only_column, *tile("k", "G6")))


def test_TE_53_without_the_option_no_buildings():
    state = table("k k .", "E5", "k", "k")

    assert (Acting(1),) == after(state, *tile("k", "G5")).agenda


def test_TE_53_example_9_a_broken_row_lets_the_market_hall_move():
    """The hall stays on the row that a catastrophe broke, until a new row of three is made."""
    drawing = """
        g   g^  g   .   g   g   g
        .   .   .   .   .   .   .
        g   g   .   .   .   .   .
    """
    expected = """
        g   g^  #   .   g   g   g
        .   .   .   .   .   .   .
        g   g   g   .   .   .   .
    """
    state = table(drawing, "E5", "gg", "k", options=BUILDINGS)

    broken = after(state, *catastrophe("G5"))
    new_row = after(broken, *tile("g", "G7"))

    assert tidy(expected) == drawn_like(new_row, expected, "E5")
    assert {"E7", "F7", "G7"} == raised(new_row)
    assert [BuildingRaised(0, GREEN, at("E7"), at("F5"))] == told(new_row, RaiseBuilding(at("E7")))[:1]
    assert 1 == after(broken, *tile("g", "A11")).active


def test_TE_53_a_building_does_not_move_along_its_own_line():
    state = table("k k^ k . .", "E5", "k", "k", options=BUILDINGS)

    assert (Acting(1),) == after(state, *tile("k", "H5")).agenda


def test_TE_53_the_new_line_must_beat_both_lines_of_the_building():
    drawing = """
        k   .   .   .   .   .   .
        k   .   .   .   .   .   .
        k   .   .   .   .   .   .
        k^  k   .   {}   {}   {}   .
    """
    three = table(drawing.format("k", "k", "k"), "E4", "k", "k", options=BUILDINGS)
    column = """
        k   .   k
        k   .   k
        k^  .   k
        .   .   .
    """
    four = table(column, "E4", "k", "k", options=BUILDINGS)

    assert (Acting(1),) == after(three, *tile("k", "K7")).agenda
    assert {"G4", "G5", "G6", "G7"} == raised(after(four, *tile("k", "G7")))


def test_TE_53_a_new_line_has_three_tiles_though_the_building_stands_alone():
    drawing = """
        k^  .   .   .
        .   .   k   .
    """
    state = table(drawing, "E4", "kk", "k", options=BUILDINGS)

    two = after(state, *tile("k", "H5"))

    assert (Acting(1),) == two.agenda
    assert {"F5", "G5", "H5"} == raised(after(two, *tile("k", "F5")))


def test_TE_53_a_building_elsewhere_doubles_nothing():
    drawing = """
        K0  r   .   .   k^
        .   .   .   .   .
    """
    state = table(drawing, "E4", "k", "k", options=BUILDINGS)

    assert [(0, BLACK, 1)] == gains(told(state, *tile("k", "G4")))


def test_TE_53_a_building_doubles_tile_points_also_for_a_king():
    state = table("r* . K0 r g g^ g .", "D5", "gr", "k", options=BUILDINGS)

    assert [(0, GREEN, 2)] == gains(told(state, *tile("g", "K5")))
    assert [(0, RED, 1)] == gains(told(state, *tile("r", "K5")))


def test_TE_53_a_building_in_a_region_joined_by_the_tile_counts():
    state = table("K0 r . k^", "E5", "k", "k", options=BUILDINGS)

    assert [(0, BLACK, 2)] == gains(told(state, *tile("k", "G5")))


def test_TE_53_the_triggering_tile_scores_before_the_building_stands():
    state = table("K0 r k k .", "E5", "k", "k", options=BUILDINGS)

    events = told(state, *tile("k", "I5"), RaiseBuilding(at("G5")))

    assert [(0, BLACK, 1)] == gains(events)


def test_TE_53_flipping_its_tile_returns_a_building():
    drawing = """
        k   k^
        k   .
    """
    state = table(drawing, "E5", "k", "k", options=BUILDINGS)

    events = told(state, *tile("k", "F6"), BuildMonument(Monument.RED_BLACK, at("E5")))
    built = after(state, *tile("k", "F6"), BuildMonument(Monument.RED_BLACK, at("E5")))

    assert BuildingReturned(BLACK, at("F5")) in events
    assert not any(built.board.buildings)


def test_TE_53_a_building_may_stand_on_a_treasure():
    state = table("r* r .", "E5", "r", "k", options=BUILDINGS)

    raised_there = after(state, *tile("r", "G5"), RaiseBuilding(at("E5")))

    assert tidy("r*^ r r") == drawn_like(raised_there, "r*^ r r", "E5")


LINE_AND_SQUARE = """
    k   k   .
    k   .   .
    .   k   .
"""


def test_TE_50_a_building_first_then_a_monument():
    state = table(LINE_AND_SQUARE, "E4", "k", "k", options=BUILDINGS)

    first = after(state, *tile("k", "F5"))
    second = after(first, RaiseBuilding(at("F6")))
    built = after(second, BuildMonument(Monument.RED_BLACK, at("E4")))

    assert OfferingBuilding(at("F5")) == first.agenda[-1]
    assert OfferingMonument(at("F5")) == second.agenda[-1]
    assert (Acting(1),) == built.agenda


def test_TE_50_declining_the_building_does_not_cancel_the_monument():
    state = table(LINE_AND_SQUARE, "E4", "k", "k", options=BUILDINGS)

    events = told(state, *tile("k", "F5"), DeclineBuild(), DeclineBuild())

    assert [
        BuildingOffered(0, at("F5")),
        BuildDeclined(0),
        MonumentOffered(0, at("F5")),
        BuildDeclined(0),
    ] == events[2:]


CROSS = """
    .   k   .   .
    k   .   k   K0
    .   k   .   r
"""


def test_TE_54_a_cross_becomes_the_wonder():
    expected = """
        .   W   .   .
        W   W   W   K0
        .   W   .   r
    """
    state = table(CROSS, "E4", "k", "k", options=WONDER)

    events = told(state, *tile("k", "F5"), BuildWonder(at("F5")))
    built = after(state, *tile("k", "F5"), BuildWonder(at("F5")))

    assert WonderBuilt(0, at("F5"), BLACK) in events
    assert tidy(expected) == drawn_like(built, expected, "E4")
    assert (0, 0, 0, 5) == built.removed


def test_TE_54_a_cross_declined_or_existing_earlier_is_never_offered_by_itself():
    drawing = """
        .   k   .   .
        k   k   k   .
        .   k   .   .
    """
    state = table(drawing, "E4", "kk", "k", options=WONDER)

    assert (Acting(1),) == after(state, *tile("k", "H5")).agenda


def test_TE_54_the_active_players_king_gains_a_point_of_any_colour():
    drawing = """
        .   W   .   .
        W   W   W   K0
        .   W   .   r
    """
    state = table(drawing, "E4", "k", "kkkkkk", options=WONDER)

    asked = after(state, EndTurn())
    events = told(asked, ChooseColour(GREEN))

    assert (ChoosingColour(),) == asked.agenda
    assert [ChooseColour(colour) for colour in COLOURS] == legal(asked)
    assert PointsScored(0, GREEN, 1, PointReason.WONDER) == events[0]
    assert isinstance(events[1], TilesDrawn)


def test_TE_54_the_wonder_gives_nothing_in_the_turns_of_others():
    drawing = """
        .   W   .   .
        W   W   W   K0
        .   W   .   r
    """
    state = table(drawing, "E4", "k", "kkkkkk", options=WONDER, active=1)

    assert [] == gains(told(state, EndTurn()))


def test_TE_54_the_wonder_gives_nothing_to_a_king_elsewhere():
    drawing = """
        .   W   .   .   .
        W   W   W   .   K0
        .   W   .   .   r
    """
    state = table(drawing, "E4", "k", "kkkkkk", options=WONDER)

    assert (Acting(2),) == after(state, EndTurn()).agenda


def test_TE_54_only_one_wonder_and_only_with_the_option():
    second = """
        .   W   .   .   .   k   .
        W   W   W   .   k   .   k
        .   W   .   .   .   k   .
    """
    built = table(second, "E4", "k", "k", options=WONDER)
    without = table(CROSS, "E4", "k", "k")

    assert (Acting(1),) == after(built, *tile("k", "J5")).agenda
    assert (Acting(1),) == after(without, *tile("k", "F5")).agenda


def test_TE_54_treasures_stay_buildings_return_and_leaders_go_home():
    drawing = """
        .   r*  .   .
        r^  r   .   K0
        .   r   .   .
    """
    expected = """
        .   W*  .   .
        W   W   W   .
        .   W   .   .
    """
    state = table(drawing, "E5", "r", "k", options=EVERYTHING)

    built = told(state, *tile("r", "G6"), BuildWonder(at("F6")))
    done = after(state, *tile("r", "G6"), BuildWonder(at("F6")))

    assert BuildingReturned(RED, at("E6")) in built
    assert LeaderSentHome(0, BLACK, at("H6"), HomeReason.NO_TEMPLE) in built
    assert tidy(expected) == drawn_like(done, expected, "E5")


def test_TE_54_several_crosses_and_a_square_are_one_choice():
    drawing = """
        .   k   k   .
        k   k   .   k
        .   k   k   .
    """
    state = table(drawing, "E4", "k", "k", options=WONDER)

    offered = after(state, *tile("k", "G5"))

    assert {"F5", "G5"} == {
        action.center.name for action in legal(offered) if isinstance(action, BuildWonder)
    }
    assert {"F4", "F5"} == {
        action.corner.name for action in legal(offered) if isinstance(action, BuildMonument)
    }
    assert (Acting(1),) == after(offered, BuildWonder(at("G5"))).agenda
