"""The components of the game: colours, faces of cards, ships and dynasties."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Colour(IntEnum):
    """The four colours of civilization cards and leaders. Lists with one entry per colour are in this order:
    black, red, green, blue.
    """

    BLACK = 0
    """Settlements; the king."""
    RED = 1
    """Temples; the priest."""
    GREEN = 2
    """Trade; the trader."""
    BLUE = 3
    """Farming; the farmer."""


class Face(IntEnum):
    """The face of a card on the table: a civilization card, a treasure or a ship."""

    BLACK = 0
    RED = 1
    GREEN = 2
    BLUE = 3
    TREASURE = 4
    BLUE_BLACK_SHIP = 5
    BLUE_RED_SHIP = 6
    BLUE_GREEN_SHIP = 7


class Ship(IntEnum):
    """The three ships, named after their two colours."""

    BLUE_BLACK = 0
    BLUE_RED = 1
    BLUE_GREEN = 2


class Dynasty(IntEnum):
    """The symbol of a seat: seat 0 has the lion, seat 1 the pot, seat 2 the archer, seat 3 the bull."""

    LION = 0
    POT = 1
    ARCHER = 2
    BULL = 3


class Ending(IntEnum):
    """The reason why the game ended."""

    DECK_EXHAUSTED = 0
    """A hand could not be refilled."""
    ONE_TREASURE_LEFT = 1
    """Only one treasure is left in the row."""
    NO_CARD_PLAYED = 2
    """No seat played a card for ten rounds."""


COLOURS: Final = tuple(Colour)
LEADERS: Final = ("king", "priest", "trader", "farmer")
CARDS: Final = (40, 65, 40, 40)
"""Civilization cards in the deck, by colour."""

TREASURES: Final = 8
HEADS: Final = 8
GAPS: Final = HEADS - 1
COLUMN: Final = 8
"""Places below a head."""

LINKABLE: Final = 3
"""Cards each column needs below its head before a link may join them."""

HAND: Final = 8
ACTIONS: Final = 2
SET_ASIDE: Final = 30
"""Cards taken out unseen when two play."""

RUN: Final = 4
"""Cards of one colour that make a ship."""

QUIET_ROUNDS: Final = 10

FIRST_SHIP: Final = Face.BLUE_BLACK_SHIP
COLOUR_OF: Final[tuple[Colour | None, ...]] = (*COLOURS, Colour.RED, None, None, None)
"""The colour each face counts as: a treasure is red, a ship is nothing."""

FACE_OF: Final = (Face.BLACK, Face.RED, Face.GREEN, Face.BLUE)
SHIP_FACE: Final = (Face.BLUE_BLACK_SHIP, Face.BLUE_RED_SHIP, Face.BLUE_GREEN_SHIP)
SHOWN: Final = (
    frozenset({Colour.BLUE, Colour.BLACK}),
    frozenset({Colour.BLUE, Colour.RED}),
    frozenset({Colour.BLUE, Colour.GREEN}),
)
"""The colours each ship shows."""
