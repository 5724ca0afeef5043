"""Tests of revolts and wars: TE-40 to TE-49."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.titles.tigris.rules.actions import ChooseWar, CommitSupport, EndTurn
from gamehost.titles.tigris.rules.events import (
    ConflictBegun,
    ConflictWon,
    HomeReason,
    KingdomsJoined,
    LeaderSentHome,
    PointReason,
    PointsScored,
    StandingLeader,
    SupportCommitted,
    TilesDrawn,
    UnificationEnded,
)
from gamehost.titles.tigris.rules.options import Options
from gamehost.titles.tigris.rules.phases import Acting, Conflict, ConflictKind, Unifying

from .table import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    after,
    asked,
    at,
    drawn_like,
    gains,
    leader,
    legal,
    table,
    tidy,
    tile,
    told,
)

ENGLISH = Options(english_variant=True)


def begun(events):
    return [event.conflict for event in events if isinstance(event, ConflictBegun)]


def war(colour, attacker, defender, *strengths):
    return Conflict(ConflictKind.WAR, colour, attacker, defender, *strengths)


def revolt(colour, attacker, defender, *strengths):
    return Conflict(ConflictKind.REVOLT, colour, attacker, defender, *strengths)


REVOLT = """
    .   r   .   r   .
    r   .   r   K1  .
    .   .   .   .   .
"""


def test_TE_40_example_1_a_tied_revolt_is_won_by_the_defender():
    """Three and two temples, one of them shared; two committed against three."""
    state = table(REVOLT, "E4", "rrbgkk", "rrrbgk")

    events = told(state, *leader("k", "F5"), CommitSupport(2), CommitSupport(3))

    assert [revolt(BLACK, 0, 1, 3, 2)] == begun(events)
    assert [
        SupportCommitted(0, RED, 2),
        SupportCommitted(1, RED, 3),
        ConflictWon(ConflictKind.REVOLT, BLACK, 1, 0, 5, 5, ()),
        LeaderSentHome(0, BLACK, at("F5"), HomeReason.LOST_REVOLT),
        PointsScored(1, RED, 1, PointReason.REVOLT),
    ] == events[3:]


def test_TE_40_board_temples_stay_and_committed_tiles_leave():
    state = table(REVOLT, "E4", "rrbgkk", "rrrbgk")

    fought = after(state, *leader("k", "F5"), CommitSupport(2), CommitSupport(3))

    assert tidy(REVOLT) == drawn_like(fought, REVOLT, "E4")
    assert (5, 0, 0, 0) == fought.removed
    assert [4, 3] == [sum(hand) for hand in fought.hands]


def test_TE_40_the_attacker_wins_with_more():
    expected = """
        .   r   .   r   .
        r   K0  r   .   .
        .   .   .   .   .
    """
    state = table(REVOLT, "E4", "rrbgkk", "rrrbgk")

    fought = after(state, *leader("k", "F5"), CommitSupport(0), CommitSupport(0))

    assert tidy(expected) == drawn_like(fought, expected, "E4")
    assert (1, 0, 0, 0) == fought.points[0]


def test_TE_40_example_4_the_first_turn():
    """A priest revolts with one temple and three from the hand, then places the fourth."""
    drawing = """
        .   .   .   .   .   .
        .   .   R1  r*  .   .
    """
    expected = """
        .   .   .   r   .   .
        .   .   .   r*  R0  .
    """
    state = table(drawing, "F6", "rrrrgk", "rrbbgk")

    fought = after(state, *leader("r", "J7"))
    won = told(fought, CommitSupport(3), CommitSupport(0))
    done = after(fought, CommitSupport(3), CommitSupport(0), *tile("r", "I6"))

    assert revolt(RED, 0, 1, 1, 1) == fought.agenda[-1]
    assert ConflictWon(ConflictKind.REVOLT, RED, 0, 1, 4, 1, ()) in won
    assert [(0, RED, 1)] == gains(won)
    assert (2, 0, 0, 0) == done.points[0]
    assert tidy(expected) == drawn_like(done, expected, "F6")
    assert [6, 6] == [sum(hand) for hand in done.hands]
    assert 1 == done.active


TWO_WARS = """
    .   K0  .   .   .   .   .   G1  .
    G0  r   g   k   .   g   g   r   K1
