"""Tests that a mirror needs matching classes and messages, and decodes what it encoded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pytest

from gamehost.codec.mirror import Undecodable, mirror
from gamehost.rules.kit import Hidden, Seat
from gamehost.titles.tides.rules.events import CardChosen, CardsDrawn, Event
from gamehost.titles.tides.rules.material import Card
from shedu.tides.v1 import tides_pb2
from shedu.v1 import game_pb2


@dataclass(frozen=True)
class Named:
    seat: int
    accepted: bool
    proposal_id: str


def test_a_dataclass_is_read_back():
    answer = mirror(Named, game_pb2.ProposalAnswered)

    assert Named(1, True, "p1") == answer.decode(answer.encode(Named(1, True, "p1")))


@dataclass(frozen=True)
class Forgetful:
    seat: int
    accepted: bool


@dataclass(frozen=True)
class Inventive(Named):
    colour: str


@dataclass(frozen=True)
class Confused:
    seat: tuple[int, ...]
    accepted: bool
    proposal_id: str


class Colour(Enum):
    RED = 1


@dataclass(frozen=True)
class Coloured:
    card: Colour
    points: int


@pytest.mark.parametrize(
    ("kind", "message", "named"),
    [
        (Forgetful, game_pb2.ProposalAnswered, "proposal_id"),
        (Inventive, game_pb2.ProposalAnswered, "colour"),
        (Confused, game_pb2.ProposalAnswered, "seat"),
        (CardChosen | CardsDrawn, tides_pb2.Event, "round_begun"),
    ],
)
def test_sides_that_disagree_have_no_mirror(kind, message, named):
    with pytest.raises(TypeError, match=named):
        mirror(kind, message)


def test_an_enum_must_have_the_values_of_the_other_side():
    with pytest.raises((TypeError, KeyError)):
        mirror(Coloured, tides_pb2.CardPoints)


def test_the_hidden_is_absent_or_counted():
    event = mirror(Event, tides_pb2.Event)

    chosen = event.encode(CardChosen(Seat(0), Hidden()))
    drawn = event.encode(CardsDrawn(Seat(0), Hidden(2)))

    assert not chosen.card_chosen.HasField("card")
    assert ([], 2) == (list(drawn.cards_drawn.cards), drawn.cards_drawn.hidden_cards)
    assert CardsDrawn(Seat(0), ()) == event.decode(event.encode(CardsDrawn(Seat(0), ())))


@pytest.mark.parametrize(
    "message",
    [
        tides_pb2.Event(),
        tides_pb2.Event(cards_revealed={"cards": [Card.MOLEHILL, 99]}),
        tides_pb2.Event(cards_revealed={"cards": [0]}),
    ],
    ids=["nothing", "unknown value", "unspecified value"],
)
def test_what_no_dataclass_mirrors_is_refused(message):
    event = mirror(Event, tides_pb2.Event)

    with pytest.raises(Undecodable):
        event.decode(message)
