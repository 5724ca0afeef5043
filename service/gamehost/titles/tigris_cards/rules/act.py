"""Carries out an action, and all forced answers after it, until a seat has a choice."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from . import turn_actions
from .actions import (
    Action,
    BuildShip,
    ChooseConflict,
    CommitCards,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    PlayCalamity,
    TakeIncome,
    TakePoint,
    WithdrawLeader,
)
from .conflicts import begin_external, clashes, commit
from .decisions import asked
from .events import IncomeTaken, LinkLaid, OfferDeclined, PointTaken, TreasureExchanged, TurnPassed
from .evolve import GameStory
from .legal import forced
from .model import Exchange, Linking, PointOffer, ShipOffer, Turn
from .turn import close_turn, end_turn


def act(story: GameStory, seat: Seat, action: Action) -> None:
    perform(story, seat, action)
    proceed(story)


def perform(story: GameStory, seat: Seat, action: Action) -> None:
    """Carries out one action."""
    phase = story.state.agenda[-1]
    match action:
        case LayCard():
            turn_actions.lay_card(story, seat, action)
        case LayLink(colour, gap):
            story.tell(LinkLaid(seat, gap, colour))
        case PlaceLeader():
            turn_actions.place_leader(story, seat, action)
        case WithdrawLeader():
            turn_actions.withdraw_leader(story, seat, action)
        case PlayCalamity():
            turn_actions.play_calamity(story, seat, action)
        case EndTurn():
            story.tell(TurnPassed(seat))
        case TakePoint() if isinstance(phase, PointOffer):
            turn_actions.answer_point(story, phase, PointTaken(seat, phase.colour))
        case Decline() if isinstance(phase, PointOffer):
            turn_actions.answer_point(story, phase, OfferDeclined(seat))
        case BuildShip() if isinstance(phase, ShipOffer):
            turn_actions.build_ship(story, seat, phase, action)
        case ChooseConflict(colour) if isinstance(phase, Linking):
            begin_external(story, phase.gap, colour)
        case CommitCards():
            commit(story, seat, action)
        case ExchangeTreasure(column):
            turn_actions.answer_exchange(story, TreasureExchanged(seat, column))
        case Decline() if isinstance(phase, Exchange):
            turn_actions.answer_exchange(story, OfferDeclined(seat))
        case TakeIncome(colour):
            story.tell(IncomeTaken(seat, colour))
        case Decline():
            story.tell(OfferDeclined(seat))


def proceed(story: GameStory) -> None:
    """Goes on until a seat has a choice or the game is over."""
    while story.state.ending is None:
        phase = story.state.agenda[-1] if story.state.agenda else None
        if phase is None:
            close_turn(story)
        elif isinstance(phase, Turn) and not phase.actions:
            end_turn(story)
        elif isinstance(phase, Linking) and not clashes(story.state.table, phase.gap):
            turn_actions.go_on_linking(story, phase.gap)
        elif (only := forced(story.state)) is not None:
            perform(story, asked(story.state), only)
        else:
            return
