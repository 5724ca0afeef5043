"""The spaces on which tiles, leaders and catastrophes may be placed."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Seat

from .kingdoms import beside_kingdoms, ground, leader_spaces
from .material import COLOURS, Colour
from .model import State
from .spaces import EVERYWHERE, LAND, RIVER, Mask, neighbours


def empty_spaces(state: State) -> Mask:
    return Mask(EVERYWHERE & ~(ground(state.board).connected | state.board.catastrophes))


def tile_spaces(state: State, colour: Colour) -> Mask:
    """TE-20: returns the empty spaces next to at most two kingdoms, on the river for farms, else on land."""
    now = ground(state.board)
    soil = (RIVER if colour is Colour.BLUE else LAND)[state.options.board]
    _, _, crowded = beside_kingdoms(*now)
    return Mask(soil & ~(now.connected | state.board.catastrophes | crowded))


def leader_targets(state: State, seat: Seat, leader: Colour) -> Mask:
    """TE-10: returns the empty land spaces next to a temple on which the leader joins no two kingdoms.

    TE-11: a leader that is on the board is treated as removed.
    """
    board, now = state.board, ground(state.board)
    present = board.leaders[seat][leader]
    _, joining, _ = beside_kingdoms(*(now.without(present) if present else now))
    beside_temples = neighbours(board.tiles[Colour.RED])
    return Mask(beside_temples & LAND[state.options.board] & ~(now.connected | board.catastrophes | joining))


def leaders_that_can_go(state: State, seat: Seat) -> Sequence[Colour]:
    """Returns the leaders that can be placed.

    A space beside a temple and beside no kingdom is allowed for every leader, so the costly check of each
    leader is made only if there is none.
    """
    board = state.board
    now = ground(board)
    ruled, _, _ = beside_kingdoms(*now)
    free = LAND[state.options.board] & ~(now.connected | board.catastrophes | ruled)
    if neighbours(board.tiles[Colour.RED]) & free:
        return COLOURS
    return [leader for leader in COLOURS if leader_targets(state, seat, leader)]


def catastrophe_spaces(state: State) -> Mask:
    """TE-30: returns the empty spaces, and face-up tiles without a leader, treasure or building."""
    board = state.board
    buildings = board.buildings[0] | board.buildings[1] | board.buildings[2] | board.buildings[3]
    kept = board.face_down | board.wonder | board.treasures | board.catastrophes | buildings
    return Mask(EVERYWHERE & ~(kept | leader_spaces(board)))