"""


def test_TE_41_TE_44_example_2_a_war_ends_the_next():
    """The markets that are removed connected the pot's king to the joined kingdom."""
    expected = """
        .   K0  .   .   .   .   .   .   .
        G0  r   g   k   r   .   .   r   K1
    """
    state = table(TWO_WARS, "E4", "rggggk", "gbbbbb")

    joined = after(state, *tile("r", "I5"))
    events = told(joined, ChooseWar(GREEN), CommitSupport(4), CommitSupport(1))
    done = after(joined, ChooseWar(GREEN), CommitSupport(4), CommitSupport(1))

    assert [ChooseWar(GREEN), ChooseWar(BLACK)] == legal(joined)
    assert [war(GREEN, 0, 1, 1, 2)] == begun(events)
    assert [
        ConflictWon(ConflictKind.WAR, GREEN, 0, 1, 5, 3, (at("J5"), at("K5"))),
        LeaderSentHome(1, GREEN, at("L4"), HomeReason.LOST_WAR),
        PointsScored(0, GREEN, 3, PointReason.WAR),
        UnificationEnded(at("I5")),
    ] == events[-4:]
    assert tidy(expected) == drawn_like(done, expected, "E4")
    assert (0, 0, 7, 0) == done.removed
    assert (Acting(1),) == done.agenda


def test_TE_43_example_3_the_defender_wins_with_six_against_five():
    drawing = """
        g   g   g   r   .   r   g   g   g   g
        .   .   .   G0  .   G1  .   .   .   .
    """
    state = table(drawing, "A5", "kggbbb", "ggbbbb")

    events = told(state, *tile("k", "E5"), CommitSupport(2), CommitSupport(2))

    assert [war(GREEN, 0, 1, 3, 4)] == begun(events)
    assert [(1, GREEN, 4)] == gains(events)


def test_TE_41_the_tile_is_covered_until_the_wars_are_over():
    state = table(TWO_WARS, "E4", "rggggk", "gbbbbb")
    expected = """
        .   K0  .   .   .   .   .   G1  .
        G0  r   g   k   r?  g   g   r   K1
    """

    joined = after(state, *tile("r", "I5"))

    assert tidy(expected) == drawn_like(joined, expected, "E4")
    assert Unifying(at("I5")) == joined.agenda[-1]


def test_TE_41_the_event_names_both_kingdoms_as_they_were():
    state = table("K0 r . r G1 B0", "E5", "rk", "k")

    events = told(state, *tile("r", "G5"))

    (joined,) = (event for event in events if isinstance(event, KingdomsJoined))
    assert at("G5") == joined.space
    assert [(at("E5"), at("F5")), (at("H5"), at("I5"), at("J5"))] == sorted(
        kingdom.spaces for kingdom in joined.kingdoms
    )
    assert {
        (StandingLeader(at("E5"), 0, BLACK),),
        (StandingLeader(at("J5"), 0, BLUE), StandingLeader(at("I5"), 1, GREEN)),
    } == {kingdom.leaders for kingdom in joined.kingdoms}


def test_TE_41_the_active_player_chooses_also_when_not_involved():
    state = table(TWO_WARS, "E4", "ggbbbb", "gbbbbb", "rrrrrr", active=2)

    joined = after(state, *tile("r", "I5"))

    assert 2 == asked(joined)
    assert 0 == asked(after(joined, ChooseWar(BLACK)))


def test_TE_41_a_single_war_begins_at_once():
    state = table("K0 r . r K1", "E5", "rk", "k")

    events = told(state, *tile("r", "G5"))

    assert [war(BLACK, 0, 1, 0, 0)] == begun(events)


def test_joining_without_a_shared_colour_is_no_war():
    state = table("K0 r . r G1", "E5", "rk", "k")

    joined = after(state, *tile("r", "G5"))

    assert (Acting(1),) == joined.agenda
    assert 0 == joined.board.covered


@pytest.mark.parametrize(("active", "attacker", "defender"), [(0, 0, 2), (1, 2, 0), (2, 2, 0), (3, 0, 2)])
def test_TE_42_who_attacks(active, attacker, defender):
    state = table("K0 r . r K2", "E5", "rk", "rk", "rk", "rk", active=active)

    events = told(state, *tile("r", "G5"))

    assert [(attacker, defender)] == [(one.attacker, one.defender) for one in begun(events)]


def test_TE_43_the_covered_tile_and_what_touches_only_it_support_nobody():
    drawing = """
        .   .   .   g   .   .
        G0  r   g   .   r   G1
    """
    state = table(drawing, "E4", "gk", "gk")

    events = told(state, *tile("g", "H5"))

    assert [war(GREEN, 0, 1, 1, 0)] == begun(events)


