"""Tests of ship income, refill, the end and the score: EC-50 to EC-63."""

from __future__ import annotations

import pytest

from gamehost.rules.kit import Outcome
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import (
    CommitCards,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    TakeIncome,
    TakePoint,
)
from gamehost.titles.tigris_cards.rules.events import (
    CardsDrawn,
    GameEnded,
    IncomeOffered,
    IncomeTaken,
    OfferDeclined,
    TurnBegun,
    TurnPassed,
)
from gamehost.titles.tigris_cards.rules.material import Ending
from gamehost.titles.tigris_cards.rules.model import Place, Turn
from gamehost.titles.tigris_cards.rules.options import Options
from gamehost.titles.tigris_cards.rules.scoring import balanced

from .table import (
    BLACK,
    BLUE,
    EMPTY,
    FIRST,
    FOURTH,
    GREEN,
    RED,
    SECOND,
    THIRD,
    after,
    asks,
    given,
    legal,
    pile,
    refused,
    told,
)

EIGHT = "kkrrggbb"
EARNING = """
    T0k     T0b     T  -k0r-T       T0g     T       T       T
    r       K               R       G
    """


def test_EC_50_each_leader_with_a_ship_of_its_colour_may_earn_a_card():
    state = given(EARNING, EIGHT, EIGHT)

    events = told(state, FIRST, EndTurn())

    assert [TurnPassed(FIRST), IncomeOffered(FIRST, (0, 1, 1, 1))] == events
    assert asks(after(state, (FIRST, EndTurn()))) == (FIRST, (TakeIncome, Decline))


def test_EC_50_in_any_order_one_at_a_time_and_one_for_each_leader():
    state = after(given(EARNING, EIGHT, EIGHT), (FIRST, EndTurn()))
    assert [TakeIncome(RED), TakeIncome(GREEN), TakeIncome(BLUE), Decline()] == legal(state, FIRST)

    once = after(state, (FIRST, TakeIncome(BLUE)))
    events = told(after(once, (FIRST, TakeIncome(RED))), FIRST, TakeIncome(GREEN), "kkk")

    assert [IncomeTaken(FIRST, BLUE)] == told(state, FIRST, TakeIncome(BLUE))
    assert [TakeIncome(RED), TakeIncome(GREEN), Decline()] == legal(once, FIRST)
    assert ("NO_INCOME_DUE", "EC-50") == refused(once, FIRST, TakeIncome(BLUE))
    assert [IncomeTaken(FIRST, GREEN), CardsDrawn(FIRST, (BLACK,) * 3), TurnBegun(SECOND)] == events
    assert pile("b") == once.piles[0]


def test_EC_50_the_rest_may_be_left():
    state = after(given(EARNING, EIGHT, EIGHT), (FIRST, EndTurn()))

    assert [OfferDeclined(FIRST), TurnBegun(SECOND)] == told(state, FIRST, Decline())


def test_EC_50_the_king_is_no_joker():
    table = "T0k     T       T       T       T       T       T       T\nR"

    assert [TurnPassed(FIRST), TurnBegun(SECOND)] == told(given(table, EIGHT, EIGHT), FIRST, EndTurn())


def test_EC_50_only_in_the_own_turn():
    state = given(EARNING, EIGHT, EIGHT, active=SECOND)

    assert [TurnPassed(SECOND), TurnBegun(FIRST)] == told(state, SECOND, EndTurn())


def test_EC_50_a_card_is_needed_but_asked_for_all_the_same():
    state = after(given(EARNING, "kkkkkkkk", EIGHT), (FIRST, EndTurn()))

    assert [Decline()] == legal(state, FIRST)
    assert ("CARD_NOT_HELD", "EC-50") == refused(state, FIRST, TakeIncome(RED))


TWO_SHIPS = """
    T0b     T       T       T       T       T       T       T
    K
    R
    """


