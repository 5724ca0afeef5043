"""Checks whether an action is allowed, with the same functions that the list of legal actions uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamehost.rules.kit import IllegalAction, Seat

from .actions import (
    Action,
    BuildMonument,
    BuildWonder,
    ChooseColour,
    ChooseSpace,
    ChooseWar,
    CommitSupport,
    DeclineBuild,
    DiscardTiles,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    PlayCatastrophe,
    RaiseBuilding,
    SwapTiles,
    TakeTreasure,
    WithdrawLeader,
)
from .builds import building_spaces, monument_offers
from .conflicts import commitments, pending_wars
from .decisions import KINDS, asked_seat
from .material import LEADER_NAMES, TILE_NAMES, Colour
from .model import State
from .phases import (
    Acting,
    ChoosingColour,
    Conflict,
    ConflictKind,
    OfferingBuilding,
    OfferingMonument,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
    TakingTreasure,
    Unifying,
)
from .placement import catastrophe_spaces, empty_spaces, leaders_that_can_go, tile_spaces
from .spaces import RIVER, Space, bit, neighbours, on_board
from .treasures import treasures_due
from .turn_actions import spaces_for


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns why the rules refuse the action, or None. Uses nothing that is hidden from the seat."""
    if state.ended is not None:
        return IllegalAction("GAME_OVER", "TE-71", "the game is over")
    if seat != asked_seat(state):
        return IllegalAction("NOT_YOUR_DECISION", "TE-9", "another seat is asked")
    phase = state.agenda[-1]
    if type(action) not in KINDS[type(phase)]:
        return IllegalAction("WRONG_KIND_OF_ACTION", RULES[type(phase)], "that is not what is asked")
    return REFUSALS[type(action)](state, seat, phase, action)


RULES: dict[type, str] = {
    Acting: "TE-9",
    PlacingTile: "TE-20",
    PlacingLeader: "TE-10",
    PlacingCatastrophe: "TE-30",
    Swapping: "TE-35",
    Unifying: "TE-41",
    Conflict: "TE-49",
    OfferingBuilding: "TE-50",
    OfferingMonument: "TE-50",
    TakingTreasure: "TE-60",
    ChoosingColour: "TE-54",
}
"""The rule behind each question, named when the action is of another kind."""


def refuse_tile(state: State, seat: Seat, phase: Acting, action: PlaceTile) -> IllegalAction | None:
    name = TILE_NAMES[action.colour]
    if not state.hands[seat][action.colour]:
        return IllegalAction("TILE_NOT_IN_HAND", "TE-20", f"you hold no {name}")
    if not tile_spaces(state, action.colour):
        return IllegalAction("NO_SPACE_LEFT", "TE-20", f"no space is left for a {name}")
    return None


def refuse_leader(state: State, seat: Seat, phase: Acting, action: PlaceLeader) -> IllegalAction | None:
    if action.leader not in leaders_that_can_go(state, seat):
        return IllegalAction(
            "NO_SPACE_LEFT", "TE-10", f"no space is left for your {LEADER_NAMES[action.leader]}"
        )
    return None


def refuse_withdrawal(
    state: State, seat: Seat, phase: Acting, action: WithdrawLeader
) -> IllegalAction | None:
    if not state.board.leaders[seat][action.leader]:
        detail = f"your {LEADER_NAMES[action.leader]} is not on the board"
        return IllegalAction("LEADER_NOT_ON_BOARD", "TE-13", detail)
    return None


def refuse_catastrophe(
    state: State, seat: Seat, phase: Acting, action: PlayCatastrophe
) -> IllegalAction | None:
    if not state.catastrophes[seat]:
        return IllegalAction("NO_CATASTROPHE_LEFT", "TE-30", "you have played both")
    if not catastrophe_spaces(state):
        return IllegalAction("NO_SPACE_LEFT", "TE-30", "no space is left for a catastrophe")
    return None


def refuse_swap(state: State, seat: Seat, phase: Acting, action: SwapTiles) -> IllegalAction | None:
    if not any(state.hands[seat]):
        return IllegalAction("TILE_NOT_IN_HAND", "TE-35", "you hold no tiles")
    return None


def refuse_nothing(state: State, seat: Seat, phase: object, action: object) -> IllegalAction | None:
    return None


def refuse_space(state: State, seat: Seat, phase: Any, action: ChooseSpace) -> IllegalAction | None:
    if on_board(action.space) and bit(action.space) & spaces_for(state, seat, phase):
        return None
    return why_not_there(state, seat, phase, action.space)


def refuse_discard(state: State, seat: Seat, phase: Swapping, action: DiscardTiles) -> IllegalAction | None:
    tiles = (action.red, action.blue, action.green, action.black)
    if min(tiles) < 0 or not any(tiles):
        return IllegalAction("NOTHING_TO_SWAP", "TE-35", "a swap is of one to six tiles")
    if any(count > held for count, held in zip(tiles, state.hands[seat], strict=True)):
        return IllegalAction("TILE_NOT_IN_HAND", "TE-35", "you hold fewer tiles of that colour")
    return None


