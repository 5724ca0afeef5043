"""Tests of the meaning of numbers in the encodings, and that it never changes."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module

import numpy as np
import pytest

from gamehost.learning import ENCODINGS, NoSuchAction
from gamehost.learning.encoding import NoSuchSlice
from gamehost.learning.markdown import encoding_section
from gamehost.learning.text import canonical_text
from gamehost.rules.catalog import CATALOG, title_module
from gamehost.titles.tides.rules.actions import ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.material import Card
from rules.playouts import law

# The promises of each title with an encoding of its own, from `tests/titles/<title>/encoding.py`.
OWN = {
    title: import_module(f"titles.{title}.encoding") for title in CATALOG if title_module(title, "encoding")
}


def digest(encoding):
    """Returns a digest of everything that a trained model relies on."""
    slices = [(part.name, part.shape, part.meaning) for part in encoding.slices]
    told = json.dumps([slices, list(map(canonical_text, encoding.actions))])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


@pytest.mark.parametrize("title", OWN)
def test_a_version_keeps_its_meaning_for_ever(title):
    """A change of an encoding needs a new version and a new digest here."""
    encoding = ENCODINGS[title]

    assert OWN[title].PROMISED == (encoding.version, digest(encoding))


def test_every_title_has_an_encoding():
    assert [*CATALOG] == [encoding.title for encoding in ENCODINGS.values()]


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
    if rules.title not in OWN:
        return  # a generic encoding cannot be read back
    for seat in game.viewers[1:]:
        view = rules.view(position.state, seat)
        observation = encoding.encode_view(view, seat)
        OWN[rules.title].read_back(view, seat, lambda name, seen=observation: encoding.part(seen, name))


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