@pytest.mark.parametrize(("per_ship", "due"), [(False, (0, 0, 0, 1)), (True, (0, 0, 0, 2))])
def test_EC_50_one_for_each_leader_or_by_option_for_each_ship(per_ship, due):
    state = given(TWO_SHIPS, EIGHT, EIGHT, options=Options(income_per_ship=per_ship))

    assert IncomeOffered(FIRST, due) == told(state, FIRST, EndTurn())[-1]


def test_EC_50_after_the_second_action():
    state = given(EARNING, EIGHT, EIGHT, agenda=(Turn(1),))

    assert IncomeOffered(FIRST, (0, 1, 1, 1)) == told(state, FIRST, LayCard(BLACK, 7))[-1]


def test_EC_51_everyone_refills_to_eight_the_active_player_first():
    state = given(EMPTY, "kkkkkkk", EIGHT, "kkkkkk", "kkkkkkk", active=THIRD)

    events = told(state, THIRD, EndTurn(), "rr", "g", "b")

    assert [
        CardsDrawn(THIRD, (RED, RED)),
        CardsDrawn(FOURTH, (GREEN,)),
        CardsDrawn(FIRST, (BLUE,)),
        TurnBegun(FOURTH),
    ] == events[1:]


def nearly_out(left, *hands, **others):
    """Returns a state with a deck of `left` black cards."""
    state = given(EMPTY, *hands, **others)
    return given(EMPTY, *hands, **others | {"deck": (left, 0, 0, 0), "discards": state.deck})


def test_EC_51_the_deck_serves_as_far_as_it_goes_and_is_never_reshuffled():
    state = nearly_out(2, "kkkkkkk", "kkkkk")

    events = told(state, FIRST, EndTurn(), "k", "k")

    assert [CardsDrawn(FIRST, (BLACK,)), CardsDrawn(SECOND, (BLACK,))] == events[1:3]
    assert isinstance(events[3], GameEnded)


def test_EC_60_the_end_when_a_hand_cannot_be_filled():
    state = nearly_out(0, "kkkkkkk", EIGHT, piles=("krgb", "kT"))

    events = told(state, FIRST, EndTurn())

    assert [
        TurnPassed(FIRST),
        GameEnded(Ending.DECK_EXHAUSTED, ((1, 1, 1, 1, 0), (1, 0, 0, 0, 1))),
    ] == events
    assert () == TIGRIS_CARDS.decisions(after(state, (FIRST, EndTurn())))


def test_EC_60_an_empty_deck_and_full_hands_are_no_end():
    state = nearly_out(1, "kkkkkkk", EIGHT)

    assert TurnBegun(SECOND) == told(state, FIRST, EndTurn(), "k")[-1]


def test_EC_60_cards_set_aside_are_no_deck():
    state = nearly_out(30, "kkkkkkk", EIGHT, set_aside=30)

    assert isinstance(told(state, FIRST, EndTurn())[-1], GameEnded)


LAST_TWO = """
    T0g     T       r       r       r       r       r       r
    k       k
    k       k
    k       k
    """


def test_EC_60_the_end_when_one_treasure_is_left_but_only_after_the_turn():
    state = after(given(LAST_TWO, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)), (FIRST, ExchangeTreasure(0)))

    events = told(state, FIRST, EndTurn(), "kk")

    assert FIRST == asks(state)[0]
    assert GameEnded(Ending.ONE_TREASURE_LEFT, ((0, 0, 0, 0, 1), (0, 0, 0, 0, 0))) == events[-1]


def test_EC_60_two_treasures_are_no_end():
    state = after(given(LAST_TWO, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)), (FIRST, Decline()))

    assert TurnBegun(SECOND) == told(state, FIRST, EndTurn(), "k")[-1]


def test_EC_60_nobody_acts_after_the_end():
    state = after(nearly_out(0, "kkkkkkk", EIGHT), (FIRST, EndTurn()))

    assert ("GAME_OVER", "EC-60") == refused(state, FIRST, EndTurn())


def quiet(turn, seats=3, card_turn=10):
    return given(EMPTY, *[EIGHT] * seats, turn=turn, card_turn=card_turn)


