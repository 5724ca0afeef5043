"""Tests of the table: EC-1 to EC-4, and of the drawing that the other tests use."""

from __future__ import annotations

import pytest

from gamehost.rules.chance import ScriptedChance, SeededChance
from gamehost.rules.kit import Seat, replay
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import LayCard, LayLink
from gamehost.titles.tigris_cards.rules.events import CardsDrawn, CardsSetAside, GameBegun, TurnBegun
from gamehost.titles.tigris_cards.rules.model import Kingdom, Leader
from gamehost.titles.tigris_cards.rules.options import Options
from gamehost.titles.tigris_cards.rules.regions import Region, region_of

from .table import (
    BLACK,
    BLUE,
    EMPTY,
    FIRST,
    GREEN,
    RED,
    SECOND,
    THIRD,
    after,
    draw,
    drawn,
    given,
    parse,
    picture,
    refused,
)

KINGDOMS = """
    T0k     T  -r1b-r       T  -g---T       T       T  =k===T
    k       g0r     b       r       r       K       r       b
    G       g       b       r       r               r       b
            b       b1g     r       r               r       b
    """


@pytest.mark.parametrize("drawing", [EMPTY, KINGDOMS])
def test_the_printer_is_the_inverse_of_the_parser(drawing):
    assert picture(drawing) == draw(*parse(drawing))


def test_EC_1_eight_treasures_stand_in_a_row_with_seven_gaps():
    state = replay(TIGRIS_CARDS, TIGRIS_CARDS.setup(Options(), 3, SeededChance(b"any", 0)))

    assert EMPTY == drawn(state)
    assert ("NO_SUCH_COLUMN", "EC-1") == refused(given(EMPTY, "k", "k"), FIRST, LayCard(BLACK, 8))
    assert ("NO_SUCH_COLUMN", "EC-1") == refused(given(EMPTY, "k", "k"), FIRST, LayCard(BLACK, -1))
    assert ("NO_SUCH_GAP", "EC-1") == refused(given(EMPTY, "k", "k"), FIRST, LayLink(BLACK, 7))
    assert ("NO_SUCH_GAP", "EC-1") == refused(given(EMPTY, "k", "k"), FIRST, LayLink(BLACK, -1))


FULL = """
    T       T       T       T       T       T       T       T
    k
    r
    g
    b
    {eighth}
    r
    g
    {last}
    """


def test_EC_2_a_column_takes_eight_cards():
    state = given(FULL.format(eighth="k", last=" "), "b", "k")

    full = after(state, (FIRST, LayCard(BLUE, 0)))

    assert picture(FULL.format(eighth="k", last="b")) == drawn(full)
    assert ("COLUMN_FULL", "EC-2") == refused(given(drawn(full), "b", "k"), FIRST, LayCard(BLUE, 0))


def test_EC_2_a_ship_fills_a_place():
    state = given(FULL.format(eighth="K", last="b"), "b", "k")

    assert ("COLUMN_FULL", "EC-2") == refused(state, FIRST, LayCard(BLUE, 0))


def test_EC_3_links_join_columns_into_regions():
    table, _ = parse(KINGDOMS)

    assert Region(0, 0) == region_of(table, 0)
    assert Region(1, 2) == region_of(table, 1) == region_of(table, 2)
    assert Region(3, 4) == region_of(table, 4)


def test_EC_3_a_row_of_eight_is_no_ring():
    linked = "T  -r---T  -r---T  -r---T  -r---T  -r---T  -r---T  -r---T"
    table, _ = parse(linked)

    assert {Region(0, 7)} == {region_of(table, column) for column in range(8)}


def test_EC_3_a_view_lists_the_kingdoms_with_leaders_and_strengths():
    view = TIGRIS_CARDS.view(given(KINGDOMS, "k", "k"), None)

    assert (
        Kingdom(0, 0, (Leader(FIRST, BLACK),), (1, 1, 0, 0)),
        Kingdom(1, 2, (Leader(FIRST, RED), Leader(SECOND, GREEN), Leader(SECOND, BLUE)), (0, 3, 2, 4)),
    ) == view.kingdoms


def test_a_view_lists_the_open_places():
    view = TIGRIS_CARDS.view(given(KINGDOMS, "k", "k"), None)
    full = TIGRIS_CARDS.view(given(FULL.format(eighth="k", last="b"), "k", "k"), None)

    assert tuple(range(8)) == view.open_columns
    assert (2,) == view.open_gaps
    assert tuple(range(1, 8)) == full.open_columns
    assert () == full.open_gaps


def test_EC_4_everyone_is_dealt_eight_cards_and_anybody_may_begin():
    hands = (BLACK,) * 8, (RED,) * 8, (GREEN,) * 8

    events = TIGRIS_CARDS.setup(Options(), 3, ScriptedChance((THIRD,), *hands))

    assert list(events) == [
        GameBegun(Options(), 3),
        CardsDrawn(THIRD, hands[0]),
        CardsDrawn(FIRST, hands[1]),
        CardsDrawn(SECOND, hands[2]),
        TurnBegun(THIRD),
    ]


def test_EC_4_with_two_thirty_cards_are_set_aside_unseen():
    events = TIGRIS_CARDS.setup(Options(), 2, SeededChance(b"two", 0))
    state = replay(TIGRIS_CARDS, events)

    assert CardsSetAside(30) == events[1]
    assert {185 - 30 - 16} == {TIGRIS_CARDS.view(state, seat).deck_size for seat in (None, FIRST, SECOND)}


@pytest.mark.parametrize("seats", [3, 4])
def test_EC_4_with_more_none_is_set_aside(seats):
    state = replay(TIGRIS_CARDS, TIGRIS_CARDS.setup(Options(), seats, SeededChance(b"more", 0)))

    assert 185 - 8 * seats == TIGRIS_CARDS.view(state, Seat(0)).deck_size


def test_EC_4_the_deck_has_forty_black_green_and_blue_cards_and_sixty_five_red_ones():
    state = replay(TIGRIS_CARDS, TIGRIS_CARDS.setup(Options(), 4, SeededChance(b"deck", 0)))

    cards = tuple(map(sum, zip(state.deck, *state.hands, strict=True)))

    assert (40, 65, 40, 40) == tuple(cards[colour] for colour in (BLACK, RED, GREEN, BLUE))


@pytest.mark.parametrize("seats", [1, 5])
def test_only_two_to_four_may_play(seats):
    with pytest.raises(ValueError, match="2 to 4 players"):
        TIGRIS_CARDS.setup(Options(), seats, SeededChance(b"", 0))
