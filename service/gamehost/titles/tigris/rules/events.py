"""The events of Tigris & Euphrates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Hidden, Seat

from .material import Colour, Monument
from .options import Options
from .phases import Conflict, ConflictKind, Step
from .spaces import Space


class PointReason(Enum):
    """The reason for which points were scored."""

    TILE = 1
    REVOLT = 2
    WAR = 3
    MONUMENT = 4
    WONDER = 5


class HomeReason(Enum):
    """The reason why a leader had to leave the board."""

    LOST_REVOLT = 1
    """It lost a revolt."""
    LOST_WAR = 2
    """It lost a war."""
    NO_TEMPLE = 3
    """No face-up temple is next to it any more."""


class EndReason(Enum):
    """The reason why the game ended."""

    FEW_TREASURES = 1
    """One or two treasures are left on the board."""
    BAG_EXHAUSTED = 2
    """The bag had too few tiles for a draw."""
    STANDSTILL = 3
    """No tile and no catastrophe was used for five rounds."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of one seat."""

    seat: Seat
    points: tuple[int, ...]
    """By colour, without treasures."""
    treasures: int
    """The number of treasures won."""
    spheres: tuple[int, ...]
    """Points by colour, with each treasure added to the colour that has the fewest points at that moment."""


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game began. Temples and treasures are on the marked spaces."""

    options: Options
    seats: int
    """The number of seats."""
    first: Seat
    """The seat that has the first turn."""


@dataclass(frozen=True, slots=True)
class TilesDrawn:
    """A seat drew tiles from the bag."""

    seat: Seat
    tiles: tuple[Colour, ...] | Hidden
    """Empty unless the receiver is the seat that drew."""


@dataclass(frozen=True, slots=True)
class DrawFailed:
    """The bag had fewer tiles than the seat had to draw."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnBegun:
    """A seat began its turn."""

    seat: Seat
    turn: int
    """The number of the turn, from 1."""


@dataclass(frozen=True, slots=True)
class ActionChosen:
    """The active seat chose an action, but not yet its space or its tiles."""

    seat: Seat
    step: Step


@dataclass(frozen=True, slots=True)
class LeaderPlaced:
    """A leader was placed or moved."""

    seat: Seat
    leader: Colour
    space: Space
    """The space on which it stands now."""
    origin: Space | None
    """The space on which it stood before. Absent if it was not on the board."""


@dataclass(frozen=True, slots=True)
class LeaderWithdrawn:
    """The owner removed a leader from the board."""

    seat: Seat
    leader: Colour
    space: Space
    """The space on which it stood."""


@dataclass(frozen=True, slots=True)
class LeaderSentHome:
    """A leader had to leave the board."""

    seat: Seat
    leader: Colour
    space: Space
    """The space on which it stood."""
    reason: HomeReason


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A seat placed a tile of its hand."""

    seat: Seat
    colour: Colour
    space: Space


@dataclass(frozen=True, slots=True)
class PointsScored:
    """A seat scored points. The event is public, but the totals are hidden."""

    seat: Seat
    colour: Colour
    points: int
    """The number of points."""
    reason: PointReason


@dataclass(frozen=True, slots=True)
class CatastrophePlayed:
    """A seat played a catastrophe. Its space stays blocked for the rest of the game."""

    seat: Seat
    space: Space
    destroyed: Colour | None
    """The colour of the tile that was removed. Absent if the space was empty."""


@dataclass(frozen=True, slots=True)
class TilesSwapped:
    """A seat discarded tiles face down. The event TilesDrawn for their replacements follows."""

    seat: Seat
    tiles: tuple[Colour, ...] | Hidden
    """Empty unless the receiver is the seat that swapped."""


@dataclass(frozen=True, slots=True)
class StandingLeader:
    """A leader on the board."""

    space: Space
    seat: Seat
    leader: Colour


@dataclass(frozen=True, slots=True)
class JoinedKingdom:
    """A kingdom as it was before the tile was placed."""

    spaces: tuple[Space, ...]
    leaders: tuple[StandingLeader, ...]


@dataclass(frozen=True, slots=True)
class KingdomsJoined:
    """A tile joined two kingdoms and wars follow. The unification marker covers the tile."""

    space: Space
    """The space of the tile."""
    kingdoms: tuple[JoinedKingdom, ...]
    """The two kingdoms."""


@dataclass(frozen=True, slots=True)
class ConflictBegun:
    """A revolt or a war began."""

    conflict: Conflict
    """The leaders and their strengths on the board."""


@dataclass(frozen=True, slots=True)
class SupportCommitted:
    """A seat committed tiles of its hand to the conflict. Everyone sees them, and they leave the game."""

    seat: Seat
    colour: Colour
    tiles: int
    """The number of tiles."""


@dataclass(frozen=True, slots=True)
class ConflictWon:
    """A revolt or a war was decided."""

    kind: ConflictKind
    colour: Colour
    """The colour of the leaders."""
    winner: Seat
    """The seat of the winning leader."""
    loser: Seat
    """The seat of the losing leader."""
    winner_total: int
    """Its strength with committed tiles."""
    loser_total: int
    """Its strength with committed tiles."""
    removed: tuple[Space, ...]
    """The spaces of the loser's supporters, which were removed from the board."""


@dataclass(frozen=True, slots=True)
class UnificationEnded:
    """No war is left. The unification marker was removed from the tile."""

    space: Space
    """The space of the tile."""


@dataclass(frozen=True, slots=True)
class BuildingOffered:
    """The active seat can build a building."""

    seat: Seat
    space: Space
    """The space of the tile that was just placed."""


@dataclass(frozen=True, slots=True)
class BuildingRaised:
    """A building was put on a tile."""

    seat: Seat
    colour: Colour
    space: Space
    """The space of the tile."""
    origin: Space | None
    """The space on which the building stood before. Absent if it came from the supply."""


@dataclass(frozen=True, slots=True)
class BuildingReturned:
    """A building returned to the supply, because its tile was turned over or replaced."""

    colour: Colour
    space: Space
    """The space on which it stood."""


@dataclass(frozen=True, slots=True)
class MonumentOffered:
    """The active seat can build a monument or the wonder."""

    seat: Seat
    space: Space
    """The space of the tile that was just placed."""


@dataclass(frozen=True, slots=True)
class MonumentBuilt:
    """A monument was built. The four tiles under it were turned face down."""

    seat: Seat
    monument: Monument
    corner: Space
    """The north-west space of the square."""
    colour: Colour
    """The colour of the four tiles."""


@dataclass(frozen=True, slots=True)
class WonderBuilt:
    """The wonder was built. The five tiles under it were removed."""

    seat: Seat
    center: Space
    """The space in the middle of the cross."""
    colour: Colour
    """The colour of the five tiles."""


@dataclass(frozen=True, slots=True)
class BuildDeclined:
    """The active seat built nothing of what was offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TreasureOffered:
    """A seat must choose one of several treasures."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TreasureTaken:
    """A seat took a treasure from the board."""

    seat: Seat
    space: Space
    """The space of the treasure."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The active seat finished its actions. Income and drawing follow."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WonderOffered:
    """The active seat must choose the colour of the point that the wonder gives."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended. All points are public."""

    reason: EndReason
    standings: tuple[Standing, ...]
    """The result of each seat."""


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
"""An event of the game."""
