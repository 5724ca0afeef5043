"""The open decision: which seat is asked which question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress

from gamehost.rules.kit import Decision, Seat, Text, text

from .actions import (
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
from .builds import monument_offers
from .material import LEADER_NAMES, TILE_NAMES, Colour
from .model import State
from .phases import (
    Acting,
    ChoosingColour,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
    Phase,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
    TakingTreasure,
    Unifying,
)
from .placement import leaders_that_can_go, tile_spaces

KINDS: dict[type, tuple[type, ...]] = {
    Acting: (PlaceTile, PlaceLeader, WithdrawLeader, PlayCatastrophe, SwapTiles, EndTurn),
    PlacingTile: (ChooseSpace,),
    PlacingLeader: (ChooseSpace,),
    PlacingCatastrophe: (ChooseSpace,),
    Swapping: (DiscardTiles,),
    Unifying: (ChooseWar,),
    Conflict: (CommitSupport,),
    OfferingBuilding: (RaiseBuilding, DeclineBuild),
    OfferingMonument: (BuildMonument, BuildWonder, DeclineBuild),
    TakingTreasure: (TakeTreasure,),
    ChoosingColour: (ChooseColour,),
}


def asked_seat(state: State) -> Seat | None:
    """Returns the seat that is asked: the active one, except for commitments and treasures (TE-41, TE-50)."""
    if not state.agenda:
        return None
    match state.agenda[-1]:
        case Conflict() as conflict:
            return conflict.asked
        case TakingTreasure(seat):
            return seat
        case _:
            return state.active


def decisions(state: State) -> Sequence[Decision]:
    seat = asked_seat(state)
    if seat is None:
        return ()
    phase = state.agenda[-1]
    return (Decision(f"q{state.asked}", seat, kinds(state, seat), prompt(phase)),)


def kinds(state: State, seat: Seat) -> tuple[type, ...]:
    """Returns the kinds of action that may have a legal one. Uses public information only."""
    match state.agenda[-1]:
        case Acting():
            return tuple(compress(KINDS[Acting], able_to_act(state, seat)))
        case OfferingMonument(space):
            offered = {DeclineBuild, *map(type, monument_offers(state, space))}
            return tuple(kind for kind in KINDS[OfferingMonument] if kind in offered)
        case phase:
            return KINDS[type(phase)]


def able_to_act(state: State, seat: Seat) -> Iterator[bool]:
    """Yields whether each kind of action of a turn is possible, in the order of KINDS."""
    has_tiles = any(state.hands[seat])
    yield has_tiles and any_tile_fits(state)
    yield bool(leaders_that_can_go(state, seat))
    yield any(state.board.leaders[seat])
    yield state.catastrophes[seat] > 0
    yield has_tiles
    yield True


def any_tile_fits(state: State) -> bool:
    """Whether any tile could be placed. The tiles of the hand are not used, because they are hidden."""
    return bool(tile_spaces(state, Colour.RED) or tile_spaces(state, Colour.BLUE))


@lru_cache
def prompt(phase: Phase) -> Text:
    match phase:
        case Acting(left):
            return text(
                "tigris.prompt.act", "Choose an action, or end the turn. Actions left: {left}.", left=left
            )
        case PlacingTile(colour):
            return text("tigris.prompt.place_tile", "Where does the {tile} go?", tile=TILE_NAMES[colour])
        case PlacingLeader(leader):
            return text(
                "tigris.prompt.place_leader", "Where does the {leader} go?", leader=LEADER_NAMES[leader]
            )
        case PlacingCatastrophe():
            return text("tigris.prompt.play_catastrophe", "Where does the catastrophe strike?")
        case Swapping():
            return text("tigris.prompt.discard", "Which tiles do you swap?")
        case Conflict():
            return conflict_prompt(phase)
        case _:
            return settling_prompt(phase)


def settling_prompt(phase: Phase) -> Text:
    match phase:
        case Unifying(space):
            return text(
                "tigris.prompt.choose_war", "Kingdoms meet at {space}: which war is next?", space=space.name
            )
        case OfferingBuilding(space):
            return text(
                "tigris.prompt.building", "The line through {space} earns a building.", space=space.name
            )
        case OfferingMonument(space):
            return text("tigris.prompt.monument", "The tile at {space} allows a monument.", space=space.name)
        case TakingTreasure():
            return text("tigris.prompt.treasure", "Which treasure do you take?")
        case _:
            return text("tigris.prompt.colour", "Which point does the wonder give you?")


def conflict_prompt(conflict: Conflict) -> Text:
    return text(
        f"tigris.prompt.{conflict.kind.name.lower()}",
        "The {leader}s fight, {attacker} against {defender}: how many {tile}s do you commit?",
        leader=LEADER_NAMES[conflict.colour],
        attacker=conflict.attacker_total,
        defender=conflict.defender_total,
        tile=TILE_NAMES[conflict.support],
    )
