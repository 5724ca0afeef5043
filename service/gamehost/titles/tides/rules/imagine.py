"""Random states that are consistent with what a seat of Tides of Time knows."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.rules.kit import Chance, Hidden, Seat

from .actions import ChooseRelic
from .events import (
    CardsDrawn,
    CardsRevealed,
    Event,
    HandReceived,
    RelicsRevealed,
)
from .material import Card
from .model import Phase, SeatState, State, View


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """Returns a state with this view: the unseen cards are dealt to the other seat and to the pile at random.

    A view does not show the other hand, but `seen` has the cards that the seat passed on to it.
    """
    held = recalled_hands(seen)
    unknown = view.unseen.difference(*held)
    cards = list(chance.draw(sorted(unknown), len(unknown)))
    seats = tuple(
        imagine_seat(view, Seat(number), held[number], cards, chance) for number in range(len(held))
    )
    return State(view.options, view.phase, view.round, frozenset(cards), view.removed, seats, view.scored)


def recalled_hands(seen: Sequence[Event]) -> list[set[Card]]:
    """Returns the cards that are known to be in each hand or chosen from it, from what the seat has seen."""
    hands: list[set[Card]] = [set(), set()]
    played: list[set[Card]] = [set(), set()]
    for event in seen:
        match event:
            case CardsRevealed(cards):
                for hand, row, card in zip(hands, played, cards, strict=True):
                    hand.discard(card)
                    row.add(card)
            case HandReceived(0):
                hands.reverse()  # both hands are exchanged; the event of seat 1 follows
            case RelicsRevealed(relics, removed):
                hands = [row - set(gone) for row, *gone in zip(played, relics, removed, strict=True)]
                played = [set(), set()]
            case _:
                pass
        if isinstance(event, CardsDrawn | HandReceived) and not isinstance(event.cards, Hidden):
            hands[event.seat].update(event.cards)
    return hands


def imagine_seat(view: View, number: Seat, held: set[Card], cards: list[Card], chance: Chance) -> SeatState:
    """Returns the state of a seat. It gets the cards `held`, which are known, and the others from `cards`."""
    known = view.seats[number]
    if number == view.seat:
        return SeatState(view.hand, known.relics, known.played, view.chosen_card, view.chosen_relic)
    face_down = known.has_chosen and view.phase is Phase.DRAFTING
    hand = held.union(cards.pop() for _ in range(known.hand_size + face_down - len(held)))
    card, relic = None, None
    if face_down:
        (card,) = chance.draw(sorted(hand), 1)
    elif known.has_chosen:
        relic = ChooseRelic(*chance.draw(known.played, 2))
    return SeatState(frozenset(hand) - {card}, known.relics, known.played, card, relic)
