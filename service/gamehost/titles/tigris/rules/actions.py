"""What a seat may ask for. An action of a turn is asked in two steps: what, then where or which."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Colour, Monument
from .spaces import Space


@dataclass(frozen=True, slots=True)
class PlaceTile:
    colour: Colour


@dataclass(frozen=True, slots=True)
class PlaceLeader:
    """From off the board, or from where it stands."""

    leader: Colour


@dataclass(frozen=True, slots=True)
class WithdrawLeader:
    leader: Colour


@dataclass(frozen=True, slots=True)
class PlayCatastrophe:
    pass


@dataclass(frozen=True, slots=True)
class SwapTiles:
    pass


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Forgoes the actions left."""


@dataclass(frozen=True, slots=True)
class ChooseSpace:
    """Where the tile, leader or catastrophe goes."""

    space: Space


@dataclass(frozen=True, slots=True)
class DiscardTiles:
    """What a swap gives away; as many are drawn."""

    red: int
    blue: int
    green: int
    black: int


@dataclass(frozen=True, slots=True)
class CommitSupport:
    tiles: int


@dataclass(frozen=True, slots=True)
class ChooseWar:
    colour: Colour


@dataclass(frozen=True, slots=True)
class RaiseBuilding:
    space: Space


@dataclass(frozen=True, slots=True)
class BuildMonument:
    """On the square whose north-west space is the corner."""

    monument: Monument
    corner: Space


@dataclass(frozen=True, slots=True)
class BuildWonder:
    center: Space


@dataclass(frozen=True, slots=True)
class DeclineBuild:
    pass


@dataclass(frozen=True, slots=True)
class TakeTreasure:
    space: Space


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """Of the point that the wonder gives."""

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
