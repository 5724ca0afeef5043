"""What happened."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import Colour, Ending, Ship
from .model import Leader, Place
from .options import Options


@dataclass(frozen=True, slots=True)
class GameBegun:
    options: Options
    seats: int


@dataclass(frozen=True, slots=True)
class CardsSetAside:
    """Unseen: which cards they are is never known."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    seat: Seat
    cards: tuple[Colour, ...] | Hidden


@dataclass(frozen=True, slots=True)
class TurnBegun:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The actions left were forgone."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardLaid:
    seat: Seat
    colour: Colour
    column: int


@dataclass(frozen=True, slots=True)
class PointOffered:
    seat: Seat
    colour: Colour
    column: int | None


@dataclass(frozen=True, slots=True)
class PointTaken:
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class OfferDeclined:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ShipOffered:
    seat: Seat
    column: int
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class ShipBuilt:
    """The cards from `row` on were discarded, the leaders on them went home."""

    seat: Seat
    ship: Ship
    colour: Colour
    column: int
    row: int
    returned: tuple[Leader, ...]


@dataclass(frozen=True, slots=True)
class LinkLaid:
    """Face down."""

    seat: Seat
    gap: int
    colour: Colour | Hidden


@dataclass(frozen=True, slots=True)
class LinkTurnedUp:
    gap: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class LeaderPlaced:
    leader: Leader
    place: Place
    origin: Place | None  # none when it came from the supply


@dataclass(frozen=True, slots=True)
class LeaderWithdrawn:
    leader: Leader
    place: Place


@dataclass(frozen=True, slots=True)
class CalamityPlayed:
    seat: Seat
    place: Place
    colour: Colour


@dataclass(frozen=True, slots=True)
class ConflictBegun:
    external: bool
    colour: Colour
    attacker: Seat
    defender: Seat
    attacker_strength: int
    defender_strength: int


@dataclass(frozen=True, slots=True)
class CardsCommitted:
    seat: Seat
    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class ConflictWon:
    """The losing leader went home; the winner's pile grew by `kept` played cards and the `captured` ones."""

    winner: Seat
    loser: Leader
    place: Place  # where the loser stood
    colour: Colour  # of the cards
    kept: int
    discarded: int
    captured: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class ExchangeOffered:
    seat: Seat
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TreasureExchanged:
    seat: Seat
    column: int


@dataclass(frozen=True, slots=True)
class IncomeOffered:
    seat: Seat
    due: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IncomeTaken:
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The piles are counted in the open, by seat, colour and treasures."""

    ending: Ending
    points: tuple[tuple[int, ...], ...]


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
