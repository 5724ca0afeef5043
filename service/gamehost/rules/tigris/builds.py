"""Builds through the tile just placed: a building, then a monument or the wonder."""

from __future__ import annotations

from .actions import BuildMonument, BuildWonder
from .agenda import OfferingBuilding
from .course import Course
from .events import (
    BuildDeclined,
    BuildingOffered,
    BuildingRaised,
    BuildingReturned,
    MonumentBuilt,
    MonumentOffered,
    WonderBuilt,
)
from .material import COLORS, LINE, MONUMENT_COLORS, Color, Monument
from .model import Board, State, square
from .spaces import NOWHERE, STRIDE, Mask, Space, bit, line, neighbours, only_space, spaces_in
from .temples import send_home_without_temple
from .treasures import collect


def color_at(board: Board, space: Space) -> Color:
    """Of the face-up tile on this space."""
    return next(color for color in COLORS if board.tiles[color] & bit(space))


def lines_through(board: Board, color: Color, where: Mask) -> tuple[Mask, Mask]:
    return line(where, board.tiles[color], 1), line(where, board.tiles[color], STRIDE)


def building_spaces(state: State, placed: Space) -> Mask:
    """TE-53: a line of three or more, and longer than both lines of the building where it stands now."""
    if not state.options.civilization_buildings:
        return NOWHERE
    board, color = state.board, color_at(state.board, placed)
    needed = LINE
    if present := board.buildings[color]:
        needed = max(LINE, *(1 + row.bit_count() for row in lines_through(board, color, present)))
    spaces = 0
    for row in lines_through(board, color, bit(placed)):
        if row.bit_count() >= needed:
            spaces |= row
    return Mask(spaces)


def square_corners(board: Board, color: Color, placed: Space) -> Mask:
    """TE-51: north-west corners of the squares of face-up tiles that the placed tile is part of."""
    tiles, here = board.tiles[color], bit(placed)
    corners = tiles & tiles >> 1 & tiles >> STRIDE & tiles >> STRIDE + 1
    return Mask(corners & (here | here >> 1 | here >> STRIDE | here >> STRIDE + 1))


def unused_monuments(board: Board) -> list[Monument]:
    used = {built.monument for built in board.monuments}
    return [monument for monument in Monument if monument not in used]


def cross_centers(state: State, color: Color, placed: Space) -> Mask:
    """TE-54: centres of the crosses that the placed tile is part of; one wonder per game."""
    if not state.options.wonder or state.board.wonder:
        return NOWHERE
    tiles, here = state.board.tiles[color], bit(placed)
    centers = tiles & tiles << 1 & tiles >> 1 & tiles << STRIDE & tiles >> STRIDE
    return Mask(centers & (here | neighbours(here)))


def monument_offers(state: State, placed: Space) -> list[BuildMonument | BuildWonder]:
    """TE-50: a monument or the wonder; TE-51: any unused monument that shows the colour, on any square."""
    color = color_at(state.board, placed)
    offers: list[BuildMonument | BuildWonder] = []
    if corners := square_corners(state.board, color, placed):
        shown = [kind for kind in unused_monuments(state.board) if color in MONUMENT_COLORS[kind]]
        offers += [BuildMonument(monument, corner) for corner in spaces_in(corners) for monument in shown]
    return offers + [BuildWonder(center) for center in spaces_in(cross_centers(state, color, placed))]


def offer_building(story: Course, placed: Space) -> None:
    """TE-50: the building comes first."""
    if building_spaces(story.state, placed):
        story.tell(BuildingOffered(story.state.active, placed))
    else:
        offer_monument(story, placed)


def offer_monument(story: Course, placed: Space) -> None:
    if monument_offers(story.state, placed):
        story.tell(MonumentOffered(story.state.active, placed))
    else:
        collect(story)


def raise_building(story: Course, space: Space, placed: Space) -> None:
    board = story.state.board
    color = color_at(board, space)
    present = board.buildings[color]
    origin = only_space(present) if present else None
    story.tell(BuildingRaised(story.state.active, color, space, origin))
    offer_monument(story, placed)


def decline(story: Course, offer: object, placed: Space) -> None:
    """TE-50: declining the building does not cancel the monument."""
    story.tell(BuildDeclined(story.state.active))
    if isinstance(offer, OfferingBuilding):
        offer_monument(story, placed)
    else:
        collect(story)


def build_monument(story: Course, monument: Monument, corner: Space) -> None:
    color = color_at(story.state.board, corner)
    story.tell(MonumentBuilt(story.state.active, monument, corner, color))
    settle_build(story, color, square(corner))


def build_wonder(story: Course, center: Space) -> None:
    color = color_at(story.state.board, center)
    story.tell(WonderBuilt(story.state.active, center, color))
    settle_build(story, color, Mask(bit(center) | neighbours(bit(center))))


def settle_build(story: Course, color: Color, changed: Mask) -> None:
    """TE-53: a building whose tile was flipped or replaced returns to the supply."""
    if standing := story.state.board.buildings[color] & changed:
        story.tell(BuildingReturned(color, only_space(standing)))
    send_home_without_temple(story)
    collect(story)
