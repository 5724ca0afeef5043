"""The legal actions of a seat: exactly those that `refusals` does not refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from gamehost.rules.kit import Seat

from .actions import (
    Action,
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
from .decisions import asked_seat
from .material import COLOURS, Colour
from .model import State
from .phases import (
    Acting,
    ChoosingColour,
    Conflict,
    OfferingBuilding,
    OfferingMonument,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
    TakingTreasure,
    Unifying,
)
from .placement import catastrophe_spaces, leaders_that_can_go, tile_spaces
from .spaces import BY_BIT, chosen, spaces_in
from .treasures import treasures_due
from .turn_actions import spaces_for

PLACE_TILE = tuple(map(PlaceTile, COLOURS))
PLACE_LEADER = tuple(map(PlaceLeader, COLOURS))
WITHDRAW_LEADER = tuple(map(WithdrawLeader, COLOURS))
CHOOSE_COLOUR = tuple(map(ChooseColour, COLOURS))
CHOOSE_SPACE = tuple(map(ChooseSpace, BY_BIT))
PLAY_CATASTROPHE, SWAP_TILES, END_TURN = PlayCatastrophe(), SwapTiles(), EndTurn()


def legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    if seat != asked_seat(state):
        return iter(())
    phase = state.agenda[-1]
    return iter(ANSWERS[type(phase)](state, seat, phase))


def acts(state: State, seat: Seat, phase: Acting) -> list[Action]:
    hand, standing = state.hands[seat], state.board.leaders[seat]
    land, river = bool(tile_spaces(state, Colour.RED)), bool(tile_spaces(state, Colour.BLUE))
    room = (land, river, land, land)
    able: list[Action] = [PLACE_TILE[colour] for colour in COLOURS if hand[colour] and room[colour]]
    able += [PLACE_LEADER[leader] for leader in leaders_that_can_go(state, seat)]
    able += [WITHDRAW_LEADER[leader] for leader in COLOURS if standing[leader]]
    if state.catastrophes[seat] and catastrophe_spaces(state):
        able.append(PLAY_CATASTROPHE)
    if any(hand):
        able.append(SWAP_TILES)
    able.append(END_TURN)
    return able


def places(state: State, seat: Seat, phase: PlacingTile | PlacingLeader | PlacingCatastrophe) -> list[Action]:
    return list(chosen(CHOOSE_SPACE, spaces_for(state, seat, phase)))


def discards(state: State, seat: Seat, phase: Swapping) -> list[Action]:
    """TE-35: lists one to six tiles of the hand as counts, since tiles of a colour are all alike."""
    choices = product(*(range(held + 1) for held in state.hands[seat]))
    next(choices)
    return [DiscardTiles(*choice) for choice in choices]


def numbers_committed(state: State, seat: Seat, phase: Conflict) -> list[Action]:
    held = state.hands[seat][phase.support]
    return [CommitSupport(tiles) for tiles in commitments(state, phase, held)]


def wars(state: State, seat: Seat, phase: Unifying) -> list[Action]:
    return [ChooseWar(colour) for colour in pending_wars(state)]


def buildings(state: State, seat: Seat, phase: OfferingBuilding) -> Iterator[Action]:
    yield from map(RaiseBuilding, spaces_in(building_spaces(state, phase.space)))
    yield DeclineBuild()


def monuments(state: State, seat: Seat, phase: OfferingMonument) -> Iterator[Action]:
    yield from monument_offers(state, phase.space)
    yield DeclineBuild()


def treasures(state: State, seat: Seat, phase: TakingTreasure) -> list[Action]:
    return [TakeTreasure(space) for space in spaces_in(treasures_due(state, seat))]


def colours(state: State, seat: Seat, phase: ChoosingColour) -> tuple[Action, ...]:
    return CHOOSE_COLOUR


ANSWERS: dict[type, Callable[[State, Seat, Any], Any]] = {
    Acting: acts,
    PlacingTile: places,
    PlacingLeader: places,
    PlacingCatastrophe: places,
    Swapping: discards,
    Unifying: wars,
    Conflict: numbers_committed,
    OfferingBuilding: buildings,
    OfferingMonument: monuments,
    TakingTreasure: treasures,
    ChoosingColour: colours,
}
