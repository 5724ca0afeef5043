"""What single numbers of the encodings mean, and that they keep their meaning."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from gamehost.learning import ENCODINGS, NoSuchAction
from gamehost.learning.encoding import NoSuchSlice, squashed
from gamehost.learning.markdown import encoding_section
from gamehost.learning.text import canonical_text
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Hidden
from gamehost.titles.tides.rules.actions import ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.material import Card
from gamehost.titles.tigris_cards.rules.model import Place
from rules.playouts import law

PROMISED = {
    "tigris": (1, "a42a7f69adde9371"),
    "tigris_cards": (1, "5b6676e76b1bfb51"),
    "tides": (1, "9cf23f72d0c65e45"),
    "stone_age": (1, "656beb3579fbb68c"),
}


def digest(encoding):
    """Of all that a trained model relies on."""
    slices = [(part.name, part.shape, part.meaning) for part in encoding.slices]
    told = json.dumps([slices, list(map(canonical_text, encoding.actions))])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def test_a_version_keeps_its_meaning_for_ever():
    """Whoever changes an encoding raises its version and writes the new digest down."""
    found = {title: (encoding.version, digest(encoding)) for title, encoding in ENCODINGS.items()}

    assert PROMISED == found


def test_every_title_has_an_encoding():
    assert CATALOG.keys() == ENCODINGS.keys()


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)
def test_no_two_numbers_mean_the_same_action(encoding):
    numbers = [encoding.index(action) for action in encoding.actions]

    assert list(range(len(encoding.actions))) == numbers
    assert set(CATALOG[encoding.title].actions) == set(map(type, encoding.actions))
    assert [block.name for block in encoding.blocks] == [type(b.actions[0]).__name__ for b in encoding.blocks]
    assert len({part.name for part in encoding.slices}) == len(encoding.slices)
    assert encoding_section(encoding).count("\n|") == len(encoding.slices) + len(encoding.blocks) + 4


@law(examples=15)
def test_observations_can_be_read_back(rules, place):
    game, position = place.of(rules)
    encoding = ENCODINGS[rules.title]
    for seat in game.viewers[1:]:
        view = rules.view(position.state, seat)
        observation = encoding.encode_view(view, seat)
        READ_BACK[rules.title](view, seat, lambda name, seen=observation: encoding.part(seen, name))


def read_tides(view, seat, part):
    hand = {Card(1 + number) for number in np.flatnonzero(part("hand"))}
    rows = [{Card(1 + n) for n in np.flatnonzero(row[1])} for row in part("kingdoms")]
    assert view.hand == hand
    assert [set(view.seats[seat].played), set(view.seats[1 - seat].played)] == rows
    assert view.unseen == {Card(1 + number) for number in np.flatnonzero(part("unseen"))}


def read_stone_age(view, seat, part):
    seats = len(view.players)
    for step in range(seats):
        player = view.players[(seat + step) % seats]
        held = part("holdings")[step]
        assert player.people == round(held[0] * 10)
        assert np.isclose(squashed(player.food, 10), held[2])
        assert np.isclose(squashed(player.resources.gold, 5), held[8])
        there = [place.people[(seat + step) % seats] for place in view.places]
        assert there == [round(number * 10) for number in part("people")[step, 0, : len(there)]]
    own = view.players[seat]
    known = 0 if isinstance(own.drawn, Hidden) else len(own.drawn)
    assert len(own.cards) + known == part("cards")[0, :-1].sum()


def read_tigris(view, seat, part):
    seats = len(view.players)
    tiles = {(tile.colour, tile.space.row, tile.space.column) for tile in view.board.tiles}
    leaders = {
        (4 * ((each.seat - seat) % seats) + each.leader, each.space.row, each.space.column)
        for each in view.board.leaders
    }
    assert tiles == {tuple(map(int, at)) for at in np.argwhere(part("tiles"))}
    assert leaders == {tuple(map(int, at)) for at in np.argwhere(part("leaders"))}
    own = [view.players[seat].hand.count(colour) for colour in range(4)]
    assert own == [round(number * 6) for number in part("own")[0]]


def read_tigris_cards(view, seat, part):
    laid = {Place(int(c), int(r)): int(face) for c, r, face in np.argwhere(part("columns")[..., :8])}
    expected = {
        Place(column, row): card.face
        for column, cards in enumerate(view.table.columns)
        for row, card in enumerate(cards)
    }
    assert expected == laid
    assert [view.hand.count(colour) for colour in range(4)] == [round(n * 8) for n in part("hand")]
    sizes = [view.hand_sizes[(seat + step) % len(view.piles)] for step in range(len(view.piles))]
    assert sizes == [round(row[0] * 8) for row in part("players")[: len(sizes)]]


READ_BACK = {
    "tides": read_tides,
    "stone_age": read_stone_age,
    "tigris": read_tigris,
    "tigris_cards": read_tigris_cards,
}


def test_actions_of_tides_are_numbered_as_documented():
    encoding = ENCODINGS["tides"]

    assert 17 == encoding.index(ChooseCard(Card.SAPPHIRE_PORT))
    assert 18 == encoding.index(ChooseRelic(Card.KINGS_NEST, Card.ANCIENT_DIVIDE))
    assert ChooseRelic(Card.SAPPHIRE_PORT, Card.ROOF_OF_THE_WORLD) == encoding.action(323)


def test_what_is_not_there_is_said():
    encoding = ENCODINGS["tides"]

    with pytest.raises(NoSuchAction, match="tides has actions 0 to 323, not 324"):
        encoding.action(324)
    with pytest.raises(NoSuchAction, match="tides has no action 7"):
        encoding.index(7)
    with pytest.raises(NoSuchSlice, match="tides has no slice crown"):
        encoding.part(np.zeros(encoding.size, np.float32), "crown")


def test_sets_that_are_equal_read_the_same():
    one, other = frozenset([1, 9, 17]), frozenset([17, 9, 1])

    assert "{1, 9, 17}" == canonical_text(one) == canonical_text(other)
