"""What one seat, or a spectator, knows of a game."""

from __future__ import annotations

from dataclasses import dataclass

from ..kit import Hidden, Seat
from .agenda import ConflictKind, Phase
from .events import EndReason, StandingLeader
from .material import Colour, Monument
from .model import BuiltMonument
from .options import Options
from .spaces import Space


@dataclass(frozen=True, slots=True)
class PlacedTile:
    space: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class StandingBuilding:
    space: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class BoardView:
    """All of it is public. `special` are the bordered spaces whose treasures go first."""

    river: tuple[Space, ...]
    special: tuple[Space, ...]
    tiles: tuple[PlacedTile, ...]
    face_down: tuple[Space, ...]
    leaders: tuple[StandingLeader, ...]
    catastrophes: tuple[Space, ...]
    treasures: tuple[Space, ...]
    buildings: tuple[StandingBuilding, ...]
    monuments: tuple[BuiltMonument, ...]
    unused_monuments: tuple[Monument, ...]
    wonder: Space | None  # its centre
    covered: Space | None  # under the unification marker


@dataclass(frozen=True, slots=True)
class PlayerView:
    hand: tuple[Colour, ...] | Hidden
    points: tuple[int, ...] | Hidden  # by colour
    treasures: int | Hidden  # won
    catastrophes: int  # left
    swapped: tuple[Colour, ...] | Hidden  # out of the game


@dataclass(frozen=True, slots=True)
class KingdomLeader:
    """Supporters decide wars, temples beside the leader revolts."""

    seat: Seat
    leader: Colour
    space: Space
    supporters: int
    temples: int


@dataclass(frozen=True, slots=True)
class Kingdom:
    spaces: tuple[Space, ...]
    leaders: tuple[KingdomLeader, ...]
    treasures: tuple[Space, ...]
    monuments: tuple[Monument, ...]
    buildings: tuple[Colour, ...]
    wonder: bool


@dataclass(frozen=True, slots=True)
class LeaderTargets:
    leader: Colour
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class TileTargets:
    colour: Colour
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class ConflictTotals:
    """With what is committed so far; `leading` wins if nothing more is."""

    kind: ConflictKind
    colour: Colour
    support: Colour
    attacker: Seat
    defender: Seat
    attacker_total: int
    defender_total: int
    leading: Seat


@dataclass(frozen=True, slots=True)
class View:
    """Targets are where the viewer's own pieces could go by the rules, whoever's turn it is."""

    seat: Seat | None
    options: Options
    active: Seat
    turn: int
    busy_turn: int
    agenda: tuple[Phase, ...]
    asked: int
    board: BoardView
    players: tuple[PlayerView, ...]
    kingdoms: tuple[Kingdom, ...]
    leader_targets: tuple[LeaderTargets, ...]
    tile_targets: tuple[TileTargets, ...]
    catastrophe_targets: tuple[Space, ...]
    conflict: ConflictTotals | None
    bag: int | Hidden  # shown where information is open, and to be worked out from `unseen` anyway (TE-80)
    draw_failed: bool
    unseen: tuple[int, ...]  # by colour: bag, other hands, and what others swapped
    ended: EndReason | None
