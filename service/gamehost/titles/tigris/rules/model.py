"""The state of a game of Tigris & Euphrates, and the view of a seat.

Lists with one entry per colour or seat are in the order of colours or seats.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .events import EndReason, StandingLeader
from .material import TILES, Colour, Monument
from .options import Options
from .phases import ConflictKind, Phase
from .spaces import NOWHERE, STRIDE, Mask, Space, bit

Counts = tuple[int, ...]
"""A number for each colour, in the order of Colour."""

NOTHING: Counts = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class BuiltMonument:
    """A monument on the board."""

    monument: Monument
    corner: Space
    """The north-west one of its four spaces."""


@dataclass(frozen=True, slots=True)
class Board:
    """The position of all pieces on the board."""

    tiles: tuple[Mask, ...] = (NOWHERE,) * 4
    """The spaces of the face-up tiles, by colour."""
    face_down: Mask = NOWHERE
    """The spaces of the tiles under monuments."""
    leaders: tuple[tuple[Mask, ...], ...] = ()  # by seat and colour; NOWHERE is off the board
    """The leaders of each seat."""
    catastrophes: Mask = NOWHERE
    """The spaces of the catastrophes."""
    treasures: Mask = NOWHERE
    """The spaces of the treasures."""
    buildings: tuple[Mask, ...] = (NOWHERE,) * 4  # by colour; NOWHERE is the supply
    """The space of each building, by colour. Empty for a building in the supply."""
    monuments: tuple[BuiltMonument, ...] = ()
    wonder: Mask = NOWHERE
    """The five spaces of the wonder. Empty until it is built."""
    covered: Mask = NOWHERE
    """The space of the tile under the unification marker. Empty if there is none."""


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game, including hidden information. Stored in snapshots."""

    options: Options = Options()  # noqa: RUF009  it is frozen
    board: Board = Board()
    hands: tuple[Counts, ...] = ()
    """The hand of each seat."""
    points: tuple[Counts, ...] = ()
    """The points of each seat."""
    treasures: Counts = ()
    """The number of treasures that each seat has won."""
    catastrophes: Counts = ()
    """The number of catastrophes that each seat has left."""
    bag: Counts = TILES  # counts: no order exists before a draw, so none can leak
    """The number of tiles in the bag, by colour. The bag has no order: a random tile is chosen when one is
    drawn.
    """
    removed: Counts = NOTHING
    """The number of tiles that are out of the game or face down and that everyone has seen, by colour."""
    swapped: tuple[Counts, ...] = ()
    """The tiles that each seat has discarded in swaps. Only that seat has seen them."""
    active: Seat = Seat(0)  # noqa: RUF009  a number
    """The seat whose turn it is."""
    turn: int = 0
    """The number of the turn, from 1."""
    busy_turn: int = 0
    """The last turn in which a tile or a catastrophe was used."""
    draw_failed: bool = False
    """True if the bag had too few tiles for a draw."""
    agenda: tuple[Phase, ...] = ()
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    asked: int = 0
    """The number of changes of the agenda so far. It makes decision ids unique."""
    ended: EndReason | None = None
    """Absent until the game is over."""


