"""Tests of the heuristic of the card game: it rates the colour that will be the weakest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.titles.tigris_cards.greedy import TigrisCardsHeuristic, weakest
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import BuildShip, Decline
from gamehost.titles.tigris_cards.rules.model import Pile, ShipOffer
from rules.playouts import game
from support.budget import budget

from .table import BLACK, BLUE_BLACK, EMPTY, FIRST, SECOND, given

HAND = "kkrrggbb"
SCORED = "kkkkkrrrrrgggggb"
LATE = (6, 6, 6, 6)

AT_SEA = """
    T0k     T       T       T1k     T       T       T       T
    K
"""
ASHORE = """
    T0k     T       T       T1k     T       T       T       T
    r
"""
BLACK_RUN = """
    T0k     T       T       T       T       T       T       T
    k
    k
    k
    k
"""


def ended():
    """Returns the last states of random games."""
    return [game("tigris_cards", number).positions[-1].state for number in range(budget(4, 18))]


def lead(drawing, *, scored=SCORED, **others):
    """Returns the lead of the first seat in points over a seat with equal colours."""
    world = given(drawing, HAND, HAND, piles=(scored, "kkkkrrrrggggbbbb"), **others)
    return TigrisCardsHeuristic().leads(world)[FIRST]


@pytest.mark.parametrize("colour", "krg")
def test_a_point_in_the_weakest_colour_is_worth_more_than_in_any_other(colour):
    assert lead(EMPTY, scored=SCORED + "b") > lead(EMPTY, scored=SCORED + colour) > lead(EMPTY)


def test_the_nearer_the_end_the_more_the_weakest_colour_counts():
    early = [lead(EMPTY, scored=SCORED + point) - lead(EMPTY) for point in "bk"]
    late = [lead(EMPTY, scored=SCORED + point, deck=LATE) - lead(EMPTY, deck=LATE) for point in "bk"]

    assert late[0] / late[1] > 2 * early[0] / early[1]


def test_a_treasure_is_worth_a_point_in_the_weakest_colour():
    assert lead(EMPTY, scored=SCORED + "T") == pytest.approx(lead(EMPTY, scored=SCORED + "b"), abs=0.2)


def test_a_ship_serves_its_leader_for_the_rest_of_the_game():
    early = lead(AT_SEA) - lead(ASHORE)
    late = lead(AT_SEA, deck=LATE) - lead(ASHORE, deck=LATE)

    assert early > 3 * late > 0


def test_four_of_a_colour_become_the_ship_that_serves_an_own_leader():
    world = given(BLACK_RUN, HAND, HAND, agenda=(ShipOffer(0, (BLUE_BLACK,)),))

    built, declined = TigrisCardsHeuristic().weigh(world, FIRST, [BuildShip(BLUE_BLACK), Decline()])

    assert built > declined
    assert world.table.columns[0][0].leader.colour is BLACK


def test_whoever_leads_in_the_end_has_won():
    for state in ended():
        leads = TigrisCardsHeuristic().leads(state)
        for rank, ahead in zip(TIGRIS_CARDS.outcome(state).ranks, leads, strict=True):
            assert (rank == 1) == (ahead >= 0), (state.piles, leads)


def test_no_wealth_in_other_colours_makes_up_for_the_weakest():
    state = next(state for state in ended() if len(state.piles) == 2)
    piles = (Pile((5, 5, 5, 5, 0)), Pile((4, 30, 30, 30, 0)))

    leads = TigrisCardsHeuristic().leads(replace(state, piles=piles))

    assert leads[FIRST] > 0 > leads[SECOND]


def test_the_weakest_of_colours_lies_between_the_least_and_the_average():
    assert 2 == pytest.approx(weakest([2, 2, 2, 2], 0.5))
    assert 2 < weakest([2, 4, 6, 8], 1.0) < weakest([2, 4, 6, 8], 0.1) < 5
