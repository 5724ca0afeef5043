"""The actions of Tigris & Euphrates. An action of a turn has two steps: its kind, then its space or tiles."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Colour, Monument
from .spaces import Space


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Places a tile of the hand. The service asks for the space next."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class PlaceLeader:
    """Places or moves a leader of the seat. The service asks for the space next."""

    leader: Colour


@dataclass(frozen=True, slots=True)
class WithdrawLeader:
    """Removes a leader of the seat from the board."""

    leader: Colour


@dataclass(frozen=True, slots=True)
class PlayCatastrophe:
    """Plays a catastrophe. The service asks for the space next."""


@dataclass(frozen=True, slots=True)
class SwapTiles:
    """Swaps tiles of the hand. The service asks which tiles next."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Ends the turn without using the remaining actions."""


@dataclass(frozen=True, slots=True)
class ChooseSpace:
    """Chooses the space for the tile, leader or catastrophe."""

    space: Space


@dataclass(frozen=True, slots=True)
class DiscardTiles:
    """Chooses the tiles to swap, one to six in total. The seat draws as many."""

    red: int
    blue: int
    green: int
    black: int


@dataclass(frozen=True, slots=True)
class CommitSupport:
    """Adds tiles of the hand to a conflict: red tiles in a revolt, tiles of the leaders' colour in a war."""

    tiles: int
    """The number of tiles. 0 adds none."""


@dataclass(frozen=True, slots=True)
class ChooseWar:
    """Chooses which of several wars is fought next."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class RaiseBuilding:
    """Puts the building of the line's colour on a tile."""

    space: Space


@dataclass(frozen=True, slots=True)
class BuildMonument:
    """Builds a monument on a square of four tiles of one colour."""

    monument: Monument
    corner: Space
    """The north-west space of the square."""


@dataclass(frozen=True, slots=True)
class BuildWonder:
    """Builds the wonder on a cross of five tiles."""

    center: Space
    """The space in the middle of the cross."""


@dataclass(frozen=True, slots=True)
class DeclineBuild:
    """Builds nothing."""


@dataclass(frozen=True, slots=True)
class TakeTreasure:
    """Takes one of several treasures that the seat can choose from."""

    space: Space


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """Chooses the colour of the point that the wonder gives."""

    colour: Colour


Action = (
    PlaceTile
    | PlaceLeader
    | WithdrawLeader
    | PlayCatastrophe
    | SwapTiles
    | EndTurn
    | ChooseSpace
    | DiscardTiles
    | CommitSupport
    | ChooseWar
    | RaiseBuilding
    | BuildMonument
    | BuildWonder
    | DeclineBuild
    | TakeTreasure
    | ChooseColour
)
"""An action of a seat. Most actions of a turn take two answers: the kind of action first, then its space or
its tiles.
"""
