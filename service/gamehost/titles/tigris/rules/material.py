"""What is in the box: tiles, leaders, monuments and a board with two sides."""

from __future__ import annotations

from enum import Enum, IntEnum

HAND = 6
CATASTROPHES = 2
ACTIONS = 2
LINE = 3
"""Tiles in a row that earn a building."""


class Colour(IntEnum):
    """A sphere; a member is also the index of its tiles, its leader and its points."""

    RED = 0
    BLUE = 1
    GREEN = 2
    BLACK = 3


COLOURS = tuple(Colour)
TILES = (57, 36, 30, 30)
TILE_NAMES = ("temple", "farm", "market", "settlement")
LEADER_NAMES = ("priest", "farmer", "trader", "king")
POINT_NAMES = ("amulet", "harvest", "goods", "brick")
BUILDING_NAMES = ("library", "granary", "market hall", "palace")


class Monument(Enum):
    """Named after the two colours it shows."""

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
    STANDARD = 1
    ADVANCED = 2


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
