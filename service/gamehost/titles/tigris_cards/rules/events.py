"""The events of the Euphrates & Tigris card game."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import Colour, Ending, Ship
from .model import Leader, Place
from .options import Options


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game began. Only the row of treasures is on the table."""

    options: Options
    seats: int
    """The number of seats."""


@dataclass(frozen=True, slots=True)
class CardsSetAside:
    """Cards of the deck were removed from the game. Nobody ever sees them."""

    count: int
    """The number of cards."""


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat drew cards from the deck."""

    seat: Seat
    cards: tuple[Colour, ...] | Hidden
    """Empty unless the receiver is the seat that drew."""


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """A seat began its turn, with two actions."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A seat ended its turn without using the remaining actions."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A seat laid a card at the bottom of a column."""

    seat: Seat
    colour: Colour
    column: int
    """From 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class PointOffered:
    """A seat can put a card of its hand onto its pile."""

    seat: Seat
    colour: Colour
    column: int | None
    """The column in which a card was laid. Absent if the offer follows a conflict that was decided without
    cards.
    """


@dataclass(frozen=True, slots=True)
class PointTaken:
    """A seat put a card of its hand onto its pile."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class OfferDeclined:
    """A seat declined an offer."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ShipOffered:
    """The active seat can build a ship."""

    seat: Seat
    column: int
    """From 0 (left) to 7."""
    ships: tuple[Ship, ...]
    """The ships to choose from."""


@dataclass(frozen=True, slots=True)
class ShipBuilt:
    """A seat built a ship. It replaced four cards, which were discarded."""

    seat: Seat
    ship: Ship
    colour: Colour
    """The colour of the discarded cards."""
    column: int
    """From 0 (left) to 7."""
    row: int
    """The row of the ship, which is that of the uppermost of the four cards."""
    returned: tuple[Leader, ...]
    """The leaders that stood on the four cards and returned to the supply."""


@dataclass(frozen=True, slots=True)
class LinkLaid:
    """A seat laid a link face down."""

    seat: Seat
    gap: int
    """From 0 (left) to 6."""
    colour: Colour | Hidden
    """Absent unless the receiver is the seat that laid it."""


@dataclass(frozen=True, slots=True)
class LinkTurnedUp:
    """A link was turned up. It joins the columns on both sides."""

    gap: int
    """From 0 (left) to 6."""
    colour: Colour


@dataclass(frozen=True, slots=True)
class LeaderPlaced:
    """A leader was placed or moved."""

    leader: Leader
    place: Place
    """The place of the leader now."""
    origin: Place | None
    """The place of the leader before. Absent if it came from the supply."""


@dataclass(frozen=True, slots=True)
class LeaderWithdrawn:
    """The owner took a leader back into the supply."""

    leader: Leader
    place: Place
    """The place of the leader before."""


@dataclass(frozen=True, slots=True)
class CalamityPlayed:
    """A seat used its calamity. The card left the game, and the cards below moved up."""

    seat: Seat
    place: Place
    """The place of the card."""
    colour: Colour
    """The colour of the card."""


@dataclass(frozen=True, slots=True)
class ConflictBegun:
    """A conflict between two leaders of one colour began."""

    external: bool
    """True if the conflict is fought with cards of the leaders' colour. False for an internal conflict, which
    is fought with red cards.
    """
    colour: Colour
    """The colour of the leaders."""
    attacker: Seat
    """The seat of the attacking leader."""
    defender: Seat
    """The seat of the defending leader."""
    attacker_strength: int
    """Its strength without committed cards."""
    defender_strength: int
    """Its strength without committed cards."""


@dataclass(frozen=True, slots=True)
class CardsCommitted:
    """A seat played cards of its hand into the conflict. Everyone sees them."""

    seat: Seat
    colour: Colour
    count: int
    """The number of cards."""


@dataclass(frozen=True, slots=True)
class ConflictWon:
    """A conflict was decided. The losing leader returned to the supply, and the columns closed up."""

    winner: Seat
    """The seat of the winning leader."""
    loser: Leader
    """The losing leader."""
    place: Place
    """The place of the losing leader."""
    colour: Colour
    """The colour of all cards in this event."""
    kept: int
    """The number of played cards that went onto the winner's pile."""
    discarded: int
    """The number of played cards that were discarded."""
    captured: tuple[Place, ...]
    """The places of the cards that went from the table onto the winner's pile."""


@dataclass(frozen=True, slots=True)
class ExchangeOffered:
    """The owner of a trader can exchange a treasure."""

    seat: Seat
    columns: tuple[int, ...]
    """The columns of the treasures, from 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class TreasureExchanged:
    """A seat put a treasure onto its pile. A red card of its hand is the new head of the column."""

    seat: Seat
    column: int
    """From 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class IncomeOffered:
    """The active seat can put cards onto its pile for its ships."""

    seat: Seat
    due: tuple[int, ...]
    """The largest number of cards by colour: black, red, green, blue."""


@dataclass(frozen=True, slots=True)
class IncomeTaken:
    """A seat put a card of its hand onto its pile for a ship."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended. All piles are public."""

    ending: Ending
    points: tuple[tuple[int, ...], ...]
    """The pile of each seat."""


Event = (
    GameBegun
    | CardsSetAside
    | CardsDrawn
    | TurnBegun
    | TurnPassed
    | CardLaid
    | PointOffered
    | PointTaken
    | OfferDeclined
    | ShipOffered
    | ShipBuilt
    | LinkLaid
    | LinkTurnedUp
    | LeaderPlaced
    | LeaderWithdrawn
    | CalamityPlayed
    | ConflictBegun
    | CardsCommitted
    | ConflictWon
    | ExchangeOffered
    | TreasureExchanged
    | IncomeOffered
    | IncomeTaken
    | GameEnded
)
"""An event of the game."""
