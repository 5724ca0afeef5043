"""The components of the game: tiles, leaders, monuments and a board with two sides."""

from __future__ import annotations

from enum import Enum, IntEnum

HAND = 6
CATASTROPHES = 2
ACTIONS = 2
LINE = 3
"""Tiles in a row that earn a building."""


class Colour(IntEnum):
    """The colour of tiles, leaders, points and buildings. Lists with one entry per colour are in this order:
    red, blue, green, black.
    """

    RED = 0
    """Temples; the priest; the library."""
    BLUE = 1
    """Farms; the farmer; the granary."""
    GREEN = 2
    """Markets; the trader; the market hall."""
    BLACK = 3
    """Settlements; the king; the palace."""


COLOURS = tuple(Colour)
TILES = (57, 36, 30, 30)
TILE_NAMES = ("temple", "farm", "market", "settlement")
LEADER_NAMES = ("priest", "farmer", "trader", "king")
POINT_NAMES = ("amulet", "harvest", "goods", "brick")
BUILDING_NAMES = ("library", "granary", "market hall", "palace")


class Monument(Enum):
    """The six monuments, named after their two colours."""

    RED_BLUE = 1
    RED_GREEN = 2
    RED_BLACK = 3
    BLUE_GREEN = 4
    BLUE_BLACK = 5
    GREEN_BLACK = 6


MONUMENT_COLOURS = {
    Monument.RED_BLUE: (Colour.RED, Colour.BLUE),
    Monument.RED_GREEN: (Colour.RED, Colour.GREEN),
    Monument.RED_BLACK: (Colour.RED, Colour.BLACK),
    Monument.BLUE_GREEN: (Colour.BLUE, Colour.GREEN),
    Monument.BLUE_BLACK: (Colour.BLUE, Colour.BLACK),
    Monument.GREEN_BLACK: (Colour.GREEN, Colour.BLACK),
}


class BoardSide(IntEnum):
    """The two sides of the board."""

    STANDARD = 1
    """With ten treasures."""
    ADVANCED = 2
    """With fourteen treasures."""


MAPS = {
    BoardSide.STANDARD: """
        ....~~~~~.T.~...
        .S..~.......~..S
        ...~~T......~~..
        ~~~~.........~~~
        .............T~~
        ..............~.
        ~~~~....T...~~~.
        .S.~~~~.....~...
        ......~~~~~~~.S.
        .....T..........
        ..........T.....
    """,
    BoardSide.ADVANCED: """
        ..~~T....T.....~
        ..~~..........T~
        .S~~...........~
        ..~...T....T~~~~
        ..~.........~...
        ..~T........~..S
        ..~~........~~..
        S..~~~.T....T~..
        .....~~~.....~..
        ....S.~~~~~~~~..
        ......~..S....S.
    """,
}
"""`~` is river, `T` a temple with a treasure, `S` the same on a specially bordered space."""