def refuse_support(state: State, seat: Seat, phase: Conflict, action: CommitSupport) -> IllegalAction | None:
    held = state.hands[seat][phase.support]
    if not 0 <= action.tiles <= held:
        rule = "TE-40" if phase.kind is ConflictKind.REVOLT else "TE-43"
        return IllegalAction("TILE_NOT_IN_HAND", rule, f"you hold {held} {TILE_NAMES[phase.support]}s")
    if action.tiles not in commitments(state, phase, held):
        return IllegalAction("POINTLESS_COMMITMENT", "TE-48", "that many tiles do not decide the conflict")
    return None


def refuse_war(state: State, seat: Seat, phase: Unifying, action: ChooseWar) -> IllegalAction | None:
    if action.colour not in pending_wars(state):
        return IllegalAction("NO_SUCH_WAR", "TE-41", f"no two {LEADER_NAMES[action.colour]}s are at war")
    return None


def refuse_building(
    state: State, seat: Seat, phase: OfferingBuilding, action: RaiseBuilding
) -> IllegalAction | None:
    if not on_board(action.space) or not bit(action.space) & building_spaces(state, phase.space):
        return IllegalAction(
            "BUILD_NOT_ON_OFFER", "TE-53", "that tile is not in a line that earns the building"
        )
    return None


def refuse_monument(
    state: State, seat: Seat, phase: OfferingMonument, action: BuildMonument | BuildWonder
) -> IllegalAction | None:
    if action not in monument_offers(state, phase.space):
        rule = "TE-51" if isinstance(action, BuildMonument) else "TE-54"
        return IllegalAction("BUILD_NOT_ON_OFFER", rule, "the tile just placed does not allow it")
    return None


def refuse_treasure(
    state: State, seat: Seat, phase: TakingTreasure, action: TakeTreasure
) -> IllegalAction | None:
    due = treasures_due(state, seat)
    if not on_board(action.space) or not bit(action.space) & due:
        return IllegalAction("TREASURE_NOT_DUE", "TE-60", "that treasure is not one you may take now")
    return None


REFUSALS: dict[type, Callable[[State, Seat, Any, Any], IllegalAction | None]] = {
    PlaceTile: refuse_tile,
    PlaceLeader: refuse_leader,
    WithdrawLeader: refuse_withdrawal,
    PlayCatastrophe: refuse_catastrophe,
    SwapTiles: refuse_swap,
    EndTurn: refuse_nothing,
    ChooseSpace: refuse_space,
    DiscardTiles: refuse_discard,
    CommitSupport: refuse_support,
    ChooseWar: refuse_war,
    RaiseBuilding: refuse_building,
    BuildMonument: refuse_monument,
    BuildWonder: refuse_monument,
    DeclineBuild: refuse_nothing,
    TakeTreasure: refuse_treasure,
    ChooseColour: refuse_nothing,
}


def why_not_there(state: State, seat: Seat, phase: object, space: Space) -> IllegalAction:
    if not on_board(space):
        return IllegalAction("OFF_BOARD", "TE-2", "rows go from 0 to 10 and columns from 0 to 15")
    match phase:
        case PlacingTile(colour):
            return why_no_tile(state, colour, space)
        case PlacingLeader(leader):
            return why_no_leader(state, seat, leader, space)
        case _:
            detail = f"at {space.name} lies something that a catastrophe cannot strike"
            return IllegalAction("CANNOT_BE_STRUCK", "TE-30", detail)


def why_no_tile(state: State, colour: Colour, space: Space) -> IllegalAction:
    if not bit(space) & empty_spaces(state):
        return IllegalAction("SPACE_TAKEN", "TE-20", f"{space.name} is not empty")
    if (colour is Colour.BLUE) != bool(bit(space) & RIVER[state.options.board]):
        return IllegalAction("WRONG_GROUND", "TE-20", "farms lie on the river, and nothing else does")
    return IllegalAction("JOINS_THREE_KINGDOMS", "TE-20", f"a tile at {space.name} would join three kingdoms")


def why_no_leader(state: State, seat: Seat, leader: Colour, space: Space) -> IllegalAction:
    if bit(space) == state.board.leaders[seat][leader]:
        return IllegalAction(
            "SPACE_TAKEN", "TE-11", f"your {LEADER_NAMES[leader]} stands at {space.name} already"
        )
    if not bit(space) & empty_spaces(state):
        return IllegalAction("SPACE_TAKEN", "TE-10", f"{space.name} is not empty")
    if bit(space) & RIVER[state.options.board]:
        return IllegalAction("WRONG_GROUND", "TE-10", "leaders stand on land")
    if not neighbours(bit(space)) & state.board.tiles[Colour.RED]:
        return IllegalAction("NO_TEMPLE", "TE-10", f"no face-up temple is next to {space.name}")
    return IllegalAction("JOINS_KINGDOMS", "TE-10", f"a leader at {space.name} would join two kingdoms")
