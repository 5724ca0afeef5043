"""The whole truth of a game of Tigris & Euphrates. Rows by colour or by seat are in that order."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .agenda import ConflictKind, Phase
from .events import EndReason, StandingLeader
from .material import TILES, Colour, Monument
from .options import Options
from .spaces import NOWHERE, STRIDE, Mask, Space, bit

Counts = tuple[int, ...]
"""How many of each colour."""

NOTHING: Counts = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BuiltMonument:
    """Stands on the four spaces south and east of its corner."""

    monument: Monument
    corner: Space


@dataclass(frozen=True, slots=True)
class Board:
    tiles: tuple[Mask, ...] = (NOWHERE,) * 4  # face up, by colour
    face_down: Mask = NOWHERE
    leaders: tuple[tuple[Mask, ...], ...] = ()  # by seat and colour; NOWHERE is off the board
    catastrophes: Mask = NOWHERE
    treasures: Mask = NOWHERE
    buildings: tuple[Mask, ...] = (NOWHERE,) * 4  # by colour; NOWHERE is the supply
    monuments: tuple[BuiltMonument, ...] = ()
    wonder: Mask = NOWHERE
    covered: Mask = NOWHERE  # the tile under the unification marker


@dataclass(frozen=True, slots=True)
class State:
    options: Options = Options()  # noqa: RUF009  it is frozen
    board: Board = Board()
    hands: tuple[Counts, ...] = ()
    points: tuple[Counts, ...] = ()
    treasures: Counts = ()  # won, by seat
    catastrophes: Counts = ()  # left, by seat
    bag: Counts = TILES  # counts: no order exists before a draw, so none can leak
    removed: Counts = NOTHING  # out of the game or face down, seen by all
    swapped: tuple[Counts, ...] = ()  # out of the game, seen by their owner alone
    active: Seat = Seat(0)  # noqa: RUF009  a number
    turn: int = 0
    busy_turn: int = 0  # the last one in which a tile or a catastrophe was used
    draw_failed: bool = False
    agenda: tuple[Phase, ...] = ()
    asked: int = 0  # how often the agenda changed; names the question on its top
    ended: EndReason | None = None


def square(corner: Space) -> Mask:
    """The corner and the three spaces south and east of it."""
    return Mask(bit(corner) * (0b11 | 0b11 << STRIDE))


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
