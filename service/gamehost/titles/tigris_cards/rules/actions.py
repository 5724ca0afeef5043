"""The actions of the Euphrates & Tigris card game."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Colour, Ship
from .model import Place


@dataclass(frozen=True, slots=True)
class LayCard:
    """Lays a card of the hand at the bottom of a column."""

    colour: Colour
    column: int
    """From 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class LayLink:
    """Lays a card of the hand into a gap."""

    colour: Colour
    gap: int
    """From 0 (left) to 6."""


@dataclass(frozen=True, slots=True)
class PlaceLeader:
    """Puts a leader of the seat onto a card, from the supply or from its present place."""

    colour: Colour
    place: Place


@dataclass(frozen=True, slots=True)
class WithdrawLeader:
    """Takes a leader of the seat back into the supply."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class PlayCalamity:
    """Removes a card from the table. Each seat can do this once in a game."""

    place: Place


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Ends the turn without using the remaining actions."""


@dataclass(frozen=True, slots=True)
class TakePoint:
    """Puts a card of the offered colour onto the pile."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Declines the point, ship, exchange or income that is offered."""


@dataclass(frozen=True, slots=True)
class BuildShip:
    """Replaces the four cards that were just completed by a ship."""

    ship: Ship


@dataclass(frozen=True, slots=True)
class ChooseConflict:
    """Chooses the colour of the leaders that fight next."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class CommitCards:
    """Plays cards of the hand into the conflict."""

    colour: Colour
    count: int
    """The number of cards. 0 plays none."""


@dataclass(frozen=True, slots=True)
class ExchangeTreasure:
    """Replaces the treasure at the head of a column by a red card of the hand."""

    column: int
    """From 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class TakeIncome:
    """Puts a card of the hand onto the pile for a ship."""

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
"""An action of a seat."""
