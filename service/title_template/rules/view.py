"""The view of a seat, and events as a seat sees them."""

from __future__ import annotations

from gamehost.rules.kit import Hidden, Seat

from .events import CardChosen, CardsDrawn, Event
from .model import SeatState, SeatView, State, View


def view(state: State, seat: Seat | None) -> View:
    """XT-2: returns the view of a seat; hands and face-down cards are shown to their owner only."""
    own = SeatState() if seat is None else state.seats[seat]
    return View(
        seat=seat,
        options=state.options,
        hand=own.hand,
        chosen=own.chosen,
        seats=tuple(seat_view(each) for each in state.seats),
        deck_size=len(state.deck),
        played=state.played,
        over=state.over,
    )


def seat_view(seat: SeatState) -> SeatView:
    return SeatView(len(seat.hand), seat.chosen is not None, seat.points)


def witness(event: Event, seat: Seat | None) -> Event:
    """Returns the event as this seat, or a spectator, sees it."""
    match event:
        case CardsDrawn(owner, tuple(cards)) if owner != seat:
            return CardsDrawn(owner, Hidden(len(cards)))
        case CardChosen(owner) if owner != seat:
            return CardChosen(owner, Hidden())
        case _:
            return event