def test_TE_43_the_covered_tile_survives_a_lost_war():
    drawing = "G0 r g . g r G1"
    expected = "G0 r g g . r ."
    state = table(drawing, "E5", "gggk", "kk")

    done = after(state, *tile("g", "H5"), CommitSupport(2), CommitSupport(0))

    assert tidy(expected) == drawn_like(done, expected, "E5")
    assert (0, 0, 2, 0) == done.points[0]


def test_TE_43_a_tie_is_the_defenders():
    state = table("G0 r g . g r G1", "E5", "kk", "kk")

    events = told(state, *tile("k", "H5"), CommitSupport(0), CommitSupport(0))

    assert [(1, GREEN, 2)] == gains(events)


def test_TE_44_committed_tiles_score_nothing():
    state = table("G0 r . r G1", "E5", "kggg", "gg")

    events = told(state, *tile("k", "G5"), CommitSupport(3), CommitSupport(2))

    assert [(0, GREEN, 1)] == gains(events)


PIECES = """
    .   .   .   .   G1  .
    K0  r   k   .   r   K1
    .   G0  .   k   g   .
"""


def test_TE_45_a_side_in_pieces_still_fights_with_what_is_linked():
    """Without the market only the covered tile connects the settlement, which no longer supports the king."""
    expected = """
        .   .   .   .   .   .
        K0  r   k   r?  r   K1
        .   G0  .   k   .   .
    """
    state = table(PIECES, "E4", "rggk", "kk")

    joined = after(state, *tile("r", "H5"))
    fought = after(joined, ChooseWar(GREEN), CommitSupport(2), CommitSupport(0))

    assert war(BLACK, 0, 1, 1, 1) == after(joined, ChooseWar(BLACK)).agenda[-1]
    assert tidy(expected) == drawn_like(fought, expected, "E4")
    assert war(BLACK, 0, 1, 1, 0) == fought.agenda[-1]


RED_WAR = """
    .   .   .   .   .   .   .   .
    r   R0  r   .   r   r*  r   R1
    .   .   .   .   .   .   B1  .
"""


def test_TE_46_temples_with_a_treasure_or_another_leader_stay_and_do_not_score():
    expected = """
        .   .   .   .   .   .   .   .
        r   R0  r   k   .   r*  r   .
        .   .   .   .   .   .   B1  .
    """
    state = table(RED_WAR, "E4", "krrr", "kk")

    events = told(state, *tile("k", "H5"), CommitSupport(2), CommitSupport(0))
    done = after(state, *tile("k", "H5"), CommitSupport(2), CommitSupport(0))

    assert [war(RED, 0, 1, 2, 3)] == begun(events)
    assert [(0, RED, 2)] == gains(events)
    assert tidy(expected) == drawn_like(done, expected, "E4")


def test_TE_46_temples_beside_the_losing_priest_alone_leave():
    drawing = "r R0 r . r R1 r"
    expected = "r R0 r k . . ."
    state = table(drawing, "E5", "krrr", "kk")

    events = told(state, *tile("k", "H5"), CommitSupport(3), CommitSupport(0))
    done = after(state, *tile("k", "H5"), CommitSupport(3), CommitSupport(0))

    assert [(0, RED, 3)] == gains(events)
    assert tidy(expected) == drawn_like(done, expected, "E5")


def test_TE_46_only_in_a_red_war_do_leaders_keep_supporters_beside_them():
    drawing = """
        K0  r   .   k   r   K1
        .   .   .   G1  r   .
    """
    expected = """
        K0  r   r   .   r   .
        .   .   .   G1  r   .
    """
    state = table(drawing, "E4", "rkkk", "r")

    done = after(state, *tile("r", "G4"), CommitSupport(3), CommitSupport(0))

    assert (0, 0, 0, 2) == done.points[0]
    assert tidy(expected) == drawn_like(done, expected, "E4")


def test_TE_12_TE_46_a_red_war_leaves_no_other_leader_without_temple():
    state = table(RED_WAR, "E4", "krrr", "kk")

    events = told(state, *tile("k", "H5"), CommitSupport(2), CommitSupport(0))

    homes = [event for event in events if isinstance(event, LeaderSentHome)]
    assert [LeaderSentHome(1, RED, at("L5"), HomeReason.LOST_WAR)] == homes


