"""Carries out an action: calls the chapter of the rule book that the action belongs to."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.kit import Seat

from . import builds, conflicts, treasures, turn, turn_actions
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
from .evolve import GameStory
from .phases import (
    OfferingBuilding,
    OfferingMonument,
    PlacingCatastrophe,
    PlacingLeader,
    PlacingTile,
    Swapping,
)


def act(story: GameStory, seat: Seat, action: Action) -> None:
    match action:
        case ChooseSpace(space):
            turn_actions.put_down(story, story.state.agenda[-1], space)
        case PlaceTile(colour):
            turn_actions.choose(story, PlacingTile(colour))
        case PlaceLeader(leader):
            turn_actions.choose(story, PlacingLeader(leader))
        case PlayCatastrophe():
            turn_actions.choose(story, PlacingCatastrophe())
        case SwapTiles():
            turn_actions.choose(story, Swapping())
        case WithdrawLeader(leader):
            turn_actions.withdraw_leader(story, leader)
        case EndTurn():
            turn.end_turn(story)
        case DiscardTiles(red, blue, green, black):
            turn_actions.discard(story, turn.listed((red, blue, green, black)))
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
