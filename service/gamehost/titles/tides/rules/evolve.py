"""Applies events to the state. It contains no rules: those were applied before the event was made."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.copying import replace
from gamehost.rules.kit import Seat, Story, put

from .actions import ChooseRelic
from .events import (
    CardChosen,
    CardsDrawn,
    CardsRevealed,
    Event,
    GameBegun,
    GameEnded,
    HandReceived,
    RelicChosen,
    RelicsRevealed,
    RoundBegun,
    RoundScored,
)
from .material import Card
from .model import Phase, SeatState, State


def evolve(state: State, event: Event) -> State:
    match event:
        case GameBegun(options):
            return replace(state, options=options)
        case RoundBegun(number):
            return replace(state, round=number, phase=Phase.DRAFTING)
        case RoundScored():
            return replace(state, scored=(*state.scored, event), phase=Phase.CHOOSING_RELICS)
        case GameEnded():
            return replace(state, phase=Phase.FINISHED)
        case CardsRevealed(cards):
            return replace(state, seats=tuple(map(reveal_card, state.seats, cards)))
        case RelicsRevealed(relics, removed):
            return reveal_relics(state, relics, removed)
        case CardsDrawn() | HandReceived() | CardChosen() | RelicChosen():
            return at_one_seat(state, event)
        case _:
            assert_never(event)


def at_one_seat(state: State, event: CardsDrawn | HandReceived | CardChosen | RelicChosen) -> State:
    seat = state.seats[event.seat]
    match event:
        case CardsDrawn(number, tuple(cards)):
            rest = replace(state, pile=state.pile - set(cards))
            return with_seat(rest, number, replace(seat, hand=seat.hand | set(cards)))
        case HandReceived(number, tuple(cards)):
            return with_seat(state, number, replace(seat, hand=frozenset(cards)))
        case CardChosen(number, Card() as card):
            return with_seat(state, number, replace(seat, hand=seat.hand - {card}, chosen_card=card))
        case RelicChosen(number, Card() as relic, Card() as removed):
            return with_seat(state, number, replace(seat, chosen_relic=ChooseRelic(relic, removed)))
        case _:
            raise ValueError(f"a witnessed event cannot be applied to a state: {event}")


def with_seat(state: State, number: Seat, seat: SeatState) -> State:
    return replace(state, seats=put(state.seats, number, seat))


def reveal_card(seat: SeatState, card: Card) -> SeatState:
    return replace(seat, hand=seat.hand - {card}, chosen_card=None, played=(*seat.played, card))


def reveal_relics(state: State, relics: tuple[Card, ...], removed: tuple[Card, ...]) -> State:
    seats = tuple(map(keep_relic, state.seats, relics, removed))
    return replace(state, seats=seats, removed=state.removed + removed)


def keep_relic(seat: SeatState, relic: Card, removed: Card) -> SeatState:
    hand = frozenset(seat.played) - {relic, removed}
    return replace(seat, hand=hand, relics=(*seat.relics, relic), played=(), chosen_relic=None)


GameStory = Story[State, Event]
