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
    """The second half of an action is asked, unless there is only one space, or one tile to swap."""
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
    """TE-40: in a kingdom that has the colour already it causes a revolt; TE-13: it never scores."""
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
    """TE-13: an action of its own."""
    seat = story.state.active
    space = only_space(story.state.board.leaders[seat][leader])
    story.tell(LeaderWithdrawn(seat, leader, space))
    collect(story)


def place_tile(story: GameStory, colour: Colour, space: Space) -> None:
    """TE-21: a point, or none if two kingdoms are joined; then wars, builds and treasures."""
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
    """TE-21: to the leader of the tile's colour, else to the king; TE-53: two where the building is.

    TE-22: a leader that the tile touches makes it part of its kingdom like any tile would.
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
    """TE-30: the tile below leaves the game; no points, no conflict."""
    story.tell(CatastrophePlayed(story.state.active, space, tile_at(story.state.board, space)))
    send_home_without_temple(story)
    collect(story)


def tile_at(board: Board, space: Space) -> Colour | None:
    return next((colour for colour in COLOURS if board.tiles[colour] & bit(space)), None)


def discard(story: GameStory, tiles: tuple[Colour, ...]) -> None:
    if swap(story, tiles):
        collect(story)
