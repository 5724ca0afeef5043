"""What a seat may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Colour, Ship
from .model import Place


@dataclass(frozen=True, slots=True)
class LayCard:
    colour: Colour
    column: int


@dataclass(frozen=True, slots=True)
class LayLink:
    colour: Colour
    gap: int


@dataclass(frozen=True, slots=True)
class PlaceLeader:
    """From the supply, or from wherever it stands."""

    colour: Colour
    place: Place


@dataclass(frozen=True, slots=True)
class WithdrawLeader:
    colour: Colour


@dataclass(frozen=True, slots=True)
class PlayCalamity:
    place: Place


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Forgo the actions left."""


@dataclass(frozen=True, slots=True)
class TakePoint:
    """Put a card of the offered colour onto the pile."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Leave the point, ship, exchange or income that is offered."""


@dataclass(frozen=True, slots=True)
class BuildShip:
    ship: Ship


@dataclass(frozen=True, slots=True)
class ChooseConflict:
    """The leaders of this colour fight next."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class CommitCards:
    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class ExchangeTreasure:
    column: int


@dataclass(frozen=True, slots=True)
class TakeIncome:
    colour: Colour


Action = (
    LayCard
    | LayLink
    | PlaceLeader
    | WithdrawLeader
    | PlayCalamity
    | EndTurn
    | TakePoint
    | Decline
    | BuildShip
    | ChooseConflict
    | CommitCards
    | ExchangeTreasure
    | TakeIncome
)
