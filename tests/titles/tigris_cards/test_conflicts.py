"""Tests of internal and external conflicts: EC-12, EC-30, EC-40, EC-41."""

from __future__ import annotations

import pytest

from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import (
    ChooseConflict,
    CommitCards,
    Decline,
    EndTurn,
    LayLink,
    PlaceLeader,
    TakePoint,
)
from gamehost.titles.tigris_cards.rules.events import (
    CardsCommitted,
    ConflictBegun,
    ConflictWon,
    ExchangeOffered,
    LeaderPlaced,
    LinkLaid,
    LinkTurnedUp,
    OfferDeclined,
    PointOffered,
    PointTaken,
)
from gamehost.titles.tigris_cards.rules.model import Leader, Place
from gamehost.titles.tigris_cards.rules.options import Options

from .table import (
    BLACK,
    BLUE,
    FIRST,
    GREEN,
    RED,
    SECOND,
    THIRD,
    after,
    asks,
    drawn,
    given,
    legal,
    picture,
    pile,
    refused,
    told,
)

EIGHT = "kkrrggbb"
KINGDOM = """
    T  -g---T1b     T       T       T       T       T       T
    g       r
    b
    """
ENTER = (FIRST, PlaceLeader(BLUE, Place(0, 1)))


def reds(count):
    return CommitCards(RED, count)


def test_EC_12_entering_a_kingdom_with_a_leader_of_the_colour_is_a_conflict():
    state = given(KINGDOM, EIGHT, EIGHT)

    events = told(state, *ENTER)

    assert [
        LeaderPlaced(Leader(FIRST, BLUE), Place(0, 1), None),
        ConflictBegun(False, BLUE, FIRST, SECOND, 0, 1),
    ] == events
    assert asks(after(state, ENTER)) == (FIRST, (CommitCards,))


@pytest.mark.parametrize("place", [Place(4, 1), Place(5), Place(6, 0), Place(7, 1)])
def test_EC_12_a_kingdom_is_entered_by_any_of_its_cards_anywhere_on_the_table(place):
    table = """
        T0b     T       T       T       T  -k---T1r-k---T  -g---T
                                        k                       k
        """

    events = told(given(table, EIGHT, EIGHT), FIRST, PlaceLeader(RED, place))

    assert ConflictBegun(False, RED, FIRST, SECOND, int(place.row == 0), 1) == events[-1]


def test_EC_12_another_colour_or_another_kingdom_is_no_conflict():
    state = given(KINGDOM, EIGHT, EIGHT)

    assert 1 == len(told(state, FIRST, PlaceLeader(BLACK, Place(0, 1))))
    assert 1 == len(told(state, FIRST, PlaceLeader(BLUE, Place(2, 0))))


def test_EC_12_moving_within_the_own_kingdom_is_no_conflict():
    state = given(KINGDOM.replace("1b", "0b"), EIGHT, EIGHT)

    assert 1 == len(told(state, FIRST, PlaceLeader(BLUE, Place(0, 1))))


def test_EC_30_the_higher_strength_wins_one_card_and_the_rest_is_discarded():
    state = after(given(KINGDOM, "rrrkkkkk", EIGHT), ENTER, (FIRST, reds(3)))

    events = told(state, SECOND, reds(1))
    won = after(state, (SECOND, reds(1)))

    assert [
        CardsCommitted(SECOND, RED, 1),
        ConflictWon(FIRST, Leader(SECOND, BLUE), Place(1, 0), RED, 1, 3, ()),
    ] == events
    assert picture(
        """
        T  -g---T       T       T       T       T       T       T
        g0b     r
        b
        """
    ) == drawn(won)
    assert ((pile("r"), pile("")), (0, 3, 0, 0)) == (won.piles, won.discards)
    assert FIRST == asks(won)[0]


def test_EC_30_the_defender_wins_a_tie_and_may_win_with_the_attackers_card():
    state = after(given(KINGDOM, EIGHT, "kkkk"), ENTER, (FIRST, reds(1)))

    events = told(state, SECOND, reds(0))

    assert ConflictWon(SECOND, Leader(FIRST, BLUE), Place(0, 1), RED, 1, 0, ()) == events[-1]
    assert picture(KINGDOM) == drawn(after(state, (SECOND, reds(0))))


@pytest.mark.parametrize(
    ("place", "strength"),
    [(Place(0, 0), 1), (Place(2, 0), 1), (Place(2, 1), 1), (Place(0, 1), 0), (Place(0), 0)],
)
def test_EC_30_a_temple_a_treasure_and_a_replaced_head_add_one(place, strength):
    table = """
        T  -g---T1b-r---r       T       T       T       T       T
        g               r
        """
    state = given(table, EIGHT, EIGHT)

    assert told(state, FIRST, PlaceLeader(BLUE, place))[-1] == ConflictBegun(
        False, BLUE, FIRST, SECOND, strength, 1
    )


