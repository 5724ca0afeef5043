"""Tests of the actions of a turn: EC-9 to EC-24."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from gamehost.rules.kit import Hidden
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import (
    BuildShip,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    PlayCalamity,
    TakePoint,
    WithdrawLeader,
)
from gamehost.titles.tigris_cards.rules.events import (
    CalamityPlayed,
    CardLaid,
    CardsDrawn,
    ExchangeOffered,
    LeaderPlaced,
    LeaderWithdrawn,
    LinkLaid,
    LinkTurnedUp,
    OfferDeclined,
    PointOffered,
    PointTaken,
    ShipBuilt,
    ShipOffered,
    TreasureExchanged,
    TurnBegun,
    TurnPassed,
)
from gamehost.titles.tigris_cards.rules.material import Face
from gamehost.titles.tigris_cards.rules.model import FaceDownLink, Leader, Place, Turn
from gamehost.titles.tigris_cards.rules.options import Options

from .table import (
    BLACK,
    BLUE,
    BLUE_BLACK,
    BLUE_GREEN,
    BLUE_RED,
    EMPTY,
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


def test_EC_9_a_turn_has_two_actions():
    state = given(EMPTY, EIGHT, EIGHT)

    once = after(state, (FIRST, LayCard(BLACK, 0)))
    twice = after(once, (FIRST, PlaceLeader(BLUE, Place(0, 1))), luck=("k",))

    assert ((Turn(1),), FIRST) == (once.agenda, once.active)
    assert ((Turn(2),), SECOND) == (twice.agenda, twice.active)


@pytest.mark.parametrize("actions", [1, 2])
def test_EC_9_ending_the_turn_forgoes_what_is_left(actions):
    state = given(EMPTY, "kkrrgg", EIGHT, agenda=(Turn(actions),))

    events = told(state, FIRST, EndTurn(), "bb")

    assert [TurnPassed(FIRST), CardsDrawn(FIRST, (BLUE, BLUE)), TurnBegun(SECOND)] == events


def test_EC_9_every_action_counts_as_one():
    table = "T0k     T       T       T       T       T       T       T\nr"
    for action in (
        LayCard(BLACK, 7),
        PlaceLeader(BLACK, Place(1, 0)),
        PlaceLeader(RED, Place(1, 0)),
        WithdrawLeader(BLACK),
        PlayCalamity(Place(0, 1)),
    ):
        assert (Turn(1),) == after(given(table, EIGHT, EIGHT), (FIRST, action)).agenda


@pytest.mark.parametrize(
    ("cards", "hand", "expected"),
    [
        ("", EIGHT, (LayCard, PlaceLeader, EndTurn)),
        ("K", EIGHT, (LayCard, PlaceLeader, EndTurn)),
        ("k", EIGHT, (LayCard, PlaceLeader, PlayCalamity, EndTurn)),
        ("r0k", EIGHT, (LayCard, PlaceLeader, WithdrawLeader, EndTurn)),
        ("r1k", EIGHT, (LayCard, PlaceLeader, EndTurn)),
        ("k       k\n" * 3, EIGHT, (LayCard, LayLink, PlaceLeader, PlayCalamity, EndTurn)),
        ("k       k\n" * 3, "", (PlaceLeader, PlayCalamity, EndTurn)),
    ],
)
def test_EC_9_the_question_names_the_kinds_of_action_the_table_allows(cards, hand, expected):
    state = given(f"{EMPTY}\n{cards}", hand, EIGHT)

    assert (FIRST, expected) == asks(state)


@pytest.mark.parametrize(
    ("others", "missing"),
    [
        ({"options": Options(voluntary_withdrawal=False)}, WithdrawLeader),
        ({"calamities": (False, True)}, PlayCalamity),
    ],
)
def test_EC_9_the_question_names_no_action_the_options_or_the_game_so_far_rule_out(others, missing):
    table = f"{EMPTY}\nr0k     k"
    _, before = asks(given(table, EIGHT, EIGHT))

    _, kinds = asks(given(table, EIGHT, EIGHT, **others))

    assert kinds == tuple(kind for kind in before if kind is not missing)
    assert missing in before


def test_EC_9_the_question_names_the_calamity_if_only_a_link_is_left_for_it():
    state = given("T  -k---T       T       T       T       T       T       T", EIGHT, EIGHT)

    assert (FIRST, (LayCard, PlaceLeader, PlayCalamity, EndTurn)) == asks(state)


def test_EC_10_a_leader_comes_from_the_supply():
    state = given("T       T       T       T       T       T       T       T\nr", EIGHT, EIGHT)

    events = told(state, FIRST, PlaceLeader(BLUE, Place(0, 1)))

    assert [LeaderPlaced(Leader(FIRST, BLUE), Place(0, 1), None)] == events


def test_EC_10_a_leader_moves_to_a_column_card_a_link_or_a_head():
    before = """
        T       T  -g---T       T       T       T       T       T
        r0b
        """
    for place, drawing in [
        (
            Place(1),
            """
            T       T  -g0b-T       T       T       T       T       T
            r
            """,
        ),
        (
            Place(7, 0),
            """
            T       T  -g---T       T       T       T       T       T0b
            r
            """,
        ),
    ]:
        state = after(given(before, EIGHT, EIGHT), (FIRST, PlaceLeader(BLUE, place)))

        assert picture(drawing) == drawn(state)


COLOURED = """
    T       r       T       T       T       T       T       T
    r       K
    b1g
    """


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (PlaceLeader(RED, Place(0, 1)), "SAME_COLOUR"),
        (PlaceLeader(RED, Place(1, 0)), "SAME_COLOUR"),
        (PlaceLeader(BLUE, Place(0, 2)), "CARD_OCCUPIED"),
        (PlaceLeader(RED, Place(0, 2)), "CARD_OCCUPIED"),
        (PlaceLeader(RED, Place(1, 1)), "ON_A_SHIP"),
        (PlaceLeader(RED, Place(0, 3)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(0, -1)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(-1, 0)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(8, 0)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(0)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(7)), "NO_CARD_THERE"),
        (PlaceLeader(RED, Place(-1)), "NO_CARD_THERE"),
    ],
)
def test_EC_10_where_a_leader_may_not_stand(action, expected):
    assert (expected, "EC-10") == refused(given(COLOURED, EIGHT, EIGHT), FIRST, action)


def test_EC_10_any_leader_may_stand_on_a_treasure():
    state = given(COLOURED, EIGHT, EIGHT)

    assert all(
        PlaceLeader(colour, Place(0, 0)) in legal(state, FIRST) for colour in (BLACK, RED, GREEN, BLUE)
    )


def test_EC_10_by_option_colours_need_not_differ_but_a_ship_stays_forbidden():
    state = given(COLOURED, EIGHT, EIGHT, options=Options(leader_colour_must_differ=False))

    assert PlaceLeader(RED, Place(0, 1)) in legal(state, FIRST)
    assert PlaceLeader(RED, Place(1, 0)) in legal(state, FIRST)
    assert ("ON_A_SHIP", "EC-10") == refused(state, FIRST, PlaceLeader(RED, Place(1, 1)))


def test_EC_10_a_leader_does_not_move_to_where_it_stands():
    state = given("T0k     T       T       T       T       T       T       T", EIGHT, EIGHT)

    assert ("CARD_OCCUPIED", "EC-10") == refused(state, FIRST, PlaceLeader(BLACK, Place(0, 0)))


def test_EC_11_a_leader_is_taken_back():
    state = given("T0k     T       T       T       T       T       T       T", EIGHT, EIGHT)

    events = told(state, FIRST, WithdrawLeader(BLACK))

    assert [LeaderWithdrawn(Leader(FIRST, BLACK), Place(0, 0))] == events
    assert EMPTY == drawn(after(state, (FIRST, WithdrawLeader(BLACK))))


def test_EC_11_a_leader_is_taken_back_or_moved_from_a_link():
    state = given("T       T  -g0b-T       T       T       T       T       T", EIGHT, EIGHT)

    withdrawn = told(state, FIRST, WithdrawLeader(BLUE))
    moved = after(state, (FIRST, PlaceLeader(BLUE, Place(1, 0))))

    assert [LeaderWithdrawn(Leader(FIRST, BLUE), Place(1))] == withdrawn
    assert "T       T0b-g---T       T       T       T       T       T" == drawn(moved)


def test_EC_11_only_from_the_table_and_only_if_the_option_allows():
    table = "T0k     T1r     T       T       T       T       T       T"
    without = given(table, EIGHT, EIGHT, options=Options(voluntary_withdrawal=False))

    assert ("LEADER_NOT_ON_TABLE", "EC-11") == refused(given(table, EIGHT, EIGHT), FIRST, WithdrawLeader(RED))
    assert ("NO_WITHDRAWAL", "EC-11") == refused(without, FIRST, WithdrawLeader(BLACK))


def test_EC_20_the_owner_of_the_leader_of_the_colour_is_offered_a_point():
    state = given("T0g     T       T       T       T       T       T       T", EIGHT, EIGHT)
    laid = told(state, FIRST, LayCard(GREEN, 0))

    taken = told(after(state, (FIRST, LayCard(GREEN, 0))), FIRST, TakePoint())

    assert [CardLaid(FIRST, GREEN, 0), PointOffered(FIRST, GREEN, 0)] == laid
    assert [PointTaken(FIRST, GREEN)] == taken


def test_EC_20_the_chooser_may_be_another_player():
    state = given("T1g     T0k     T       T       T       T       T       T", EIGHT, EIGHT)

    offered = after(state, (FIRST, LayCard(GREEN, 0)))
    taken = after(offered, (SECOND, TakePoint()))

    assert asks(offered) == (SECOND, (TakePoint, Decline))
    assert ("NOT_YOUR_DECISION", "EC-20") == refused(offered, FIRST, TakePoint())
    assert ((pile(""), pile("g")), (2, 2, 1, 2)) == (taken.piles, taken.hands[1])
    assert FIRST == asks(taken)[0]


def test_EC_20_without_that_leader_the_king_scores():
    table = """
        T0k     T  -b---T1k     T       T       T       T       T
                r2b
        """
    state = given(table, EIGHT, EIGHT, EIGHT)

    assert PointOffered(FIRST, GREEN, 0) in told(state, FIRST, LayCard(GREEN, 0))
    assert PointOffered(SECOND, GREEN, 1) in told(state, FIRST, LayCard(GREEN, 1))
    assert PointOffered(THIRD, BLUE, 2) in told(state, FIRST, LayCard(BLUE, 2))


def test_EC_20_without_leader_and_king_nobody_scores():
    state = given("T0r     T       T       T       T       T       T       T", EIGHT, EIGHT)

    assert [CardLaid(FIRST, GREEN, 0)] == told(state, FIRST, LayCard(GREEN, 0))
    assert [CardLaid(FIRST, GREEN, 5)] == told(state, FIRST, LayCard(GREEN, 5))


def test_EC_20_the_point_may_be_left():
    state = given("T0g     T       T       T       T       T       T       T", EIGHT, EIGHT)

    events = told(after(state, (FIRST, LayCard(GREEN, 0))), FIRST, Decline())

    assert [OfferDeclined(FIRST)] == events


def test_EC_20_a_point_needs_a_card_but_is_offered_all_the_same():
    state = given("T1g     T       T       T       T       T       T       T", EIGHT, "kkkkrrrr")

    offered = after(state, (FIRST, LayCard(GREEN, 0)))

    assert asks(offered) == (SECOND, (TakePoint, Decline))
    assert [Decline()] == legal(offered, SECOND)
    assert ("CARD_NOT_HELD", "EC-20") == refused(offered, SECOND, TakePoint())


def test_EC_20_an_empty_hand_is_seen_by_all_and_not_asked():
    state = given("T1g     T       T       T       T       T       T       T", EIGHT, "")

    events = told(state, FIRST, LayCard(GREEN, 0))

    assert [CardLaid(FIRST, GREEN, 0), PointOffered(SECOND, GREEN, 0), OfferDeclined(SECOND)] == events


def test_EC_20_only_cards_held_are_laid():
    assert ("CARD_NOT_HELD", "EC-20") == refused(given(EMPTY, "kk", EIGHT), FIRST, LayCard(GREEN, 0))


LINKABLE = """
    T       T       T       T       T       T       T       T
    k       g       r
    r       K       b
    b       g
    """


def test_EC_21_a_link_needs_three_cards_on_each_side_a_ship_being_one():
    state = given(LINKABLE, EIGHT, EIGHT)

    linked = after(state, (FIRST, LayLink(BLUE, 0)))

    assert "T  -b---T       T       T       T       T       T       T" == drawn(linked).splitlines()[0]
    assert ("COLUMNS_TOO_SHORT", "EC-21") == refused(state, FIRST, LayLink(BLUE, 1))
    assert ("GAP_TAKEN", "EC-21") == refused(linked, FIRST, LayLink(BLUE, 0))
    assert ("CARD_NOT_HELD", "EC-21") == refused(given(LINKABLE, "kk", "kk"), FIRST, LayLink(BLUE, 0))


def test_EC_21_a_link_scores_nothing():
    table = LINKABLE.replace("T       T  ", "T0b     T  ", 1)

    events = told(given(table, EIGHT, EIGHT), FIRST, LayLink(BLUE, 0))

    assert [LinkLaid(FIRST, 0, BLUE), LinkTurnedUp(0, BLUE)] == events


def test_EC_21_a_link_stays_when_its_columns_shrink():
    table = """
        T  -b---T       T       T       T       T       T       T
        k       g
        r       g
        b       g
        """

    state = after(given(table, EIGHT, EIGHT), (FIRST, PlayCalamity(Place(0, 2))))

    assert picture(
        """
        T  -b---T       T       T       T       T       T       T
        k       g
        b       g
                g
        """
    ) == drawn(state)


TRADERS = """
    T       T1g     T       T       T       T       T       T
    k       k       k
    k       k       k
    k       k       k
    """


def test_EC_21_a_link_lies_face_down_until_the_exchange_is_over():
    state = after(given(TRADERS, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)))

    assert "T  =b===T1g     T       T       T       T       T       T" == drawn(state).splitlines()[0]
    assert FaceDownLink(0, BLUE) == TIGRIS_CARDS.view(state, FIRST).face_down
    assert FaceDownLink(0, Hidden()) == TIGRIS_CARDS.view(state, SECOND).face_down
    assert FaceDownLink(0, Hidden()) == TIGRIS_CARDS.view(state, None).face_down
    assert LinkLaid(FIRST, 0, Hidden()) == TIGRIS_CARDS.witness(LinkLaid(FIRST, 0, BLUE), SECOND)


def test_EC_22_the_traders_owner_swaps_a_treasure_for_a_red_card():
    state = given(TRADERS, EIGHT, EIGHT)
    laid = told(state, FIRST, LayLink(BLUE, 0))

    offered = after(state, (FIRST, LayLink(BLUE, 0)))
    swapped = told(offered, SECOND, ExchangeTreasure(1))
    state = after(offered, (SECOND, ExchangeTreasure(1)))

    assert [LinkLaid(FIRST, 0, BLUE), ExchangeOffered(SECOND, (0, 1))] == laid
    assert [TreasureExchanged(SECOND, 1), LinkTurnedUp(0, BLUE)] == swapped
    assert "T  -b---r1g     T       T       T       T       T       T" == drawn(state).splitlines()[0]
    assert (pile("T"), (2, 1, 2, 2)) == (state.piles[1], state.hands[1])
    assert TIGRIS_CARDS.view(state, FIRST).piles[1].top is Face.TREASURE


def test_EC_22_the_united_kingdom_reaches_as_far_as_links_do_on_both_sides():
    table = """
        T  -b---T       T1g-b---T       T       T       T       T
        k       k       k
                k       k
                k       k
        """
    state = given(table, EIGHT, EIGHT)

    assert ExchangeOffered(SECOND, (0, 1, 2, 3)) == told(state, FIRST, LayLink(BLUE, 1))[-1]


def test_EC_22_the_exchange_may_be_left():
    offered = after(given(TRADERS, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)))

    assert [OfferDeclined(SECOND), LinkTurnedUp(0, BLUE)] == told(offered, SECOND, Decline())


def test_EC_22_only_a_treasure_of_the_united_kingdom_and_only_for_a_red_card():
    offered = after(given(TRADERS, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)))
    poor = after(given(TRADERS, EIGHT, "kkkkgggg"), (FIRST, LayLink(BLUE, 0)))

    assert ("NO_TREASURE_THERE", "EC-22") == refused(offered, SECOND, ExchangeTreasure(2))
    assert ("NO_TREASURE_THERE", "EC-22") == refused(offered, SECOND, ExchangeTreasure(9))
    assert ("NOT_YOUR_DECISION", "EC-22") == refused(offered, FIRST, ExchangeTreasure(0))
    assert ("CARD_NOT_HELD", "EC-22") == refused(poor, SECOND, ExchangeTreasure(0))
    assert asks(poor) == (SECOND, (ExchangeTreasure, Decline))


def test_EC_22_one_treasure_for_each_link():
    state = after(
        given(TRADERS.replace("1g", "0g"), EIGHT, EIGHT),
        (FIRST, LayLink(BLUE, 0)),
        (FIRST, ExchangeTreasure(0)),
    )

    assert ("NOT_ASKED", "EC-22") == refused(state, FIRST, ExchangeTreasure(1))


@pytest.mark.parametrize(
    "heads",
    [
        "T       T1k     T       T       T       T       T       T",  # a king does not count instead
        "r       T1g     T       T       T       T       T       T",  # one treasure is not enough
        "T       T       T1g     T       T       T       T       T",  # a trader elsewhere
    ],
)
def test_EC_22_without_a_trader_or_two_treasures_nothing_is_offered(heads):
    table = TRADERS.replace("T       T1g     T       T       T       T       T       T", heads)
    state = given(table, EIGHT, EIGHT)

    assert [LinkLaid(FIRST, 0, BLUE), LinkTurnedUp(0, BLUE)] == told(state, FIRST, LayLink(BLUE, 0))
    assert (
        "NOT_ASKED",
        "EC-22",
    ) == refused(after(state, (FIRST, LayLink(BLUE, 0))), FIRST, ExchangeTreasure(1))


def test_EC_22_a_replaced_head_is_a_protected_red_card_but_no_treasure():
    table = TRADERS.replace("T       T1g     T", "r       T1g     T", 1)
    state = given(table, EIGHT, EIGHT)

    linked = after(given(table, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 1)))

    assert ("IS_A_HEAD", "EC-24") == refused(state, FIRST, PlayCalamity(Place(0, 0)))
    assert ("SAME_COLOUR", "EC-10") == refused(state, FIRST, PlaceLeader(RED, Place(0, 0)))
    assert (1, 2) == linked.agenda[-1].columns


THREE_GREEN = """
    T       T       T       T       T       T       T       T
    b       g
    g       g0r
    g1k     g1b
    g
    """


def test_EC_23_four_of_a_colour_may_become_a_ship_and_leaders_on_them_go_home():
    state = given(THREE_GREEN, EIGHT, EIGHT)
    offered = after(state, (FIRST, LayCard(GREEN, 1)))

    events = told(offered, FIRST, BuildShip(BLUE_GREEN))
    built = after(offered, (FIRST, BuildShip(BLUE_GREEN)))

    assert [
        ShipBuilt(FIRST, BLUE_GREEN, GREEN, 1, 1, (Leader(FIRST, RED), Leader(SECOND, BLUE))),
    ] == events
    assert picture(
        """
        T       T       T       T       T       T       T       T
        b       G
        g
        g1k
        g
        """
    ) == drawn(built)
    assert ((BLUE_BLACK, BLUE_RED), (0, 0, 4, 0)) == (built.ships, built.discards)


def test_EC_23_the_point_comes_before_the_ship():
    state = given(THREE_GREEN, EIGHT, EIGHT)

    laid = told(state, FIRST, LayCard(GREEN, 0))
    taken = told(after(state, (FIRST, LayCard(GREEN, 0))), SECOND, TakePoint())
    left = told(after(state, (FIRST, LayCard(GREEN, 0))), SECOND, Decline())

    assert [CardLaid(FIRST, GREEN, 0), PointOffered(SECOND, GREEN, 0)] == laid
    assert [PointTaken(SECOND, GREEN), ShipOffered(FIRST, 0, (BLUE_GREEN,))] == taken
    assert [OfferDeclined(SECOND), ShipOffered(FIRST, 0, (BLUE_GREEN,))] == left


def test_EC_23_the_active_player_is_asked_whoever_has_the_point():
    state = given(THREE_GREEN.replace("1k", "0k"), EIGHT, EIGHT, active=SECOND)
    offered = after(state, (SECOND, LayCard(GREEN, 0)))

    events = told(offered, FIRST, TakePoint())

    assert [PointTaken(FIRST, GREEN), ShipOffered(SECOND, 0, (BLUE_GREEN,))] == events
    assert asks(after(offered, (FIRST, TakePoint()))) == (SECOND, (BuildShip, Decline))


def test_EC_23_of_a_longer_run_the_lowest_four_go():
    run = """
        T       T       T       T       T       T       T       T
        g
        g0k
        g
        g
        """
    state = after(given(run, EIGHT, EIGHT), (FIRST, LayCard(GREEN, 0)), (FIRST, Decline()))

    built = after(state, (FIRST, BuildShip(BLUE_GREEN)))

    assert picture(
        """
        T       T       T       T       T       T       T       T
        g
        G
        """
    ) == drawn(built)


def run_of(*column: str, ships: str = "") -> str:
    """Draws a first column of these cards, and ships in the second."""
    rows = [first.ljust(8) + second for first, second in zip_longest(column, ships, fillvalue="")]
    return "\n".join([EMPTY, *rows])


@pytest.mark.parametrize(
    ("letter", "colour", "ships"),
    [("k", BLACK, (BLUE_BLACK,)), ("r", RED, (BLUE_RED,)), ("g", GREEN, (BLUE_GREEN,))],
)
def test_EC_23_a_colour_becomes_the_ship_that_shows_it(letter, colour, ships):
    state = given(run_of(*letter * 3), EIGHT, EIGHT)

    assert ShipOffered(FIRST, 0, ships) in told(state, FIRST, LayCard(colour, 0))


def test_EC_23_blue_takes_any_ship_left():
    any_ship = after(given(run_of(*"bbb"), EIGHT, EIGHT), (FIRST, LayCard(BLUE, 0)))
    one_gone = after(given(run_of(*"bbb", ships="R"), EIGHT, EIGHT), (FIRST, LayCard(BLUE, 0)))

    assert [BuildShip(BLUE_BLACK), BuildShip(BLUE_RED), BuildShip(BLUE_GREEN), Decline()] == legal(
        any_ship, FIRST
    )
    assert [BuildShip(BLUE_BLACK), BuildShip(BLUE_GREEN), Decline()] == legal(one_gone, FIRST)
    assert ("SHIP_NOT_OFFERED", "EC-23") == refused(one_gone, FIRST, BuildShip(BLUE_RED))


def test_EC_23_a_ship_that_is_gone_is_not_offered():
    state = given(run_of(*"rrr", ships="R"), EIGHT, EIGHT)

    assert [CardLaid(FIRST, RED, 0)] == told(state, FIRST, LayCard(RED, 0))


def test_EC_23_the_ship_may_be_left():
    state = after(given(run_of(*"rrr"), EIGHT, EIGHT), (FIRST, LayCard(RED, 0)))

    assert [OfferDeclined(FIRST)] == told(state, FIRST, Decline())


def test_EC_23_a_head_never_counts():
    state = given("r" + run_of(*"rr")[1:], EIGHT, EIGHT)

    assert [CardLaid(FIRST, RED, 0)] == told(state, FIRST, LayCard(RED, 0))


def test_EC_23_ships_in_the_run_break_it():
    state = given(run_of(*"rrKr"), EIGHT, EIGHT)

    assert [CardLaid(FIRST, RED, 0)] == told(state, FIRST, LayCard(RED, 0))


STRUCK = """
    T       T  -g---T  -r1b-T       T       T       T       T
    k       g
    r       K
    b1g     g
    g       b
    """


def test_EC_24_the_calamity_removes_a_card_and_those_below_move_up_with_their_leaders():
    state = given(STRUCK, EIGHT, EIGHT)

    events = told(state, FIRST, PlayCalamity(Place(0, 2)))
    struck = after(state, (FIRST, PlayCalamity(Place(0, 2))))

    assert [CalamityPlayed(FIRST, Place(0, 2), RED)] == events
    assert picture(
        """
        T       T  -g---T  -r1b-T       T       T       T       T
        k       g
        b1g     K
        g       g
                b
        """
    ) == drawn(struck)
    assert ((False, True), (0, 1, 0, 0)) == (struck.calamities, struck.discards)


def test_EC_24_a_link_may_be_removed():
    state = after(given(STRUCK, EIGHT, EIGHT), (FIRST, PlayCalamity(Place(1))))

    assert "T       T       T  -r1b-T       T       T       T       T" == drawn(state).splitlines()[0]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place(0, 0), "IS_A_HEAD"),
        (Place(1, 2), "IS_A_SHIP"),
        (Place(0, 3), "CARD_OCCUPIED"),
        (Place(2), "CARD_OCCUPIED"),
        (Place(0, 5), "NO_CARD_THERE"),
        (Place(5), "NO_CARD_THERE"),
        (Place(99, 99), "NO_CARD_THERE"),
    ],
)
def test_EC_24_what_the_calamity_spares(place, expected):
    assert (expected, "EC-24") == refused(given(STRUCK, EIGHT, EIGHT), FIRST, PlayCalamity(place))


def test_EC_24_only_once():
    state = after(given(STRUCK, EIGHT, EIGHT), (FIRST, PlayCalamity(Place(1))))

    assert ("CALAMITY_USED", "EC-24") == refused(state, FIRST, PlayCalamity(Place(0, 1)))
    assert not any(isinstance(action, PlayCalamity) for action in legal(state, FIRST))
