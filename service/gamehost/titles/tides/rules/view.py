"""The view of a seat, and events as a seat sees them."""

from __future__ import annotations

from gamehost.rules.kit import Hidden, Seat

from .decisions import pick
from .events import (
    CardChosen,
    CardsDrawn,
    Event,
    HandReceived,
    RelicChosen,
    Score,
)
from .material import Card
from .model import SeatState, SeatView, State, View
from .scoring import points_by_round, score

ALL_CARDS = frozenset(Card)  # an Enum takes 10 µs to iterate, and every view needs this


def view(state: State, seat: Seat | None) -> View:
    """Returns the view of a seat. Only its own hand and choice are shown to it (TT-3); all else is public."""
    own = SeatState() if seat is None else state.seats[seat]
    return View(
        seat=seat,
        options=state.options,
        phase=state.phase,
        round=state.round,
        pick=pick(state),
        hand=own.hand,
        chosen_card=own.chosen_card,
        chosen_relic=own.chosen_relic,
        seats=seat_views(state),
        pile_size=len(state.pile),
        removed=state.removed,
        unseen=unseen(state, own),
        scored=state.scored,
    )


def seat_views(state: State) -> tuple[SeatView, ...]:
    standings = score(tuple([seat.kingdom for seat in state.seats]), state.options)
    return tuple([seat_view(state, Seat(number), standing) for number, standing in enumerate(standings)])


def seat_view(state: State, number: Seat, standing: Score) -> SeatView:
    seat = state.seats[number]
    round_points = points_by_round(state, number)
    return SeatView(
        hand_size=len(seat.hand),
        has_chosen=seat.has_chosen,
        relics=seat.relics,
        played=seat.played,
        standing=standing,
        round_points=round_points,
        total=sum(round_points),
    )


def unseen(state: State, own: SeatState) -> frozenset[Card]:
    face_up = {card for seat in state.seats for card in seat.kingdom} | set(state.removed)
    return ALL_CARDS - face_up - own.hand - {own.chosen_card}


def witness(event: Event, seat: Seat | None) -> Event:
    """TT-3: returns the event as a seat sees it, without cards that only their owner may see."""
    match event:
        case CardsDrawn(owner, tuple(cards)) if owner != seat:
            return CardsDrawn(owner, Hidden(len(cards)))
        case HandReceived(owner, tuple(cards)) if owner != seat:
            return HandReceived(owner, Hidden(len(cards)))
        case CardChosen(owner) if owner != seat:
            return CardChosen(owner, Hidden())
        case RelicChosen(owner) if owner != seat:
            return RelicChosen(owner, Hidden(), Hidden())
        case _:
            return event
