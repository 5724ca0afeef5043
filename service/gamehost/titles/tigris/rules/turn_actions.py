"""The actions of a turn: leaders, tiles, catastrophes, swaps."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .builds import offer_building
from .conflicts import begin_revolt, next_war
from .events import (
    ActionChosen,
    CatastrophePlayed,
    JoinedKingdom,
    KingdomsJoined,
    LeaderPlaced,
    LeaderWithdrawn,
    PointReason,
    PointsScored,
    TilePlaced,
)
from .evolve import GameStory
from .kingdoms import kingdom_of, kingdoms, leader_in, leaders_in, leaders_standing
from .material import COLOURS, Colour
from .model import Board, State
from .phases import PlacingCatastrophe, PlacingLeader, PlacingTile, Step, Swapping
from .placement import catastrophe_spaces, leader_targets, tile_spaces
from .spaces import Mask, Space, bit, neighbours, only_space, spaces_in
from .temples import send_home_without_temple
from .treasures import collect
from .turn import listed, swap


def spaces_for(state: State, seat: Seat, step: PlacingTile | PlacingLeader | PlacingCatastrophe) -> Mask:
    match step:
        case PlacingTile(colour):
            return tile_spaces(state, colour)
        case PlacingLeader(leader):
            return leader_targets(state, seat, leader)
        case PlacingCatastrophe():
            return catastrophe_spaces(state)


def choose(story: GameStory, step: Step) -> None:
    """Asks for the space or the tiles of an action, or carries it out if there is only one choice."""
    state = story.state
    story.tell(ActionChosen(state.active, step))
    if not isinstance(step, Swapping):
        spaces = spaces_for(state, state.active, step)
        if spaces.bit_count() == 1:
            put_down(story, step, only_space(spaces))
    elif sum(hand := state.hands[state.active]) == 1:
        discard(story, listed(hand))


def put_down(story: GameStory, step: object, space: Space) -> None:
    match step:
        case PlacingTile(colour):
            place_tile(story, colour, space)
        case PlacingLeader(leader):
            place_leader(story, leader, space)
        case PlacingCatastrophe():
            play_catastrophe(story, space)


def place_leader(story: GameStory, leader: Colour, space: Space) -> None:
    """TE-40: places or moves a leader; a leader of the same colour in the kingdom causes a revolt."""
    seat, board = story.state.active, story.state.board
    present = board.leaders[seat][leader]
    story.tell(LeaderPlaced(seat, leader, space, only_space(present) if present else None))
    board = story.state.board
    rivals = [other for other in leaders_in(board, kingdom_of(board, bit(space)), leader) if other != seat]
    if rivals:
        begin_revolt(story, leader, attacker=seat, defender=rivals[0])
    else:
        collect(story)


def withdraw_leader(story: GameStory, leader: Colour) -> None:
    """TE-13: removes a leader of the active seat from the board."""
    seat = story.state.active
    space = only_space(story.state.board.leaders[seat][leader])
    story.tell(LeaderWithdrawn(seat, leader, space))
    collect(story)


def place_tile(story: GameStory, colour: Colour, space: Space) -> None:
    """TE-21: places a tile. If it joins kingdoms, wars follow; otherwise it scores and may allow a build."""
    around, board = neighbours(bit(space)), story.state.board
    touched = [kingdom for kingdom in kingdoms(board) if kingdom & around]
    story.tell(TilePlaced(story.state.active, colour, space))
    if len(touched) > 1:
        story.tell(KingdomsJoined(space, tuple(joined_kingdom(board, kingdom) for kingdom in touched)))
        next_war(story)
    else:
        score_tile(story, colour, space)
        offer_building(story, space)


def joined_kingdom(board: Board, kingdom: Mask) -> JoinedKingdom:
    return JoinedKingdom(spaces_in(kingdom), leaders_standing(board, kingdom))


def score_tile(story: GameStory, colour: Colour, space: Space) -> None:
    """TE-21: scores a point for the leader of the tile's colour, else for the king of the kingdom.

    TE-53: two points if the kingdom has the building of the colour. TE-22: a leader beside the tile
    connects it with the kingdom, as a tile does.
    """
    board = story.state.board
    kingdom = kingdom_of(board, bit(space))
    owner = leader_in(board, kingdom, colour)
    if owner is None:
        owner = leader_in(board, kingdom, Colour.BLACK)
    if owner is not None:
        points = 2 if board.buildings[colour] & kingdom else 1
        story.tell(PointsScored(owner, colour, points, PointReason.TILE))


def play_catastrophe(story: GameStory, space: Space) -> None:
    """TE-30: plays a catastrophe and removes the tile under it; nobody scores and no conflict begins."""
    story.tell(CatastrophePlayed(story.state.active, space, tile_at(story.state.board, space)))
    send_home_without_temple(story)
    collect(story)


def tile_at(board: Board, space: Space) -> Colour | None:
    return next((colour for colour in COLOURS if board.tiles[colour] & bit(space)), None)


def discard(story: GameStory, tiles: tuple[Colour, ...]) -> None:
    if swap(story, tiles):
        collect(story)