def test_TE_47_a_tile_under_a_building_supports_but_stays():
    drawing = "K0 r k . k^ k r K1"
    expected = "K0 r k r k^ . r ."
    state = table(drawing, "E5", "rkkk", "r", options=Options(civilization_buildings=True))

    events = told(state, *tile("r", "H5"), CommitSupport(3), CommitSupport(0))
    done = after(state, *tile("r", "H5"), CommitSupport(3), CommitSupport(0))

    assert [war(BLACK, 0, 1, 1, 2)] == begun(events)
    assert [(0, BLACK, 2)] == gains(events)
    assert tidy(expected) == drawn_like(done, expected, "E5")


def numbers(state):
    return [action.tiles for action in legal(state)]


def test_TE_48_the_attacker_commits_nothing_or_enough_to_get_ahead():
    state = table("G0 r . g g r G1", "E5", "kgggg", "gggg", options=ENGLISH)

    joined = after(state, *tile("k", "G5"))

    assert [0, 3, 4] == numbers(joined)


def test_TE_48_the_defender_commits_nothing_or_exactly_a_tie():
    state = table("G0 r . g g r G1", "E5", "kgggg", "gggg", options=ENGLISH)

    attacked = after(state, *tile("k", "G5"), CommitSupport(4))

    assert [0, 2] == numbers(attacked)


def test_TE_48_in_revolts_too():
    state = table(REVOLT, "E4", "rrrrrr", "rrrrrr", options=ENGLISH)

    attacked = after(state, *leader("k", "F5"))

    assert [0, 1, 2, 3, 4, 5, 6] == numbers(attacked)
    assert [0, 2] == numbers(after(attacked, CommitSupport(1)))


def test_TE_48_who_can_change_nothing_is_not_asked():
    """Six tiles cannot make up for what everyone can see on the board."""
    state = table("G0 r . g g r G1", "E5", "kg", "g", options=ENGLISH)

    events = told(state, *tile("k", "G5"))

    assert [SupportCommitted(0, GREEN, 0), SupportCommitted(1, GREEN, 0)] == events[4:6]
    assert (Acting(1),) == after(state, *tile("k", "G5")).agenda


def test_TE_49_pointless_commitments_are_legal():
    state = table("G0 r . g g r G1", "E5", "kg", "ggg")

    joined = after(state, *tile("k", "G5"))

    assert [0, 1] == numbers(joined)
    assert [0, 1, 2, 3] == numbers(after(joined, CommitSupport(0)))


def test_TE_49_one_with_nothing_to_commit_is_asked_all_the_same():
    """An automatic answer would show its hand."""
    state = table("G0 r . g g r G1", "E5", "kkk", "kkk")

    joined = after(state, *tile("k", "G5"))

    assert 0 == asked(joined)
    assert [0] == numbers(joined)
    assert 1 == asked(after(joined, CommitSupport(0)))


def test_TE_49_an_empty_hand_is_public_and_not_asked():
    state = table("G0 r . g g r G1", "E5", "k", "kkk")

    joined = after(state, *tile("k", "G5"))

    assert 1 == asked(joined)


def test_TE_49_where_all_tiles_of_the_colour_are_in_sight_nobody_is_asked():
    state = table("G0 r . g r G1", "E5", "kkk", "kkk")

    joined = after(replace(state, removed=(0, 0, 29, 0)), *tile("k", "G5"))
    one_unseen = after(replace(state, removed=(0, 0, 28, 0)), *tile("k", "G5"))

    assert (0, 0, 1, 0) == joined.points[1]
    assert 0 == asked(one_unseen)


def test_TE_49_nobody_refills_before_the_end_of_the_turn():
    state = table("G0 r . r G1", "E5", "kgggrr", "ggrrrr")

    fought = after(state, *tile("k", "G5"), CommitSupport(3), CommitSupport(2))
    ended = told(fought, EndTurn())

    assert [2, 4] == [sum(hand) for hand in fought.hands]
    assert [(0, 4), (1, 2)] == [(one.seat, len(one.tiles)) for one in ended if isinstance(one, TilesDrawn)]


def test_TE_49_the_same_placement_may_be_tried_again():
    state = table(REVOLT, "E4", "rrbgkk", "rrrbgk")

    lost = after(state, *leader("k", "F5"), CommitSupport(0), CommitSupport(3))
    again = after(lost, *leader("k", "F5"))

    assert revolt(BLACK, 0, 1, 3, 2) == again.agenda[-1]


def test_TE_40_a_farmers_revolt_is_fought_with_temples():
    state = table("B1 r .", "E5", "rbb", "bb")

    attacked = after(state, *leader("b", "G5"))

    assert [0, 1] == numbers(attacked)
    assert BLUE == attacked.agenda[-1].colour
    assert RED == attacked.agenda[-1].support
