"""The view of a seat, and events as a seat sees them. Views are built field by field, not by copying."""

from __future__ import annotations

from functools import reduce

from gamehost.rules.kit import Hidden, Seat

from .builds import unused_monuments
from .conflicts import supporters, temples_beside
from .events import Event, StandingLeader, TilesDrawn, TilesSwapped
from .evolve import plus
from .kingdoms import kingdoms, leaders_standing
from .material import COLOURS
from .model import (
    Board,
    BoardView,
    ConflictTotals,
    Counts,
    Kingdom,
    KingdomLeader,
    LeaderTargets,
    PlacedTile,
    PlayerView,
    StandingBuilding,
    State,
    TileTargets,
    View,
    square,
)
from .phases import Conflict
from .placement import catastrophe_spaces, leader_targets, tile_spaces
from .spaces import EVERYWHERE, RIVER, SPECIAL, STRIDE, Mask, Space, only_space, spaces_in
from .turn import listed


def view(state: State, seat: Seat | None) -> View:
    """Returns the view of a seat. Hands are private; so are points and treasures without open information.

    TE-80: the size of the bag is shown with open information only. It is not a secret: it is the number of
    `unseen` tiles less those that others hold and have swapped.
    """
    return View(
        seat=seat,
        options=state.options,
        active=state.active,
        turn=state.turn,
        busy_turn=state.busy_turn,
        agenda=state.agenda,
        asked=state.asked,
        board=board_view(state),
        players=tuple(player_view(state, Seat(number), seat) for number in range(len(state.hands))),
        kingdoms=tuple(kingdom_view(state.board, group) for group in kingdoms(state.board)),
        leader_targets=own_leader_targets(state, seat),
        tile_targets=own_tile_targets(state, seat),
        catastrophe_targets=own_catastrophe_targets(state, seat),
        conflict=conflict_totals(state),
        bag=sum(state.bag) if state.options.open_information else Hidden(),
        draw_failed=state.draw_failed,
        unseen=unseen(state, seat),
        ended=state.ended,
    )


def board_view(state: State) -> BoardView:
    board, side = state.board, state.options.board
    return BoardView(
        river=spaces_in(RIVER[side]),
        special=spaces_in(SPECIAL[side]),
        tiles=tuple(
            PlacedTile(space, colour) for colour in COLOURS for space in spaces_in(board.tiles[colour])
        ),
        face_down=spaces_in(board.face_down),
        leaders=leaders_standing(board, EVERYWHERE),
        catastrophes=spaces_in(board.catastrophes),
        treasures=spaces_in(board.treasures),
        buildings=tuple(
            StandingBuilding(only_space(where), colour)
            for colour, where in zip(COLOURS, board.buildings, strict=True)
            if where
        ),
        monuments=board.monuments,
        unused_monuments=tuple(unused_monuments(board)),
        wonder=center_of(board.wonder) if board.wonder else None,
        covered=only_space(board.covered) if board.covered else None,
    )


def center_of(cross: Mask) -> Space:
    """Returns the space south of the northern arm, which has the lowest bit of the cross."""
    return only_space((cross & -cross) << STRIDE)


def player_view(state: State, seat: Seat, viewer: Seat | None) -> PlayerView:
    """Returns a seat as the viewer sees it. Points are shown when the game is over, hands never."""
    hand, swapped = listed(state.hands[seat]), listed(state.swapped[seat])
    shown = seat == viewer or state.options.open_information or state.ended is not None
    return PlayerView(
        hand=hand if seat == viewer else Hidden(len(hand)),
        points=state.points[seat] if shown else Hidden(len(COLOURS)),
        treasures=state.treasures[seat] if shown else Hidden(),
        catastrophes=state.catastrophes[seat],
        swapped=swapped if seat == viewer else Hidden(len(swapped)),
    )


def kingdom_view(board: Board, group: Mask) -> Kingdom:
    return Kingdom(
        spaces=spaces_in(group),
        leaders=tuple(kingdom_leader(board, standing) for standing in leaders_standing(board, group)),
        treasures=spaces_in(board.treasures & group),
        monuments=tuple(built.monument for built in board.monuments if square(built.corner) & group),
        buildings=tuple(colour for colour in COLOURS if board.buildings[colour] & group),
        wonder=bool(board.wonder & group),
    )


def kingdom_leader(board: Board, standing: StandingLeader) -> KingdomLeader:
    seat, leader = standing.seat, standing.leader
    backing = supporters(board, seat, leader).bit_count()
    return KingdomLeader(
        seat, leader, standing.space, backing, temples_beside(board, board.leaders[seat][leader])
    )


def own_leader_targets(state: State, seat: Seat | None) -> tuple[LeaderTargets, ...]:
    if seat is None or state.ended is not None:
        return ()
    return tuple(LeaderTargets(leader, spaces_in(leader_targets(state, seat, leader))) for leader in COLOURS)


def own_tile_targets(state: State, seat: Seat | None) -> tuple[TileTargets, ...]:
    if seat is None or state.ended is not None:
        return ()
    held = [colour for colour in COLOURS if state.hands[seat][colour]]
    return tuple(TileTargets(colour, spaces_in(tile_spaces(state, colour))) for colour in held)


def own_catastrophe_targets(state: State, seat: Seat | None) -> tuple[Space, ...]:
    if seat is None or state.ended is not None or not state.catastrophes[seat]:
        return ()
    return spaces_in(catastrophe_spaces(state))


def conflict_totals(state: State) -> ConflictTotals | None:
    match state.agenda:
        case (*_, Conflict() as conflict):
            leads = conflict.attacker_total > conflict.defender_total
            return ConflictTotals(
                conflict.kind,
                conflict.colour,
                conflict.support,
                conflict.attacker,
                conflict.defender,
                conflict.attacker_total,
                conflict.defender_total,
                conflict.attacker if leads else conflict.defender,
            )
        case _:
            return None


def unseen(state: State, seat: Seat | None) -> Counts:
    """TE-80: returns the number of tiles of each colour in the bag, other hands and swaps of others.

    The seat has seen all other tiles, so it can work these numbers out.
    """
    others = [number for number in range(len(state.hands)) if number != seat]
    hidden = [row[number] for row in (state.hands, state.swapped) for number in others]
    return reduce(plus, hidden, state.bag)


def witness(event: Event, seat: Seat | None) -> Event:
    """Returns the event as a seat sees it; drawn and swapped tiles are shown to their owner only."""
    match event:
        case TilesDrawn(owner, tuple(tiles)) if owner != seat:
            return TilesDrawn(owner, Hidden(len(tiles)))
        case TilesSwapped(owner, tuple(tiles)) if owner != seat:
            return TilesSwapped(owner, Hidden(len(tiles)))
        case _:
            return event