def test_EC_30_a_red_link_adds_one():
    state = given("T  -r---T1b     T       T       T       T       T       T", EIGHT, EIGHT)

    assert (
        ConflictBegun(False, BLUE, FIRST, SECOND, 1, 1) == told(state, FIRST, PlaceLeader(BLUE, Place(0)))[-1]
    )


def test_EC_30_if_no_card_was_played_the_winner_may_use_one_from_hand():
    state = after(given(KINGDOM, EIGHT, EIGHT), ENTER, (FIRST, reds(0)))

    events = told(state, SECOND, reds(0))
    offered = after(state, (SECOND, reds(0)))

    assert [
        ConflictWon(SECOND, Leader(FIRST, BLUE), Place(0, 1), RED, 0, 0, ()),
        PointOffered(SECOND, RED, None),
    ] == events[1:]
    assert asks(offered) == (SECOND, (TakePoint, Decline))
    assert [PointTaken(SECOND, RED)] == told(offered, SECOND, TakePoint())
    assert [OfferDeclined(SECOND)] == told(offered, SECOND, Decline())


def test_EC_30_a_refused_point_names_the_conflict_it_comes_from():
    state = given(KINGDOM, EIGHT, "kkkkkkkk")

    offered = after(state, ENTER, (FIRST, reds(0)), (SECOND, reds(0)))

    assert ("NOT_YOUR_DECISION", "EC-30") == refused(offered, FIRST, TakePoint())
    assert ("CARD_NOT_HELD", "EC-30") == refused(offered, SECOND, TakePoint())


def test_EC_30_only_red_cards_and_only_those_held():
    state = after(given(KINGDOM, EIGHT, EIGHT), ENTER)

    assert [reds(0), reds(1), reds(2)] == legal(state, FIRST)
    assert ("WRONG_COLOUR", "EC-30") == refused(state, FIRST, CommitCards(BLUE, 1))
    assert ("CARD_NOT_HELD", "EC-30") == refused(state, FIRST, reds(3))
    assert ("CARD_NOT_HELD", "EC-30") == refused(state, FIRST, reds(-1))
    assert ("NOT_YOUR_DECISION", "EC-30") == refused(state, SECOND, reds(1))
    assert ("NOT_ASKED", "EC-9") == refused(state, FIRST, EndTurn())


def test_EC_30_an_empty_hand_commits_nothing_unasked():
    state = after(given(KINGDOM, EIGHT, ""), ENTER)

    events = told(state, FIRST, reds(2))

    assert [
        CardsCommitted(FIRST, RED, 2),
        CardsCommitted(SECOND, RED, 0),
        ConflictWon(FIRST, Leader(SECOND, BLUE), Place(1, 0), RED, 1, 1, ()),
    ] == events


def test_EC_30_the_question_asks_for_red_cards_whatever_the_leader():
    (decision,) = TIGRIS_CARDS.decisions(after(given(KINGDOM, EIGHT, EIGHT), ENTER))

    assert "Commit red cards to the farmers' conflict." == decision.prompt.english


def test_EC_30_the_cards_played_lie_open():
    state = after(given(KINGDOM, EIGHT, EIGHT), ENTER, (FIRST, reds(2)))

    assert 2 == TIGRIS_CARDS.view(state, SECOND).agenda[-1].attacker_cards


def greens(count):
    return CommitCards(GREEN, count)


def war(table, *, gap, hands=(EIGHT, EIGHT, EIGHT), **others):
    return given(table, *hands, **others), (FIRST, LayLink(BLUE, gap))


FRONT = """
    T0g     T  -g---T1g     T       T       T       T       T
    g       g       g
    k       G       g0k
    g       k       b
            b       g
    """


def test_EC_40_strength_is_the_colour_in_the_former_kingdom_without_ships_and_the_face_down_link():
    state, link = war(FRONT, gap=0)

    events = told(state, *link)

    assert [LinkLaid(FIRST, 0, BLUE), ConflictBegun(True, GREEN, FIRST, SECOND, 2, 5)] == events


def test_EC_40_heads_count_as_red():
    table = """
        T0r     T  -b---r1r     T       T       T       T       T
        k       k       k
        k       r       k
        k       k       k
        """
    state, link = war(table, gap=0)

    assert ConflictBegun(True, RED, FIRST, SECOND, 1, 3) == told(state, *link)[-1]


