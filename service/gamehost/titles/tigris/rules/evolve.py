"""Applies events to the state. It contains no rules: those were applied before the event was made."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

from gamehost.rules.copying import replace
from gamehost.rules.kit import Seat, Story, put

from .events import (
    ActionChosen,
    BuildDeclined,
    BuildingOffered,
    BuildingRaised,
    BuildingReturned,
    CatastrophePlayed,
    ConflictBegun,
    ConflictWon,
    DrawFailed,
    Event,
    GameBegun,
    GameEnded,
    KingdomsJoined,
    LeaderPlaced,
    LeaderSentHome,
    LeaderWithdrawn,
    MonumentBuilt,
    MonumentOffered,
    PointsScored,
    SupportCommitted,
    TilePlaced,
    TilesDrawn,
    TilesSwapped,
    TreasureOffered,
    TreasureTaken,
    TurnBegun,
    TurnEnded,
    UnificationEnded,
    WonderBuilt,
    WonderOffered,
)
from .material import ACTIONS, CATASTROPHES, COLOURS, Colour
from .model import NOTHING, Board, BuiltMonument, Counts, State, square
from .phases import (
    Acting,
    ChoosingColour,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
    Phase,
    TakingTreasure,
    Unifying,
)
from .spaces import NOWHERE, START_TEMPLES, Mask, bit, mask_of, neighbours


def evolve(state: State, event: Event) -> State:
    return WRITERS[type(event)](state, event)


def pushed(state: State, phase: Phase) -> State:
    return replace(state, agenda=(*state.agenda, phase), asked=state.asked + 1)


def action_used(state: State) -> tuple[Phase, ...]:
    """Returns the agenda after an action of the turn: one action fewer, and no open step."""
    acting = state.agenda[0]
    assert isinstance(acting, Acting)
    return (Acting(acting.left - 1),)


def added(counts: Counts, colour: Colour, number: int) -> Counts:
    return put(counts, colour, counts[colour] + number)


def counted(tiles: object) -> Counts:
    if not isinstance(tiles, tuple):
        raise ValueError(f"a witnessed event cannot be applied to a state: {tiles}")
    return tuple([tiles.count(colour) for colour in COLOURS])


def plus(some: Counts, more: Counts) -> Counts:
    return tuple(map(add, some, more))


def minus(some: Counts, less: Counts) -> Counts:
    return tuple(map(sub, some, less))


def with_tiles(board: Board, colour: Colour, tiles: int) -> tuple[Mask, ...]:
    return put(board.tiles, colour, Mask(tiles))


def with_leader(board: Board, seat: Seat, leader: Colour, where: Mask) -> Board:
    return replace(board, leaders=put(board.leaders, seat, put(board.leaders[seat], leader, where)))


def begin_game(state: State, event: GameBegun) -> State:
    seats = event.seats
    temples = START_TEMPLES[event.options.board]
    return replace(
        state,
        options=event.options,
        board=Board(
            tiles=put((NOWHERE,) * 4, Colour.RED, temples),
            leaders=((NOWHERE,) * 4,) * seats,
            treasures=temples,
        ),
        hands=(NOTHING,) * seats,
        points=(NOTHING,) * seats,
        treasures=(0,) * seats,
        catastrophes=(CATASTROPHES,) * seats,
        bag=added(state.bag, Colour.RED, -temples.bit_count()),
        swapped=(NOTHING,) * seats,
        active=event.first,
    )


def draw_tiles(state: State, event: TilesDrawn) -> State:
    tiles = counted(event.tiles)
    hand = plus(state.hands[event.seat], tiles)
    return replace(state, bag=minus(state.bag, tiles), hands=put(state.hands, event.seat, hand))


def fail_draw(state: State, event: DrawFailed) -> State:
    return replace(state, draw_failed=True)


def begin_turn(state: State, event: TurnBegun) -> State:
    return replace(
        state, agenda=(Acting(ACTIONS),), asked=state.asked + 1, active=event.seat, turn=event.turn
    )


def choose_action(state: State, event: ActionChosen) -> State:
    return pushed(state, event.step)


def place_leader(state: State, event: LeaderPlaced) -> State:
    return replace(
        state,
        agenda=action_used(state),
        asked=state.asked + 1,
        board=with_leader(state.board, event.seat, event.leader, bit(event.space)),
    )


def withdraw_leader(state: State, event: LeaderWithdrawn) -> State:
    return replace(
        state,
        agenda=action_used(state),
        asked=state.asked + 1,
        board=with_leader(state.board, event.seat, event.leader, NOWHERE),
    )


def send_leader_home(state: State, event: LeaderSentHome) -> State:
    return replace(state, board=with_leader(state.board, event.seat, event.leader, NOWHERE))


def place_tile(state: State, event: TilePlaced) -> State:
    seat, colour = event.seat, event.colour
    tiles = with_tiles(state.board, colour, state.board.tiles[colour] | bit(event.space))
    hands = put(state.hands, seat, added(state.hands[seat], colour, -1))
    return replace(
        state,
        agenda=action_used(state),
        asked=state.asked + 1,
        board=replace(state.board, tiles=tiles),
        hands=hands,
        busy_turn=state.turn,
    )


def score_points(state: State, event: PointsScored) -> State:
    points = added(state.points[event.seat], event.colour, event.points)
    return replace(state, points=put(state.points, event.seat, points))


def play_catastrophe(state: State, event: CatastrophePlayed) -> State:
    board, where, removed = state.board, bit(event.space), state.removed
    tiles = board.tiles
    if event.destroyed is not None:
        tiles = with_tiles(board, event.destroyed, tiles[event.destroyed] & ~where)
        removed = added(removed, event.destroyed, 1)
    return replace(
        state,
        agenda=action_used(state),
        asked=state.asked + 1,
        board=replace(board, tiles=tiles, catastrophes=Mask(board.catastrophes | where)),
        catastrophes=put(state.catastrophes, event.seat, state.catastrophes[event.seat] - 1),
        removed=removed,
        busy_turn=state.turn,
    )


def swap_tiles(state: State, event: TilesSwapped) -> State:
    seat, tiles = event.seat, counted(event.tiles)
    hands = put(state.hands, seat, minus(state.hands[seat], tiles))
    swapped = put(state.swapped, seat, plus(state.swapped[seat], tiles))
    return replace(
        state,
        agenda=action_used(state),
        asked=state.asked + 1,
        hands=hands,
        swapped=swapped,
        busy_turn=state.turn,
    )


def join_kingdoms(state: State, event: KingdomsJoined) -> State:
    covered = replace(state.board, covered=bit(event.space))
    return replace(state, agenda=(*state.agenda, Unifying(event.space)), asked=state.asked + 1, board=covered)


def end_unification(state: State, event: UnificationEnded) -> State:
    return replace(
        state, agenda=state.agenda[:-1], asked=state.asked + 1, board=replace(state.board, covered=NOWHERE)
    )


def begin_conflict(state: State, event: ConflictBegun) -> State:
    return pushed(state, event.conflict)


def commit_support(state: State, event: SupportCommitted) -> State:
    conflict = state.agenda[-1]
    assert isinstance(conflict, Conflict)
    if conflict.attacker_committed is None:
        committed = replace(conflict, attacker_committed=event.tiles)
    else:
        committed = replace(conflict, defender_committed=event.tiles)
    return replace(
        state,
        agenda=(*state.agenda[:-1], committed),
        asked=state.asked + 1,
        hands=put(state.hands, event.seat, added(state.hands[event.seat], event.colour, -event.tiles)),
        removed=added(state.removed, event.colour, event.tiles),
        busy_turn=state.turn if event.tiles else state.busy_turn,
    )


def win_conflict(state: State, event: ConflictWon) -> State:
    tiles = with_tiles(state.board, event.colour, state.board.tiles[event.colour] & ~mask_of(event.removed))
    removed = added(state.removed, event.colour, len(event.removed))
    return replace(
        state,
        agenda=state.agenda[:-1],
        asked=state.asked + 1,
        board=replace(state.board, tiles=tiles),
        removed=removed,
    )


def offer_building(state: State, event: BuildingOffered) -> State:
    return pushed(state, OfferingBuilding(event.space))


def raise_building(state: State, event: BuildingRaised) -> State:
    buildings = put(state.board.buildings, event.colour, bit(event.space))
    return replace(
        state,
        agenda=state.agenda[:-1],
        asked=state.asked + 1,
        board=replace(state.board, buildings=buildings),
    )


def return_building(state: State, event: BuildingReturned) -> State:
    buildings = put(state.board.buildings, event.colour, NOWHERE)
    return replace(state, board=replace(state.board, buildings=buildings))


def offer_monument(state: State, event: MonumentOffered) -> State:
    return pushed(state, OfferingMonument(event.space))


def build_monument(state: State, event: MonumentBuilt) -> State:
    board, flipped = state.board, square(event.corner)
    built = replace(
        board,
        tiles=with_tiles(board, event.colour, board.tiles[event.colour] & ~flipped),
        face_down=Mask(board.face_down | flipped),
        monuments=(*board.monuments, BuiltMonument(event.monument, event.corner)),
    )
    return replace(
        state,
        agenda=state.agenda[:-1],
        asked=state.asked + 1,
        board=built,
        removed=added(state.removed, event.colour, flipped.bit_count()),
    )


def build_wonder(state: State, event: WonderBuilt) -> State:
    center = bit(event.center)
    cross = Mask(center | neighbours(center))
    tiles = with_tiles(state.board, event.colour, state.board.tiles[event.colour] & ~cross)
    removed = added(state.removed, event.colour, cross.bit_count())
    return replace(
        state,
        agenda=state.agenda[:-1],
        asked=state.asked + 1,
        board=replace(state.board, tiles=tiles, wonder=cross),
        removed=removed,
    )


def decline_build(state: State, event: BuildDeclined) -> State:
    return replace(state, agenda=state.agenda[:-1], asked=state.asked + 1)


def offer_treasure(state: State, event: TreasureOffered) -> State:
    return pushed(state, TakingTreasure(event.seat))


def take_treasure(state: State, event: TreasureTaken) -> State:
    board = replace(state.board, treasures=Mask(state.board.treasures & ~bit(event.space)))
    taken = replace(
        state, board=board, treasures=put(state.treasures, event.seat, state.treasures[event.seat] + 1)
    )
    if isinstance(state.agenda[-1], TakingTreasure):
        return replace(taken, agenda=taken.agenda[:-1], asked=taken.asked + 1)
    return taken


def end_turn(state: State, event: TurnEnded) -> State:
    return replace(state, agenda=(), asked=state.asked + 1)


def offer_wonder(state: State, event: WonderOffered) -> State:
    return pushed(state, ChoosingColour())


def end_game(state: State, event: GameEnded) -> State:
    return replace(state, agenda=(), asked=state.asked + 1, ended=event.reason)


WRITERS: dict[type, Callable[[State, Any], State]] = {
    GameBegun: begin_game,
    TilesDrawn: draw_tiles,
    DrawFailed: fail_draw,
    TurnBegun: begin_turn,
    ActionChosen: choose_action,
    LeaderPlaced: place_leader,
    LeaderWithdrawn: withdraw_leader,
    LeaderSentHome: send_leader_home,
    TilePlaced: place_tile,
    PointsScored: score_points,
    CatastrophePlayed: play_catastrophe,
    TilesSwapped: swap_tiles,
    KingdomsJoined: join_kingdoms,
    ConflictBegun: begin_conflict,
    SupportCommitted: commit_support,
    ConflictWon: win_conflict,
    UnificationEnded: end_unification,
    BuildingOffered: offer_building,
    BuildingRaised: raise_building,
    BuildingReturned: return_building,
    MonumentOffered: offer_monument,
    MonumentBuilt: build_monument,
    WonderBuilt: build_wonder,
    BuildDeclined: decline_build,
    TreasureOffered: offer_treasure,
    TreasureTaken: take_treasure,
    TurnEnded: end_turn,
    WonderOffered: offer_wonder,
    GameEnded: end_game,
}


GameStory = Story[State, Event]
