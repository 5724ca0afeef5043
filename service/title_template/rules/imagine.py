"""Random states that are consistent with what a seat knows."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Chance, Seat

from .events import Event
from .material import DECK, Card
from .model import SeatState, State, View


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """Returns a state with this view; unseen cards are dealt at random.

    `seen` is not used: the seat has seen nothing that its view does not show.
    """
    unseen = sorted(DECK - view.hand - {view.chosen} - set(view.played))
    cards = list(chance.draw(unseen, len(unseen)))
    seats = tuple(imagine_seat(view, Seat(number), cards) for number in range(len(view.seats)))
    return State(view.options, seats, frozenset(cards), view.played, view.over)


def imagine_seat(view: View, number: Seat, cards: list[Card]) -> SeatState:
    """Returns the state of a seat, whose hidden cards are taken from `cards`."""
    known = view.seats[number]
    if number == view.seat:
        return SeatState(view.hand, view.chosen, known.points)
    chosen = cards.pop() if known.has_chosen else None
    return SeatState(frozenset(cards.pop() for _ in range(known.hand_size)), chosen, known.points)
