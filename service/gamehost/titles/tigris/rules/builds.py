"""Building with the tile that was just placed: a building, then a monument or the wonder."""

from __future__ import annotations

from .actions import BuildMonument, BuildWonder
from .events import (
    BuildDeclined,
    BuildingOffered,
    BuildingRaised,
    BuildingReturned,
    MonumentBuilt,
    MonumentOffered,
    WonderBuilt,
)
from .evolve import GameStory
from .material import COLOURS, LINE, MONUMENT_COLOURS, Colour, Monument
from .model import Board, State, square
from .phases import OfferingBuilding
from .spaces import NOWHERE, STRIDE, Mask, Space, bit, line, neighbours, only_space, spaces_in
from .temples import send_home_without_temple
from .treasures import collect


def colour_at(board: Board, space: Space) -> Colour:
    """Returns the colour of the face-up tile on a space."""
    return next(colour for colour in COLOURS if board.tiles[colour] & bit(space))


def lines_through(board: Board, colour: Colour, where: Mask) -> tuple[Mask, Mask]:
    return line(where, board.tiles[colour], 1), line(where, board.tiles[colour], STRIDE)


def building_spaces(state: State, placed: Space) -> Mask:
    """TE-53: returns the spaces of lines through the tile that have three or more tiles.

    If the building stands already, a line must be longer than both lines through its present space.
    """
    if not state.options.civilization_buildings:
        return NOWHERE
    board, colour = state.board, colour_at(state.board, placed)
    needed = LINE
    if present := board.buildings[colour]:
        needed = max(LINE, *(1 + row.bit_count() for row in lines_through(board, colour, present)))
    spaces = 0
    for row in lines_through(board, colour, bit(placed)):
        if row.bit_count() >= needed:
            spaces |= row
    return Mask(spaces)


def square_corners(board: Board, colour: Colour, placed: Space) -> Mask:
    """TE-51: returns the north-west corners of the squares of face-up tiles that include the placed tile."""
    tiles, here = board.tiles[colour], bit(placed)
    corners = tiles & tiles >> 1 & tiles >> STRIDE & tiles >> STRIDE + 1
    return Mask(corners & (here | here >> 1 | here >> STRIDE | here >> STRIDE + 1))


def unused_monuments(board: Board) -> list[Monument]:
    used = {built.monument for built in board.monuments}
    return [monument for monument in Monument if monument not in used]


def cross_centers(state: State, colour: Colour, placed: Space) -> Mask:
    """TE-54: returns the centres of crosses that include the placed tile; none if the wonder is built."""
    if not state.options.wonder or state.board.wonder:
        return NOWHERE
    tiles, here = state.board.tiles[colour], bit(placed)
    centers = tiles & tiles << 1 & tiles >> 1 & tiles << STRIDE & tiles >> STRIDE
    return Mask(centers & (here | neighbours(here)))


def monument_offers(state: State, placed: Space) -> list[BuildMonument | BuildWonder]:
    """Returns the builds that the placed tile allows: unused monuments of its colour, and the wonder.

    TE-50, TE-51.
    """
    colour = colour_at(state.board, placed)
    offers: list[BuildMonument | BuildWonder] = []
    if corners := square_corners(state.board, colour, placed):
        shown = [kind for kind in unused_monuments(state.board) if colour in MONUMENT_COLOURS[kind]]
        offers += [BuildMonument(monument, corner) for corner in spaces_in(corners) for monument in shown]
    return offers + [BuildWonder(center) for center in spaces_in(cross_centers(state, colour, placed))]


def offer_building(story: GameStory, placed: Space) -> None:
    """TE-50: offers a building; if none is possible, a monument."""
    if building_spaces(story.state, placed):
        story.tell(BuildingOffered(story.state.active, placed))
    else:
        offer_monument(story, placed)


def offer_monument(story: GameStory, placed: Space) -> None:
    if monument_offers(story.state, placed):
        story.tell(MonumentOffered(story.state.active, placed))
    else:
        collect(story)


def raise_building(story: GameStory, space: Space, placed: Space) -> None:
    board = story.state.board
    colour = colour_at(board, space)
    present = board.buildings[colour]
    origin = only_space(present) if present else None
    story.tell(BuildingRaised(story.state.active, colour, space, origin))
    offer_monument(story, placed)


def decline(story: GameStory, offer: object, placed: Space) -> None:
    """TE-50: declines the offer. After a declined building, a monument is still offered."""
    story.tell(BuildDeclined(story.state.active))
    if isinstance(offer, OfferingBuilding):
        offer_monument(story, placed)
    else:
        collect(story)


def build_monument(story: GameStory, monument: Monument, corner: Space) -> None:
    colour = colour_at(story.state.board, corner)
    story.tell(MonumentBuilt(story.state.active, monument, corner, colour))
    settle_build(story, colour, square(corner))


def build_wonder(story: GameStory, center: Space) -> None:
    colour = colour_at(story.state.board, center)
    story.tell(WonderBuilt(story.state.active, center, colour))
    settle_build(story, colour, Mask(bit(center) | neighbours(bit(center))))


def settle_build(story: GameStory, colour: Colour, changed: Mask) -> None:
    """TE-53: returns the building of a flipped or replaced tile to the supply, and ends the build."""
    if standing := story.state.board.buildings[colour] & changed:
        story.tell(BuildingReturned(colour, only_space(standing)))
    send_home_without_temple(story)
    collect(story)
