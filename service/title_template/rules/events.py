"""The events of Example Title. Lists with one entry per seat are in seat order."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import Card
from .options import Options


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game began."""

    options: Options
    seats: int


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat drew cards from the deck."""

    seat: Seat
    cards: tuple[Card, ...] | Hidden


@dataclass(frozen=True, slots=True)
class CardChosen:
    """A seat laid a card face down."""

    seat: Seat
    card: Card | Hidden


@dataclass(frozen=True, slots=True)
class CardsRevealed:
    """The chosen cards were turned face up, and the winner got a point."""

    cards: tuple[Card, ...]
    winner: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """No cards were left."""

    points: tuple[int, ...]


Event = GameBegun | CardsDrawn | CardChosen | CardsRevealed | GameEnded
