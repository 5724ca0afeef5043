"""Applies events to the state. It contains no rules: those were applied before the event was made."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.copying import replace
from gamehost.rules.kit import Seat, Story, put

from .events import CardChosen, CardsDrawn, CardsRevealed, Event, GameBegun, GameEnded
from .material import Card
from .model import SeatState, State


def evolve(state: State, event: Event) -> State:
    match event:
        case GameBegun(options, seats):
            return replace(state, options=options, seats=(SeatState(),) * seats)
        case CardsDrawn() | CardChosen():
            return at_one_seat(state, event)
        case CardsRevealed(cards, winner):
            cleared = tuple(replace(seat, chosen=None) for seat in state.seats)
            won = replace(cleared[winner], points=cleared[winner].points + 1)
            return replace(state, seats=put(cleared, winner, won), played=(*state.played, *cards))
        case GameEnded():
            return replace(state, over=True)
        case _:
            assert_never(event)


def at_one_seat(state: State, event: CardsDrawn | CardChosen) -> State:
    seat = state.seats[event.seat]
    match event:
        case CardsDrawn(number, tuple(cards)):
            rest = replace(state, deck=state.deck - set(cards))
            return with_seat(rest, number, replace(seat, hand=seat.hand | set(cards)))
        case CardChosen(number, Card() as card):
            return with_seat(state, number, replace(seat, hand=seat.hand - {card}, chosen=card))
        case _:
            raise ValueError(f"a witnessed event cannot be applied to a state: {event}")


def with_seat(state: State, number: Seat, seat: SeatState) -> State:
    return replace(state, seats=put(state.seats, number, seat))


GameStory = Story[State, Event]
