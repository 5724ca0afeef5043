"""What happens in Tigris & Euphrates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Hidden, Seat

from .agenda import Conflict, ConflictKind, Step
from .material import Colour, Monument
from .options import Options
from .spaces import Space


class PointReason(Enum):
    TILE = 1
    REVOLT = 2
    WAR = 3
    MONUMENT = 4
    WONDER = 5


class HomeReason(Enum):
    LOST_REVOLT = 1
    LOST_WAR = 2
    NO_TEMPLE = 3


class EndReason(Enum):
    FEW_TREASURES = 1
    BAG_EXHAUSTED = 2
    STANDSTILL = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """What a seat has when the screens are lowered; `spheres` is with the treasures given out."""

    seat: Seat
    points: tuple[int, ...]
    treasures: int
    spheres: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameBegun:
    options: Options
    seats: int
    first: Seat


@dataclass(frozen=True, slots=True)
class TilesDrawn:
    seat: Seat
    tiles: tuple[Colour, ...] | Hidden


@dataclass(frozen=True, slots=True)
class DrawFailed:
    """The bag had less than this seat had to draw."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnBegun:
    seat: Seat
    turn: int


@dataclass(frozen=True, slots=True)
class ActionChosen:
    seat: Seat
    step: Step


@dataclass(frozen=True, slots=True)
class LeaderPlaced:
    seat: Seat
    leader: Colour
    space: Space
    origin: Space | None  # None: from off the board


@dataclass(frozen=True, slots=True)
class LeaderWithdrawn:
    seat: Seat
    leader: Colour
    space: Space


@dataclass(frozen=True, slots=True)
class LeaderSentHome:
    seat: Seat
    leader: Colour
    space: Space
    reason: HomeReason


@dataclass(frozen=True, slots=True)
class TilePlaced:
    seat: Seat
    colour: Colour
    space: Space


@dataclass(frozen=True, slots=True)
class PointsScored:
    seat: Seat
    colour: Colour
    points: int
    reason: PointReason


@dataclass(frozen=True, slots=True)
class CatastrophePlayed:
    seat: Seat
    space: Space
    destroyed: Colour | None


@dataclass(frozen=True, slots=True)
class TilesSwapped:
    """Out of the game unseen; what is drawn for them follows."""

    seat: Seat
    tiles: tuple[Colour, ...] | Hidden


@dataclass(frozen=True, slots=True)
class StandingLeader:
    space: Space
    seat: Seat
    leader: Colour


@dataclass(frozen=True, slots=True)
class JoinedKingdom:
    """As it was before the tile was placed."""

    spaces: tuple[Space, ...]
    leaders: tuple[StandingLeader, ...]


@dataclass(frozen=True, slots=True)
class KingdomsJoined:
    """The unification marker covers the tile on this space."""

    space: Space
    kingdoms: tuple[JoinedKingdom, ...]


@dataclass(frozen=True, slots=True)
class ConflictBegun:
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class SupportCommitted:
    seat: Seat
    colour: Colour
    tiles: int


@dataclass(frozen=True, slots=True)
class ConflictWon:
    """`removed` are the loser's supporters that left the board."""

    kind: ConflictKind
    colour: Colour
    winner: Seat
    loser: Seat
    winner_total: int
    loser_total: int
    removed: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class UnificationEnded:
    """No war is left; the marker leaves the tile."""

    space: Space


@dataclass(frozen=True, slots=True)
class BuildingOffered:
    seat: Seat
    space: Space


@dataclass(frozen=True, slots=True)
class BuildingRaised:
    seat: Seat
    colour: Colour
    space: Space
    origin: Space | None  # None: from the supply


@dataclass(frozen=True, slots=True)
class BuildingReturned:
    """To the supply, for its tile was flipped or replaced."""

    colour: Colour
    space: Space


@dataclass(frozen=True, slots=True)
class MonumentOffered:
    """Or the wonder."""

    seat: Seat
    space: Space


@dataclass(frozen=True, slots=True)
class MonumentBuilt:
    """The four tiles are face down now."""

    seat: Seat
    monument: Monument
    corner: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class WonderBuilt:
    """In place of five tiles of this colour."""

    seat: Seat
    center: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class BuildDeclined:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TreasureOffered:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TreasureTaken:
    seat: Seat
    space: Space


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: Seat


@dataclass(frozen=True, slots=True)
class WonderOffered:
    """The active player is asked for the colour of its point."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    reason: EndReason
    standings: tuple[Standing, ...]


Event = (
    GameBegun
    | TilesDrawn
    | DrawFailed
    | TurnBegun
    | ActionChosen
    | LeaderPlaced
    | LeaderWithdrawn
    | LeaderSentHome
    | TilePlaced
    | PointsScored
    | CatastrophePlayed
    | TilesSwapped
    | KingdomsJoined
    | ConflictBegun
    | SupportCommitted
    | ConflictWon
    | UnificationEnded
    | BuildingOffered
    | BuildingRaised
    | BuildingReturned
    | MonumentOffered
    | MonumentBuilt
    | WonderBuilt
    | BuildDeclined
    | TreasureOffered
    | TreasureTaken
    | TurnEnded
    | WonderOffered
    | GameEnded
)
