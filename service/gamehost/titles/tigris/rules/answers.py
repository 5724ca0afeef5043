"""From an answer to the chapter of the rules that carries it out."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.kit import Seat

from . import acting, builds, conflicts, treasures, turn
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
from .agenda import (
    OfferingBuilding,
    OfferingMonument,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
)
from .evolve import GameStory


def answer(story: GameStory, seat: Seat, action: Action) -> None:
    match action:
        case ChooseSpace(space):
            acting.put_down(story, story.state.agenda[-1], space)
        case PlaceTile(colour):
            acting.choose(story, PlacingTile(colour))
        case PlaceLeader(leader):
            acting.choose(story, PlacingLeader(leader))
        case PlayCatastrophe():
            acting.choose(story, PlacingCatastrophe())
        case SwapTiles():
            acting.choose(story, Swapping())
        case WithdrawLeader(leader):
            acting.withdraw_leader(story, leader)
        case EndTurn():
            turn.end_turn(story)
        case DiscardTiles(red, blue, green, black):
            acting.discard(story, turn.listed((red, blue, green, black)))
        case TakeTreasure(space):
            treasures.take(story, seat, space)
        case ChooseColour(colour):
            turn.earn_wonder_income(story, colour)
        case CommitSupport(tiles):
            conflicts.commit(story, tiles)
        case ChooseWar(colour):
            conflicts.begin_war(story, colour)
        case RaiseBuilding() | BuildMonument() | BuildWonder() | DeclineBuild():
            build(story, action)
        case _:
            assert_never(action)


def build(story: GameStory, action: RaiseBuilding | BuildMonument | BuildWonder | DeclineBuild) -> None:
    offer = story.state.agenda[-1]
    assert isinstance(offer, OfferingBuilding | OfferingMonument)
    match action:
        case RaiseBuilding(space):
            builds.raise_building(story, space, offer.space)
        case BuildMonument(monument, corner):
            builds.build_monument(story, monument, corner)
        case BuildWonder(center):
            builds.build_wonder(story, center)
        case DeclineBuild():
            builds.decline(story, offer, offer.space)
