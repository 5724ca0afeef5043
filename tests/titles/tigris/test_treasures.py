"""Tests of treasures: TE-60, TE-61."""

from __future__ import annotations

from gamehost.titles.tigris.rules.actions import DiscardTiles, SwapTiles, TakeTreasure, WithdrawLeader
from gamehost.titles.tigris.rules.events import PointsScored, TilePlaced, TreasureOffered, TreasureTaken
from gamehost.titles.tigris.rules.material import Monument
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.phases import Acting, TakingTreasure

from .table import (
    BLACK,
    BLUE,
    after,
    asked,
    at,
    catastrophe,
    drawn_like,
    leader,
    legal,
    table,
    tidy,
    tile,
    told,
)

BORDERED = """
    .   r*  k   ~   b   b   ~
    .   .   .   .   .   k   ~
    .   .   .   .   B1  r*  G0
"""


def test_TE_60_example_7_the_bordered_treasure_goes_first():
    """The bull's farmer scores; then the lion's trader takes the far treasure, for its space is bordered."""
    expected = """
        .   r   k   b   b   b   ~
        .   .   .   .   .   k   ~
        .   .   .   .   B1  r*  G0
    """
    state = table(BORDERED, "A8", "b", "k")

    events = told(state, *tile("b", "D8"))
    done = after(state, *tile("b", "D8"))

    assert [TilePlaced, PointsScored, TreasureTaken] == [type(event) for event in events[1:]]
    assert (1, BLUE) == (events[2].seat, events[2].colour)
    assert TreasureTaken(0, at("B8")) == events[-1]
    assert tidy(expected) == drawn_like(done, expected, "A8")
    assert (1, 0) == done.treasures


def test_TE_60_the_traders_owner_chooses_among_equals_though_not_active():
    state = table("G1 r* . r*", "E5", "k", "k")

    offered = after(state, *tile("k", "G5"))
    taken = after(offered, TakeTreasure(at("H5")))

    assert TakingTreasure(1) == offered.agenda[-1]
    assert 1 == asked(offered)
    assert [TakeTreasure(at("F5")), TakeTreasure(at("H5"))] == legal(offered)
    assert tidy("G1 r* k r") == drawn_like(taken, "G1 r* k r", "E5")
    assert (0, 1) == taken.treasures
    assert (Acting(1),) == taken.agenda


def test_TE_60_one_treasure_at_a_time():
    state = table("r* . r* r* G0", "E5", "k", "k")
    three = after(state, *tile("k", "F5"))

    two = after(three, TakeTreasure(at("G5")))
    one = after(two, TakeTreasure(at("E5")))

    assert 3 == len(legal(three))
    assert [TakeTreasure(at("E5")), TakeTreasure(at("H5"))] == legal(two)
    assert tidy("r k r r* G0") == drawn_like(one, "r k r r* G0", "E5")


def test_TE_60_bordered_ones_are_chosen_among_when_all_are():
    drawing = """
        .   r*  G0
        .   k   .
        ~   b   ~
        .   k   .
        .   .   .
        ~   b   ~
        .   r*  .
    """
    state = table(drawing, "A2", "k", "k")

    offered = after(state, *tile("k", "B6"))

    assert [TakeTreasure(at("B2")), TakeTreasure(at("B8"))] == legal(offered)


def test_TE_60_several_bordered_ones_all_go_before_another_and_nobody_is_asked():
    drawing = """
        .   r*  G0
        .   r*  .
        ~   b   ~
        .   k   .
        .   .   .
        ~   b   ~
        .   r*  .
    """
    state = table(drawing, "A2", "k", "k")

    events = told(state, *tile("k", "B6"))

    assert [TreasureTaken(0, at("B2")), TreasureTaken(0, at("B8"))] == events[2:]
    assert (Acting(1),) == after(state, *tile("k", "B6")).agenda


def test_TE_60_treasures_are_checked_after_every_action():
    state = table("G0 r* . r*", "E5", "kk", "k", left=2)

    events = told(state, *tile("k", "G5"))

    assert TreasureOffered(0) == events[-1]


def test_TE_60_the_active_player_takes_first_then_clockwise():
    drawing = """
        .   .   .   .   .   .   .   .
        G0  r*  r*  .   .   r*  r*  G1
    """
    state = table(drawing, "E4", "k", "k", active=1)

    first = after(state, *tile("k", "A11"))
    second = after(first, TakeTreasure(at("J5")))

    assert TakingTreasure(1) == first.agenda[-1]
    assert TakingTreasure(0) == second.agenda[-1]


def test_TE_60_every_kind_of_action_counts():
    state = table("G0 r* r* K0", "E5", "kk", "k")

    swap, withdrawal = (SwapTiles(), DiscardTiles(0, 0, 0, 1)), [WithdrawLeader(BLACK)]
    for answers in (leader("k", "F4"), catastrophe("A11"), swap, withdrawal, tile("k", "A11")):
        assert TakingTreasure(0) == after(state, *answers).agenda[-1]


def test_TE_61_without_a_trader_treasures_wait_for_one():
    state = table("K0 r* . r* .", "E5", "k", "k")

    joined = after(state, *tile("k", "G5"))
    ruled = after(joined, *leader("g", "I5"))

    assert (Acting(1),) == joined.agenda
    assert TakingTreasure(0) == ruled.agenda[-1]


def test_TE_61_treasures_on_face_down_tiles_and_on_the_wonder_count():
    drawing = """
        x*  x   .   W   .
        x   x   W   W   W*
        .   .   G0  W   .
        .   .   r   .   .
    """
    state = table(
        drawing,
        "G4",
        "k",
        "k",
        options=Options(wonder=True),
        monuments=((Monument.RED_BLACK, "G4"),),
    )

    offered = after(state, *tile("k", "A11"))

    assert [TakeTreasure(at("G4")), TakeTreasure(at("K5"))] == legal(offered)
