"""The events of Tides of Time. Lists with one entry per seat are in seat order."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import Card, Suit
from .options import Options


@dataclass(frozen=True, slots=True)
class SuitCount:
    """The number of cards of a suit in a kingdom."""

    suit: Suit
    printed: int
    """The number printed on the cards."""
    counted: int
    """The number that is used for scoring, after the Roof of the World."""


@dataclass(frozen=True, slots=True)
class CardPoints:
    """The points that one card scores for its owner."""

    card: Card
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a kingdom in detail."""

    suits: tuple[SuitCount, ...]
    """One entry for each of the five suits."""
    cards: tuple[CardPoints, ...]
    """Every card of the kingdom: the relics first, then the played cards in the order played."""
    points: int
    """The sum over the cards."""


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game began. The pile has all eighteen cards."""

    options: Options


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat drew cards from the pile."""

    seat: Seat
    cards: tuple[Card, ...] | Hidden
    """Empty unless the receiver is the seat that drew."""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """A round began. Both seats have five cards and choose one."""

    round: int
    """The round, 1 to 3."""


@dataclass(frozen=True, slots=True)
class CardChosen:
    """A seat chose a card and placed it face down."""

    seat: Seat
    card: Card | Hidden
    """Absent unless the receiver is the seat that chose."""


@dataclass(frozen=True, slots=True)
class CardsRevealed:
    """The chosen cards were revealed and added to the kingdoms. The last card of a hand is added without a
    choice.
    """

    cards: tuple[Card, ...]
    """The card of each seat."""


@dataclass(frozen=True, slots=True)
class HandReceived:
    """A seat received the remaining hand of the other seat in exchange for its own."""

    seat: Seat
    cards: tuple[Card, ...] | Hidden
    """Empty unless the receiver of the event is this seat."""


@dataclass(frozen=True, slots=True)
class RoundScored:
    """Both kingdoms were scored."""

    round: int
    """The round, 1 to 3."""
    scores: tuple[Score, ...]
    """The score of each seat."""


@dataclass(frozen=True, slots=True)
class RelicChosen:
    """A seat chose a relic and a card to remove, face down."""

    seat: Seat
    relic: Card | Hidden
    """Absent unless the receiver is the seat that chose."""
    removed: Card | Hidden
    """Absent unless the receiver is the seat that chose."""


@dataclass(frozen=True, slots=True)
class RelicsRevealed:
    """The choices were revealed: the relics stay in the kingdoms, the removed cards lie face up, and all
    other cards played this round went back to the hands.
    """

    relics: tuple[Card, ...]
    """The relic of each seat."""
    removed: tuple[Card, ...]
    """The removed card of each seat."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended after three rounds."""

    totals: tuple[int, ...]
    """The points of all rounds, for each seat."""


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
"""An event of the game."""