def test_EC_63_the_end_after_ten_rounds_without_a_card():
    last = told(quiet(40), FIRST, EndTurn())

    assert TurnBegun(SECOND) == told(quiet(39), FIRST, EndTurn())[-1]
    assert GameEnded(Ending.NO_CARD_PLAYED, ((0,) * 5,) * 3) == last[-1]


def test_EC_63_a_card_that_leaves_any_hand_starts_the_count_again():
    laid = after(quiet(40), (FIRST, LayCard(BLACK, 0)))
    conflict = given(
        "T1b     T       T       T       T       T       T       T\nr", EIGHT, EIGHT, turn=40, card_turn=0
    )
    fought = after(
        conflict,
        (FIRST, PlaceLeader(BLUE, Place(0, 1))),
        (FIRST, CommitCards(RED, 0)),
        (SECOND, CommitCards(RED, 1)),
    )
    nothing = after(conflict, (FIRST, PlaceLeader(BLUE, Place(0, 1))), (FIRST, CommitCards(RED, 0)))

    assert (40, 40, 0) == (laid.card_turn, fought.card_turn, nothing.card_turn)


QUIET_WAR = """
    T1g     T0b     T       T       T       T       T       T
    r       k       k
    k       K       k
    k       k       k
    """


@pytest.mark.parametrize(
    "moves",
    [
        [(FIRST, LayLink(RED, 1))],
        [(FIRST, EndTurn()), (FIRST, TakeIncome(BLUE))],
        [
            (FIRST, PlaceLeader(GREEN, Place(0, 1))),
            (FIRST, CommitCards(RED, 0)),
            (SECOND, CommitCards(RED, 0)),
            (SECOND, TakePoint()),
        ],
    ],
    ids=["a link", "income", "a point after a conflict"],
)
def test_EC_63_so_does_every_other_way_out_of_a_hand(moves):
    state = given(QUIET_WAR, EIGHT, EIGHT, turn=15)

    *before, last = moves
    quiet = after(state, *before)

    assert (0, 15) == (quiet.card_turn, after(quiet, last, luck=("k",)).card_turn)


def test_EC_63_from_the_first_turn_on():
    for turn in range(1, 21):
        seat = (turn - 1) % 2
        state = given(EMPTY, EIGHT, EIGHT, turn=turn, active=seat)
        ended = isinstance(told(state, seat, EndTurn())[-1], GameEnded)
        assert ended == (turn == 20)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((3, 1, 4, 2, 0), (1, 2, 3, 4)),
        ((3, 1, 4, 2, 1), (2, 2, 3, 4)),
        ((3, 1, 4, 2, 3), (3, 3, 3, 4)),
        ((0, 0, 0, 9, 4), (1, 1, 2, 9)),
        ((0, 0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_EC_61_treasures_fill_the_weakest_colours(counts, expected):
    assert expected == balanced(counts)


def finished(*piles, hands=("kkkkkkk", EIGHT)):
    return TIGRIS_CARDS.outcome(after(nearly_out(0, *hands, piles=piles), (FIRST, EndTurn())))


def test_EC_61_the_higher_weakest_colour_wins():
    assert Outcome((1, 2), (2, 1), "DECK_EXHAUSTED") == finished("kkrrggbb", "kkkkkrrrrrgggggb")


def test_EC_61_ties_go_to_the_next_weakest_and_so_on():
    assert (1, 2) == finished("krrggbb", "krrrggb").ranks
    assert (2, 1) == finished("krgb", "krgbb").ranks


def test_EC_61_a_complete_tie_is_shared():
    assert Outcome((1, 1), (1, 1), "DECK_EXHAUSTED") == finished("krgbb", "kkrgb")
    assert (1, 1) == finished("krgT", "krgb").ranks


def test_EC_62_hand_cards_are_worth_nothing():
    assert Outcome((1, 1), (0, 0), "DECK_EXHAUSTED") == finished("", "", hands=("krgbkrg", EIGHT))


def test_there_is_no_outcome_before_the_end():
    assert TIGRIS_CARDS.outcome(given(EMPTY, EIGHT, EIGHT)) is None
