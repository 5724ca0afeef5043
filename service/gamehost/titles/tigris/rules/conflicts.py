"""Revolts and wars."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .builds import offer_building
from .events import (
    ConflictBegun,
    ConflictWon,
    HomeReason,
    LeaderSentHome,
    PointReason,
    PointsScored,
    SupportCommitted,
    UnificationEnded,
)
from .evolve import GameStory
from .kingdoms import ground, kingdom_of, leader_spaces, leaders_in
from .material import COLOURS, TILES, Colour
from .model import Board, State
from .phases import Conflict, ConflictKind, Unifying
from .spaces import Mask, linked, neighbours, only_space, spaces_in
from .treasures import collect
from .turn import clockwise


def begin_revolt(story: GameStory, leader: Colour, attacker: Seat, defender: Seat) -> None:
    """TE-40: begins a revolt, in which the strength of a leader is the number of temples beside it."""
    board = story.state.board
    strengths = [temples_beside(board, board.leaders[seat][leader]) for seat in (attacker, defender)]
    begin(story, Conflict(ConflictKind.REVOLT, leader, attacker, defender, *strengths))


def temples_beside(board: Board, where: Mask) -> int:
    return (neighbours(where) & board.tiles[Colour.RED]).bit_count()


def pending_wars(state: State) -> list[Colour]:
    """TE-41: returns the colours with two leaders in the joined kingdom, as it is connected now (TE-45)."""
    joined = kingdom_of(state.board, state.board.covered)
    return [colour for colour in COLOURS if len(leaders_in(state.board, joined, colour)) > 1]


def supporters(board: Board, seat: Seat, colour: Colour) -> Mask:
    """TE-43: returns the tiles of the colour that are connected to the leader without the covered tile."""
    side = linked(board.leaders[seat][colour], ground(board).connected & ~board.covered)
    return Mask(side & board.tiles[colour])


def next_war(story: GameStory) -> None:
    """TE-41: begins a single war, waits for a choice between several, ends the unification after the last."""
    unifying = story.state.agenda[-1]
    assert isinstance(unifying, Unifying)
    wars = pending_wars(story.state)
    if not wars:
        story.tell(UnificationEnded(unifying.space))
        offer_building(story, unifying.space)
    elif len(wars) == 1:
        begin_war(story, wars[0])


def begin_war(story: GameStory, colour: Colour) -> None:
    """TE-42: begins a war. The active player attacks if involved, else the first involved seat clockwise."""
    state = story.state
    involved = leaders_in(state.board, kingdom_of(state.board, state.board.covered), colour)
    attacker, defender = [seat for seat in clockwise(state) if seat in involved]
    strengths = [supporters(state.board, seat, colour).bit_count() for seat in (attacker, defender)]
    begin(story, Conflict(ConflictKind.WAR, colour, attacker, defender, *strengths))


def begin(story: GameStory, conflict: Conflict) -> None:
    story.tell(ConflictBegun(conflict))
    commit_if_forced(story)


def commitments(state: State, conflict: Conflict, held: int) -> list[int]:
    """TE-49: returns the numbers of tiles that a seat with `held` tiles of the colour may commit."""
    numbers = range(held + 1)
    if not state.options.english_variant:
        return list(numbers)
    return [tiles for tiles in numbers if tiles == 0 or decides(conflict, tiles)]


def decides(conflict: Conflict, tiles: int) -> bool:
    """TE-48: whether the tiles put the attacker ahead, or give the defender exactly a tie."""
    if conflict.attacker_committed is None:
        return conflict.attacker_strength + tiles > conflict.defender_strength
    return conflict.defender_strength + tiles == conflict.attacker_total


def most_held(state: State, seat: Seat, colour: Colour) -> int:
    """Returns the most tiles of the colour that the seat can hold, as far as is publicly known.

    The limits are the size of the hand and the tiles that are neither on the board nor removed.
    """
    unseen = TILES[colour] - state.removed[colour] - state.board.tiles[colour].bit_count()
    return min(sum(state.hands[seat]), unseen)


def commit_if_forced(story: GameStory) -> None:
    """Commits no tiles if public information leaves no other answer.

    The hand itself is not used: skipping the question would reveal that it lacks the colour.
    """
    conflict = story.state.agenda[-1]
    assert isinstance(conflict, Conflict)
    most = most_held(story.state, conflict.asked, conflict.support)
    if commitments(story.state, conflict, most) == [0]:
        commit(story, 0)


def commit(story: GameStory, tiles: int) -> None:
    """TE-40, TE-43: commits tiles; the defender follows the attacker, then the conflict is resolved."""
    conflict = story.state.agenda[-1]
    assert isinstance(conflict, Conflict)
    story.tell(SupportCommitted(conflict.asked, conflict.support, tiles))
    if conflict.attacker_committed is None:
        commit_if_forced(story)
    else:
        resolve(story)


def resolve(story: GameStory) -> None:
    """TE-40, TE-43: decides the conflict. The higher total wins; the defender wins a tie."""
    conflict = story.state.agenda[-1]
    assert isinstance(conflict, Conflict)
    sides = [(conflict.attacker, conflict.attacker_total), (conflict.defender, conflict.defender_total)]
    if conflict.attacker_total <= conflict.defender_total:
        sides.reverse()
    (winner, more), (loser, less) = sides
    if conflict.kind is ConflictKind.REVOLT:
        story.tell(ConflictWon(conflict.kind, conflict.colour, winner, loser, more, less, ()))
        settle_revolt(story, conflict.colour, winner, loser)
    else:
        lost = lost_supporters(story.state.board, loser, conflict.colour)
        story.tell(ConflictWon(conflict.kind, conflict.colour, winner, loser, more, less, spaces_in(lost)))
        settle_war(story, conflict.colour, winner, loser, lost.bit_count())


def settle_revolt(story: GameStory, leader: Colour, winner: Seat, loser: Seat) -> None:
    """TE-40: removes the loser's leader and gives the winner one red point."""
    send_home(story, loser, leader, HomeReason.LOST_REVOLT)
    story.tell(PointsScored(winner, Colour.RED, 1, PointReason.REVOLT))
    collect(story)


def settle_war(story: GameStory, colour: Colour, winner: Seat, loser: Seat, lost: int) -> None:
    """TE-44: removes the loser's leader; the winner scores it and each removed tile."""
    send_home(story, loser, colour, HomeReason.LOST_WAR)
    story.tell(PointsScored(winner, colour, 1 + lost, PointReason.WAR))
    next_war(story)


def send_home(story: GameStory, seat: Seat, leader: Colour, reason: HomeReason) -> None:
    where = only_space(story.state.board.leaders[seat][leader])
    story.tell(LeaderSentHome(seat, leader, where, reason))


def lost_supporters(board: Board, loser: Seat, colour: Colour) -> Mask:
    """TE-44: returns the loser's tiles that are removed. A tile under a building stays (TE-47)."""
    lost = supporters(board, loser, colour) & ~board.buildings[colour]
    if colour is Colour.RED:
        other_leaders = leader_spaces(board) & ~board.leaders[loser][colour]
        # TE-46: temples with a treasure, or beside another leader, stay.
        lost &= ~(board.treasures | neighbours(other_leaders))
    return Mask(lost)