def test_EC_40_the_winner_takes_the_colour_from_the_losers_side_and_columns_close_up():
    state, link = war(FRONT, gap=0, hands=("ggggbbbb", EIGHT))
    begun = after(state, link, (FIRST, greens(4)))

    events = told(begun, SECOND, greens(0))
    won = after(begun, (SECOND, greens(0)))

    assert (
        ConflictWon(
            FIRST,
            Leader(SECOND, GREEN),
            Place(2, 0),
            GREEN,
            1,
            3,
            (Place(1, 1), Place(2, 1), Place(2, 4), Place(1)),
        )
        == events[1]
    )
    assert picture(
        """
        T0g=b===T       T       T       T       T       T       T
        g       G       g0k
        k       k       b
        g       b
        """
    ) == drawn(won)
    assert ((pile("ggggg"), pile("")), (0, 0, 3, 0)) == (won.piles, won.discards)


def test_EC_40_the_losing_leader_has_gone_home_before_its_card_is_taken():
    table = """
        T       T0b     T       T       T       T       T       T
        g1b     b       r
        r       b       r
        b       b       r
        """
    options = Options(leader_colour_must_differ=False)
    state, link = war(table.replace("g1b", "b1b"), gap=0, options=options)

    won = after(state, link, (FIRST, CommitCards(BLUE, 1)), (SECOND, CommitCards(BLUE, 0)))

    assert "r       b       r" == drawn(won).splitlines()[1]


def test_EC_40_heads_stay():
    table = """
        T0r     T1r     T       T       T       T       T       T
        r       r
        r       k
        r       r
        """
    state, link = war(table, gap=0)

    won = after(state, link, (FIRST, CommitCards(RED, 1)), (SECOND, CommitCards(RED, 0)))

    assert picture(
        """
        T0r-b---T       T       T       T       T       T       T
        r       k
        r
        r
        """
    ) == drawn(won)
    assert pile("rrr") == won.piles[0]


def test_EC_40_a_tie_is_the_defenders():
    state, link = war(FRONT, gap=0, hands=("gggbbbbb", "kkkkkkkk"))
    begun = after(state, link, (FIRST, greens(3)))

    assert (
        ConflictWon(SECOND, Leader(FIRST, GREEN), Place(0, 0), GREEN, 1, 2, (Place(0, 1), Place(0, 3)))
        == told(begun, SECOND, greens(0))[1]
    )


def test_EC_40_if_no_card_was_played_the_winner_may_use_one_from_hand():
    state, link = war(FRONT, gap=0)
    begun = after(state, link, (FIRST, greens(0)))

    events = told(begun, SECOND, greens(0))
    offered = after(begun, (SECOND, greens(0)))
    taken = after(offered, (SECOND, TakePoint()))

    assert PointOffered(SECOND, GREEN, None) == events[-1]
    assert (pile(""), pile("ggg"), pile("")) == taken.piles


def test_EC_40_a_refused_point_names_the_conflict_it_comes_from():
    state, link = war(FRONT, gap=0, hands=(EIGHT, "kkkkkkkk"))

    offered = after(state, link, (FIRST, greens(0)), (SECOND, greens(0)))

    assert ("NOT_YOUR_DECISION", "EC-40") == refused(offered, FIRST, TakePoint())
    assert ("CARD_NOT_HELD", "EC-40") == refused(offered, SECOND, TakePoint())


def test_EC_40_the_exchange_follows_the_conflict():
    state, link = war(FRONT, gap=0)

    won = after(state, link, (FIRST, greens(0)), (SECOND, greens(1)))

    assert (
        ExchangeOffered(SECOND, (0, 1, 2))
        == told(after(state, link, (FIRST, greens(0))), SECOND, greens(1))[-1]
    )
    assert [OfferDeclined(SECOND), LinkTurnedUp(0, BLUE)] == told(won, SECOND, Decline())


def test_EC_40_the_attacker_is_the_active_player_or_the_first_clockwise():
    others = FRONT.replace("0g", "2g")
    state, link = war(others, gap=0)
    active = given(FRONT, EIGHT, EIGHT, active=SECOND)

    assert ConflictBegun(True, GREEN, SECOND, THIRD, 5, 2) == told(state, *link)[-1]
    assert ConflictBegun(True, GREEN, SECOND, FIRST, 5, 2) == told(active, SECOND, LayLink(BLUE, 0))[-1]
    assert (
        ConflictBegun(True, GREEN, THIRD, SECOND, 2, 5)
        == told(given(others, EIGHT, EIGHT, EIGHT, active=THIRD), THIRD, LayLink(BLUE, 0))[-1]
    )


