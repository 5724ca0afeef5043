"""What happens in Tides of Time. Rows by seat are in seat order."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import Card, Suit
from .options import Options


@dataclass(frozen=True, slots=True)
class SuitCount:
    suit: Suit
    printed: int
    counted: int  # after the Roof of the World


@dataclass(frozen=True, slots=True)
class CardPoints:
    card: Card
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """What a kingdom is worth, and why."""

    suits: tuple[SuitCount, ...]
    cards: tuple[CardPoints, ...]
    points: int


@dataclass(frozen=True, slots=True)
class GameBegun:
    options: Options


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    seat: Seat
    cards: tuple[Card, ...] | Hidden


@dataclass(frozen=True, slots=True)
class RoundBegun:
    round: int


@dataclass(frozen=True, slots=True)
class CardChosen:
    seat: Seat
    card: Card | Hidden


@dataclass(frozen=True, slots=True)
class CardsRevealed:
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandReceived:
    """In place of the hand that was passed on."""

    seat: Seat
    cards: tuple[Card, ...] | Hidden


@dataclass(frozen=True, slots=True)
class RoundScored:
    round: int
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class RelicChosen:
    seat: Seat
    relic: Card | Hidden
    removed: Card | Hidden


@dataclass(frozen=True, slots=True)
class RelicsRevealed:
    relics: tuple[Card, ...]
    removed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    totals: tuple[int, ...]


Event = (
    GameBegun
    | CardsDrawn
    | RoundBegun
    | CardChosen
    | CardsRevealed
    | HandReceived
    | RoundScored
    | RelicChosen
    | RelicsRevealed
    | GameEnded
)