def square(corner: Space) -> Mask:
    """Returns the corner and the three spaces south and east of it."""
    return Mask(bit(corner) * (0b11 | 0b11 << STRIDE))


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A face-up tile on the board."""

    space: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class StandingBuilding:
    """A building on the board."""

    space: Space
    colour: Colour


@dataclass(frozen=True, slots=True)
class BoardView:
    """The position of all pieces on the board, which is public."""

    river: tuple[Space, ...]
    """The river spaces."""
    special: tuple[Space, ...]
    """The spaces with a border, whose treasures must be taken first."""
    tiles: tuple[PlacedTile, ...]
    """The face-up tiles."""
    face_down: tuple[Space, ...]
    """The spaces of the tiles under monuments."""
    leaders: tuple[StandingLeader, ...]
    catastrophes: tuple[Space, ...]
    treasures: tuple[Space, ...]
    buildings: tuple[StandingBuilding, ...]
    monuments: tuple[BuiltMonument, ...]
    unused_monuments: tuple[Monument, ...]
    """The monuments that were not built yet."""
    wonder: Space | None
    """The space in the middle of the wonder. Absent until it is built."""
    covered: Space | None
    """The space of the tile under the unification marker. Absent if there is none."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One seat as the viewer sees it."""

    hand: tuple[Colour, ...] | Hidden
    """The tiles of the hand. Empty unless this is the viewer's seat."""
    points: tuple[int, ...] | Hidden
    """By colour. Empty if hidden."""
    treasures: int | Hidden
    """The number of treasures won. Absent if hidden."""
    catastrophes: int
    """The number of catastrophes left."""
    swapped: tuple[Colour, ...] | Hidden
    """The tiles that the seat discarded in swaps. Empty unless this is the viewer's seat."""


@dataclass(frozen=True, slots=True)
class KingdomLeader:
    """A leader with its strengths."""

    seat: Seat
    leader: Colour
    space: Space
    supporters: int
    """The number of connected tiles of its colour, which is its strength in a war."""
    temples: int
    """The number of temples next to it, which is its strength in a revolt."""


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A connected group of tiles and leaders with at least one leader."""

    spaces: tuple[Space, ...]
    leaders: tuple[KingdomLeader, ...]
    treasures: tuple[Space, ...]
    monuments: tuple[Monument, ...]
    buildings: tuple[Colour, ...]
    wonder: bool
    """True if the wonder is in the kingdom."""


@dataclass(frozen=True, slots=True)
class LeaderTargets:
    """The spaces on which one leader could be placed."""

    leader: Colour
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class TileTargets:
    """The spaces on which a tile of one colour could be placed."""

    colour: Colour
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class ConflictTotals:
    """A conflict with the tiles that are committed so far."""

    kind: ConflictKind
    colour: Colour
    """The colour of the leaders."""
    support: Colour
    """The colour of the tiles that can be committed."""
    attacker: Seat
    """The seat of the attacking leader."""
    defender: Seat
    """The seat of the defending leader."""
    attacker_total: int
    """Its strength with committed tiles."""
    defender_total: int
    """Its strength with committed tiles."""
    leading: Seat
    """The seat that wins if no more tiles are committed."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    """The seat of the viewer. Absent for a spectator."""
    options: Options
    active: Seat
    """The seat whose turn it is."""
    turn: int
    """The number of the turn, from 1."""
    busy_turn: int
    """The last turn in which a tile or a catastrophe was used."""
    agenda: tuple[Phase, ...]
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    asked: int
    """The number of changes of the agenda so far."""
    board: BoardView
    players: tuple[PlayerView, ...]
    """The seats, in turn order."""
    kingdoms: tuple[Kingdom, ...]
    leader_targets: tuple[LeaderTargets, ...]
    """The spaces on which each of the viewer's leaders could be placed, also if it is not the viewer's turn.
    """
    tile_targets: tuple[TileTargets, ...]
    """The spaces on which each colour of tile in the viewer's hand could be placed, also if it is not the
    viewer's turn.
    """
    catastrophe_targets: tuple[Space, ...]
    """The spaces on which the viewer could play a catastrophe, also if it is not the viewer's turn."""
    conflict: ConflictTotals | None
    """The conflict to which tiles are being committed. Absent if there is none."""
    bag: int | Hidden
    """The number of tiles in the bag. Absent unless `open_information` is set. It is not secret (rule TE-80):
    it is the sum of `unseen` minus the tiles in other hands and the tiles that other seats swapped, and it
    also follows from the public events.
    """
    draw_failed: bool
    """True if the bag had too few tiles for a draw."""
    unseen: tuple[int, ...]
    """The number of tiles in the bag, in other hands and swapped by other seats, by colour. All other tiles
    were public, so every player can derive these numbers (rule TE-80). Where each of the tiles is stays
    hidden.
    """
    ended: EndReason | None
    """Absent until the game is over."""
