"""Tests of what is hidden until the end: hands, piles below their top, the deck, a face-down link."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Hidden, replay
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import CommitCards, EndTurn, LayLink, PlaceLeader, TakePoint
from gamehost.titles.tigris_cards.rules.events import CardsDrawn
from gamehost.titles.tigris_cards.rules.material import Face
from gamehost.titles.tigris_cards.rules.model import PileSeen, Place, PointOffer, Turn
from rules.playouts import game
from support.budget import budget

from .facts import pieces
from .table import BLUE, EMPTY, FIRST, GREEN, RED, SECOND, after, counts, given, pile, told

EVERYONE = (None, FIRST, SECOND)
EIGHT = "kkrrggbb"


def test_a_hand_is_seen_by_its_owner_alone():
    one = given(EMPTY, "kkkk", "rrrr")
    other = given(EMPTY, "kkkk", "ggbb")

    assert TIGRIS_CARDS.view(one, FIRST) == TIGRIS_CARDS.view(other, FIRST)
    assert TIGRIS_CARDS.view(one, None) == TIGRIS_CARDS.view(other, None)
    assert (RED,) * 4 == TIGRIS_CARDS.view(one, SECOND).hand
    assert () == TIGRIS_CARDS.view(one, None).hand


@pytest.mark.parametrize("seat", EVERYONE)
def test_of_a_pile_even_its_owner_sees_the_top_and_the_height(seat):
    one = given(EMPTY, EIGHT, EIGHT, piles=("kkkr", "Tg"))
    other = given(EMPTY, EIGHT, EIGHT, piles=("bbTr", "kg"))

    assert (PileSeen(4, Face.RED), PileSeen(2, Face.GREEN)) == TIGRIS_CARDS.view(one, seat).piles
    assert TIGRIS_CARDS.view(one, seat) == TIGRIS_CARDS.view(other, seat)


@pytest.mark.parametrize("seat", EVERYONE)
def test_the_card_put_on_a_pile_last_covers_the_others(seat):
    offer = (Turn(1), PointOffer(SECOND, GREEN, 0))
    state = given(f"{EMPTY}\ng", EIGHT, EIGHT, piles=("", "kT"), agenda=offer)

    taken = after(state, (SECOND, TakePoint()))

    assert PileSeen(3, Face.GREEN) == TIGRIS_CARDS.view(taken, seat).piles[1]


@pytest.mark.parametrize("seat", EVERYONE)
def test_the_deck_is_only_counted(seat):
    state = given(EMPTY, EIGHT, EIGHT)
    other = replace(state, deck=tuple(reversed(state.deck)), discards=(0, 0, 0, 0))

    assert TIGRIS_CARDS.view(state, seat) == TIGRIS_CARDS.view(other, seat)


@pytest.mark.parametrize("seat", [None, SECOND])
def test_drawn_cards_are_counted_by_others(seat):
    event = CardsDrawn(FIRST, (GREEN, BLUE))

    assert CardsDrawn(FIRST, Hidden(2)) == TIGRIS_CARDS.witness(event, seat)
    assert TIGRIS_CARDS.witness(event, FIRST) == event


def test_whether_a_point_could_be_taken_is_not_betrayed():
    offer = (Turn(1), PointOffer(SECOND, GREEN, 0))
    able = given(EMPTY, EIGHT, "gggg", agenda=offer)
    unable = given(EMPTY, EIGHT, "kkkk", agenda=offer)

    assert TIGRIS_CARDS.decisions(able) == TIGRIS_CARDS.decisions(unable)
    assert TIGRIS_CARDS.view(able, FIRST) == TIGRIS_CARDS.view(unable, FIRST)
    assert TakePoint in TIGRIS_CARDS.decisions(unable)[0].kinds


def test_what_others_see_of_a_link_does_not_depend_on_its_colour():
    table = "T0g     T1g     T       T       T       T       T       T" + "\nk       k" * 3
    state = given(table, EIGHT, EIGHT)
    seen = [
        (
            TIGRIS_CARDS.view(after(state, (FIRST, LayLink(colour, 0))), SECOND),
            [TIGRIS_CARDS.witness(event, SECOND) for event in told(state, FIRST, LayLink(colour, 0))],
        )
        for colour in (GREEN, BLUE)
    ]

    assert seen[0] == seen[1]


def test_an_imagined_link_is_dealt_from_what_is_unseen():
    table = "T0g     T1g     T       T       T       T       T       T" + "\nk       k" * 3
    state = after(given(table, EIGHT, EIGHT), (FIRST, LayLink(BLUE, 0)))
    worlds = [
        TIGRIS_CARDS.imagine(TIGRIS_CARDS.view(state, SECOND), SeededChance(b"world", n)) for n in range(40)
    ]

    assert len({world.face_down.colour for world in worlds}) > 1
    assert {counts(EIGHT)} == {world.hands[SECOND] for world in worlds}


def fought():
    state = given("T1b     T       T       T       T       T       T       T\nk", "rrrrrrrr", EIGHT)
    return after(state, (FIRST, PlaceLeader(BLUE, Place(0, 1))), (FIRST, CommitCards(RED, 8)))


def ended():
    state = given(EMPTY, "kk", EIGHT, piles=("kkkr", "ggb"), deck=(0, 0, 0, 0), discards=(33, 62, 36, 37))
    return after(state, (FIRST, EndTurn()))


@pytest.mark.parametrize("state", [fought(), ended()], ids=["cards committed", "piles counted"])
@pytest.mark.parametrize("seat", EVERYONE)
def test_imagined_cards_are_those_of_the_box_whatever_lies_open(state, seat):
    known = TIGRIS_CARDS.view(state, seat)

    world = TIGRIS_CARDS.imagine(known, SeededChance(b"world", 0))

    assert pieces(state) == pieces(world)
    assert known == TIGRIS_CARDS.view(world, seat)


def test_an_imagined_treasure_lies_in_any_pile_deep_enough():
    heads = "r       T       T       T       T       T       T       T"
    state = given(heads, EIGHT, EIGHT, piles=("Tk", "krb"))
    worlds = [
        TIGRIS_CARDS.imagine(TIGRIS_CARDS.view(state, FIRST), SeededChance(b"world", n)) for n in range(40)
    ]

    assert {(1, 0), (0, 1)} == {tuple(each.counts[4] for each in world.piles) for world in worlds}


@pytest.mark.parametrize("number", range(budget(1, 4)))
def test_who_remembers_what_was_put_on_piles_and_discards_knows_them(number):
    played = game("tigris_cards", number)
    for position in played.positions[::40]:
        for seat in played.viewers:
            known, seen = TIGRIS_CARDS.view(position.state, seat), played.seen(TIGRIS_CARDS, position, seat)
            world = TIGRIS_CARDS.imagine(known, SeededChance(b"world", 0), seen)
            assert (position.state.piles, position.state.discards) == (world.piles, world.discards)


def test_at_the_end_the_piles_are_counted_in_the_open():
    state = given(EMPTY, "kk", EIGHT, piles=("kTr", "ggb"), deck=(0, 0, 0, 0))

    ended = after(state, (FIRST, EndTurn()))

    assert () == TIGRIS_CARDS.view(state, None).points
    assert TIGRIS_CARDS.view(ended, None).points == (pile("kTr").counts, pile("ggb").counts)


def test_no_two_games_are_dealt_alike():
    hands = {
        replay(TIGRIS_CARDS, TIGRIS_CARDS.setup(TIGRIS_CARDS.options(), 4, SeededChance(b"%d" % n, 0))).hands
        for n in range(20)
    }

    assert 20 == len(hands)
