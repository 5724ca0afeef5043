"""Kingdoms: connected groups of tiles and leaders."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gamehost.rules.kit import Seat

from .events import StandingLeader
from .material import COLOURS, MONUMENT_COLOURS, Colour
from .model import Board, square
from .spaces import NOWHERE, Mask, linked, neighbours, only_space

REMEMBERED = 4096


def leader_spaces(board: Board) -> Mask:
    mask = 0
    for priest, farmer, trader, king in board.leaders:
        mask |= priest | farmer | trader | king
    return Mask(mask)


@lru_cache(REMEMBERED)
def groups_with_leaders(connected: Mask, leaders: Mask) -> tuple[Mask, ...]:
    """TE-2: returns the kingdoms, that is, the connected groups with at least one leader."""
    found = []
    rest: int = leaders
    while rest:
        kingdom = linked(rest & -rest, connected)
        found.append(kingdom)
        rest &= ~kingdom
    return tuple(found)


@lru_cache(REMEMBERED)
def beside_kingdoms(connected: Mask, leaders: Mask) -> tuple[Mask, Mask, Mask]:
    """Returns the spaces next to one or more kingdoms, to two or more, and to three or more."""
    one = two = three = 0
    for kingdom in groups_with_leaders(connected, leaders):
        around = neighbours(kingdom)
        three |= two & around
        two |= one & around
        one |= around
    return Mask(one), Mask(two), Mask(three)


class Ground(NamedTuple):
    """The spaces that connect, and the spaces of leaders. Kingdoms are computed from these."""

    connected: Mask
    leaders: Mask

    def without(self, leader: Mask) -> Ground:
        return Ground(Mask(self.connected & ~leader), Mask(self.leaders & ~leader))


def survey(board: Board) -> Ground:
    """TE-2: returns the ground of a board. Tiles, leaders, monuments and the wonder connect."""
    red, blue, green, black = board.tiles
    leaders = leader_spaces(board)
    return Ground(Mask(red | blue | green | black | board.face_down | board.wonder | leaders), leaders)


latest = (Board(), Ground(NOWHERE, NOWHERE))
"""The last board with its ground. Several rules in a row use the same board, so one entry is enough."""


def ground(board: Board) -> Ground:
    global latest
    known, found = latest
    if known is not board:
        found = survey(board)
        latest = (board, found)
    return found


def kingdoms(board: Board) -> tuple[Mask, ...]:
    return groups_with_leaders(*ground(board))


def kingdom_of(board: Board, where: Mask) -> Mask:
    """Returns the kingdom of a space, or the connected group around it if it has no leader."""
    connected, leaders = ground(board)
    for kingdom in groups_with_leaders(connected, leaders):
        if kingdom & where:
            return kingdom
    return linked(where, connected)


def leader_in(board: Board, group: Mask, leader: Colour) -> Seat | None:
    """Returns the first seat with a leader of this colour in the group, or None."""
    for seat, standing in enumerate(board.leaders):
        if standing[leader] & group:
            return Seat(seat)
    return None


def leaders_in(board: Board, group: Mask, leader: Colour) -> list[Seat]:
    return [Seat(seat) for seat, standing in enumerate(board.leaders) if standing[leader] & group]


def leaders_standing(board: Board, group: Mask) -> tuple[StandingLeader, ...]:
    """Returns the leaders in the group, by seat and colour."""
    return tuple(
        StandingLeader(only_space(where), Seat(seat), colour)
        for seat, standing in enumerate(board.leaders)
        for colour, where in zip(COLOURS, standing, strict=True)
        if where & group
    )


def monuments_showing(board: Board, group: Mask, colour: Colour) -> int:
    return sum(
        colour in MONUMENT_COLOURS[built.monument] and square(built.corner) & group != 0
        for built in board.monuments
    )
