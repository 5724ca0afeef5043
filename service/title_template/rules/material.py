"""The components of the game."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

HAND: Final = 3


class Card(IntEnum):
    """The sixteen cards. The game has one of each."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    ELEVEN = 11
    TWELVE = 12
    THIRTEEN = 13
    FOURTEEN = 14
    FIFTEEN = 15
    SIXTEEN = 16


DECK: Final = frozenset(Card)