def test_EC_40_only_cards_of_the_leaders_colour_and_only_those_held():
    state, link = war(FRONT, gap=0)
    begun = after(state, link)

    assert ("WRONG_COLOUR", "EC-40") == refused(begun, FIRST, CommitCards(RED, 1))
    assert ("CARD_NOT_HELD", "EC-40") == refused(begun, FIRST, greens(3))
    assert ("NOT_YOUR_DECISION", "EC-40") == refused(begun, SECOND, greens(1))


TWO_CLASHES = """
    T0g     T1g     T  -r---T       T       T       T       T
    g       r               r1r
    g       k
    g0r     k
    """


def split(table: str) -> str:
    """Returns the table with the second column joined by a red link, which a red conflict removes."""
    return table.replace("T1g     T  -r---", "T1g-r---T  -g---")


def test_EC_40_the_active_player_picks_the_order():
    state, link = war(split(TWO_CLASHES), gap=0)

    begun = after(state, link)

    assert asks(begun) == (FIRST, (ChooseConflict,))
    assert [ChooseConflict(RED), ChooseConflict(GREEN)] == legal(begun, FIRST)
    assert ("NO_SUCH_CONFLICT", "EC-40") == refused(begun, FIRST, ChooseConflict(BLUE))
    assert [ConflictBegun(True, GREEN, FIRST, SECOND, 3, 1)] == told(begun, FIRST, ChooseConflict(GREEN))
    assert [ConflictBegun(True, RED, FIRST, SECOND, 1, 6)] == told(begun, FIRST, ChooseConflict(RED))


def test_EC_41_a_conflict_still_present_follows_by_itself():
    state, link = war(split(TWO_CLASHES), gap=0)
    begun = after(state, link, (FIRST, ChooseConflict(RED)), (FIRST, CommitCards(RED, 0)))

    events = told(begun, SECOND, CommitCards(RED, 1))

    assert ConflictBegun(True, GREEN, FIRST, SECOND, 3, 1) == events[-1]


def test_EC_41_a_lost_link_splits_the_kingdom_and_ends_a_conflict():
    table = """
        T0r     T1r-r---T1k     T       T       T       T       T
        k0k     k       r
        r       k
        r       k
        r
        """
    state, link = war(table, gap=0, hands=("rrrrbbbb", "kkkkkkkk"))
    begun = after(state, link)
    fought = after(begun, (FIRST, ChooseConflict(RED)), (FIRST, CommitCards(RED, 4)))

    events = told(fought, SECOND, CommitCards(RED, 0))
    won = after(fought, (SECOND, CommitCards(RED, 0)))

    assert [ChooseConflict(BLACK), ChooseConflict(RED)] == legal(begun, FIRST)
    assert [
        ConflictWon(FIRST, Leader(SECOND, RED), Place(1, 0), RED, 1, 3, (Place(2, 1), Place(1))),
        LinkTurnedUp(0, BLUE),
    ] == events[1:]
    assert picture(
        """
        T0r-b---T       T1k     T       T       T       T       T
        k0k     k
        r       k
        r       k
        r
        """
    ) == drawn(won)


def test_EC_41_strength_is_counted_anew_after_a_split():
    table = """
        T0r     T1r-r---T       T       T       T       T       T
        k0k     k1k     k
        r       k       k
        r       k       k
        r
        """
    state, link = war(table, gap=0, hands=("rrrrbbbb", "kkkkkkkk"))
    fought = after(state, link, (FIRST, ChooseConflict(RED)), (FIRST, CommitCards(RED, 4)))

    events = told(fought, SECOND, CommitCards(RED, 0))

    assert ConflictBegun(True, BLACK, FIRST, SECOND, 1, 3) == events[-1]


def test_EC_40_a_card_under_a_leader_still_standing_stays_and_so_does_its_link():
    table = """
        T0r     T1r-r1b-T       T       T       T       T       T
        r       k       r
        r       k
        r       k
        """
    state, link = war(table, gap=0)

    won = after(state, link, (FIRST, CommitCards(RED, 1)), (SECOND, CommitCards(RED, 0)))

    assert picture(
        """
        T0r-b---T  -r1b-T       T       T       T       T       T
        r       k
        r       k
        r       k
        """
    ) == drawn(won)


def test_EC_40_a_loser_on_a_link_goes_home_and_leaves_its_kingdom_split_if_the_link_is_lost():
    table = """
        T0r     T  -r1r-T1k     T       T       T       T       T
        r       k       r
        r       k
        r       k
        """
    options = Options(leader_colour_must_differ=False)
    state, link = war(table, gap=0, options=options)

    won = after(state, link, (FIRST, CommitCards(RED, 1)), (SECOND, CommitCards(RED, 0)))

    assert picture(
        """
        T0r-b---T       T1k     T       T       T       T       T
        r       k
        r       k
        r       k
        """
    ) == drawn(won)
    assert pile("rrr") == won.piles[0]
