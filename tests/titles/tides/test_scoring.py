"""Tests of scoring: TT-10 to TT-14, the options, the worked examples."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from gamehost.titles.tides.rules.material import PRINTS, Card, Suit
from gamehost.titles.tides.rules.options import Options
from gamehost.titles.tides.rules.scoring import score

from .table import (
    BATHS,
    CITADELS,
    DIVIDE,
    EYE,
    LIBRARY,
    MAZE,
    MOLEHILL,
    NEST,
    PALACE,
    PASS,
    PILLARS,
    PORT,
    ROOF,
    SHACKLES,
    SPRING,
    VESTIBULE,
    WELL,
    ZIGGURAT,
)

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
EACH_VECTOR = pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
OPTIONS = [each.name for each in fields(Options)]


def worth(card, own, other, **options):
    """Returns the points of `card` in the kingdom `own` against `other`."""
    ours, _ = score((own, other), Options(**options))
    return {each.card: each.points for each in ours.cards}[card]


def amounts(*cards):
    ours, _ = score((cards, ()), Options())
    return {each.suit: (each.printed, each.counted) for each in ours.suits}


@EACH_VECTOR
def test_every_card_of_a_vector_scores_as_recorded(vector):
    kingdoms = tuple(tuple(map(Card, numbers)) for numbers in vector["kingdoms"])

    scores = score(kingdoms, Options())

    assert vector["points"] == [[each.points for each in side.cards] for side in scores]
    assert vector["totals"] == [side.points for side in scores]


@EACH_VECTOR
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_changes_a_vector_only_where_recorded(vector, option):
    kingdoms = tuple(tuple(map(Card, numbers)) for numbers in vector["kingdoms"])

    changed = score(kingdoms, Options(**{option: False})) != score(kingdoms, Options())

    assert (option in vector["changes_with_options"]) == changed


def test_TT_14_the_rulebook_example_scores_25():
    """Palaces 2 to 4, Eye 6, Vestibule 12, Divide 7 by a tie won: TT-11, TT-12, TT-14."""
    ours, _ = score(
        ((ROOF, DIVIDE, NEST, EYE, VESTIBULE), (SHACKLES, WELL, CITADELS, SPRING, MAZE)), Options()
    )

    assert 25 == ours.points
    assert {ROOF: 0, DIVIDE: 7, NEST: 0, EYE: 6, VESTIBULE: 12} == {e.card: e.points for e in ours.cards}


def test_two_single_suits_beat_one_on_the_molehill():
    own = (MOLEHILL, DIVIDE, PALACE, NEST, LIBRARY, ZIGGURAT)

    assert 8 == worth(MOLEHILL, own, (SPRING, PILLARS, VESTIBULE, WELL, CITADELS, EYE))


def test_TT_10_printed_suits_are_counted():
    counted = amounts(NEST, DIVIDE, LIBRARY, MOLEHILL, PORT)

    assert dict.fromkeys(Suit, (0, 0)) | {Suit.PALACE: (2, 2), Suit.LIBRARY: (1, 1)} == counted


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ((NEST, DIVIDE, LIBRARY), (4, 1, 0, 0, 0)),
        ((NEST, DIVIDE, LIBRARY, WELL, BATHS), (4, 4, 1, 0, 0)),
        ((NEST, LIBRARY, BATHS, SPRING, EYE), (2, 2, 2, 2, 2)),
        ((), (0, 0, 0, 0, 0)),
    ],
    ids=["2,1", "2,2,1", "all five once", "no suit at all"],
)
def test_TT_11_the_roof_doubles_every_suit_that_is_most_numerous(cards, expected):
    assert expected == tuple(counted for _, counted in amounts(ROOF, *cards).values())


def test_TT_11_the_roof_doubles_its_owners_kingdom_only():
    _, theirs = score(((ROOF, NEST), (DIVIDE, PALACE)), Options())

    assert all(each.printed == each.counted for each in theirs.suits)


@pytest.mark.parametrize(
    ("card", "own", "points"),
    [
        (PALACE, (LIBRARY, WELL), 6),
        (CITADELS, (ZIGGURAT, BATHS, MAZE), 9),
        (BATHS, (EYE,), 3),
        (SHACKLES, (SPRING, PILLARS), 6),
        (VESTIBULE, (NEST, DIVIDE, PALACE), 9),
        (WELL, (NEST, DIVIDE, EYE, SHACKLES, SPRING, PILLARS), 18),
        (WELL, (NEST, EYE, SHACKLES), 0),
        (PILLARS, (LIBRARY, WELL, BATHS, MAZE), 10),
        (MAZE, (NEST, LIBRARY, EYE, SPRING), 13),
        (MAZE, (NEST, LIBRARY, EYE), 0),
        (EYE, (NEST, DIVIDE, PALACE), 9),
        (EYE, (), 12),
        (NEST, (DIVIDE, PALACE), 0),
        (ROOF, (DIVIDE, PALACE), 0),
    ],
)
def test_TT_12_a_card_scores_for_its_own_kingdom(card, own, points):
    assert points == worth(card, (card, *own), (DIVIDE,))


@pytest.mark.parametrize(
    ("card", "supporters"),
    [
        (DIVIDE, (EYE, SHACKLES)),
        (LIBRARY, (SPRING, PILLARS)),
        (ZIGGURAT, (DIVIDE, PALACE)),
        (PASS, (WELL, CITADELS)),
        (SPRING, (BATHS, MAZE)),
    ],
)
def test_TT_12_TT_14_a_majority_scores_only_with_strictly_more(card, supporters):
    both, (one, other) = supporters, supporters

    assert 7 == worth(card, (card, *both), ())
    assert 7 == worth(card, (card, *both), (both[0],))
    assert 0 == worth(card, (card, one), (other,))
    assert 0 == worth(card, (card,), both)


def test_TT_12_one_suit_card_serves_many_cards():
    own = (LIBRARY, PALACE, PASS, PILLARS, BATHS)

    assert (3, 7, 5) == tuple(worth(card, own, ()) for card in (PALACE, PASS, PILLARS))


@pytest.mark.parametrize(
    ("own", "other", "points"),
    [
        ((PORT, BATHS, EYE), (VESTIBULE, NEST), 8),
        ((PORT, VESTIBULE, NEST), (CITADELS, BATHS), 8),
        ((PORT, SHACKLES, PILLARS), (VESTIBULE, DIVIDE), 0),
        ((PORT, SHACKLES, PILLARS), (DIVIDE,), 8),
        ((PORT, SHACKLES, PILLARS), (), 8),
        ((PORT, DIVIDE), (EYE, LIBRARY), 0),
    ],
    ids=["9 to 3", "tie with Nest", "tie", "none scores", "empty kingdom", "less"],
)
def test_TT_13_the_port_compares_the_best_card_of_each_side(own, other, points):
    assert points == worth(PORT, own, other)


def test_TT_13_the_port_itself_is_not_compared():
    """If its own 8 counted, 7 would not stop it."""
    assert 0 == worth(PORT, (PORT, SHACKLES, SPRING), (PASS, LIBRARY))


@pytest.mark.parametrize(
    ("card", "own", "other"),
    [
        (DIVIDE, (EYE,), (SHACKLES,)),
        (LIBRARY, (SPRING,), (PILLARS,)),
        (ZIGGURAT, (), (DIVIDE,)),
        (PASS, (WELL,), (CITADELS,)),
        (SPRING, (BATHS,), (MAZE,)),
        (MOLEHILL, (), (DIVIDE,)),
        (PORT, (DIVIDE, SHACKLES, MAZE), (LIBRARY, SPRING, PILLARS, VESTIBULE)),
    ],
)
def test_TT_14_kings_nest_wins_a_tie_for_its_owner_alone(card, own, other):
    assert 0 < worth(card, (card, NEST, *own), other)
    assert 0 == worth(card, (card, *own), (*other, NEST))


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(
    ("card", "own"), [(DIVIDE, ()), (LIBRARY, ()), (PASS, ()), (MOLEHILL, (DIVIDE,))], ids=lambda x: str(x)
)
def test_nest_wins_zero_zero(card, own, on):
    assert PRINTS[card].ability.points * on == worth(card, (NEST, card, *own), (), nest_wins_zero_zero=on)


def test_nest_wins_other_ties_whatever_it_does_at_zero():
    assert 7 == worth(DIVIDE, (NEST, DIVIDE, EYE), (SHACKLES,), nest_wins_zero_zero=False)


@pytest.mark.parametrize(("on", "points"), [(True, 8), (False, 0)])
def test_molehill_counts_printed_cards(on, points):
    """All suits single and doubled by the Roof: two singles printed, none doubled."""
    own = (MOLEHILL, ROOF, NEST, LIBRARY)

    assert points == worth(MOLEHILL, own, (BATHS,), molehill_counts_printed_cards=on)


@pytest.mark.parametrize(
    ("card", "own", "on", "points"),
    [
        (WELL, (NEST, EYE, SPRING), True, 18),
        (WELL, (NEST, EYE, SPRING), False, 9),
        (PILLARS, (LIBRARY, BATHS), True, 10),
        (PILLARS, (LIBRARY, BATHS), False, 5),
    ],
)
def test_sets_use_doubled_amounts(card, own, on, points):
    assert points == worth(card, (ROOF, card, *own), (), sets_use_doubled_amounts=on)


@pytest.mark.parametrize(("on", "points"), [(True, 13), (False, 26)])
def test_maze_scores_once(on, points):
    assert points == worth(MAZE, (MAZE, ROOF, NEST, LIBRARY, EYE, SPRING), (), maze_scores_once=on)


def test_the_maze_goes_by_its_own_option_not_by_that_of_the_sets():
    own = (MAZE, ROOF, NEST, LIBRARY, EYE, SPRING)

    assert 26 == worth(MAZE, own, (), maze_scores_once=False, sets_use_doubled_amounts=False)


@pytest.mark.parametrize(
    ("needs", "zero_zero", "points"), [(True, True, 0), (False, True, 8), (False, False, 0), (True, False, 0)]
)
def test_port_needs_a_scoring_card(needs, zero_zero, points):
    options = {"port_needs_a_scoring_card": needs, "nest_wins_zero_zero": zero_zero}

    assert points == worth(PORT, (PORT, NEST), (PALACE,), **options)
