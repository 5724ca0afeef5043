"""The whole truth of a game of Tigris & Euphrates. Rows by colour or by seat are in that order."""

from __future__ import annotations

from dataclasses import dataclass

from ..kit import Seat
from .agenda import Phase
from .events import EndReason
from .material import TILES, Monument
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
