"""What each seat knows, and worlds that fit what it knows."""

from __future__ import annotations

from collections.abc import Sequence

from ..kit import Chance, Hidden, Seat
from .actions import ChooseRelic
from .events import (
    CardChosen,
    CardsDrawn,
    CardsRevealed,
    Event,
    HandReceived,
    RelicChosen,
    RelicsRevealed,
    Score,
)
from .legal import pick
from .material import Card
from .model import Phase, SeatState, SeatView, State, View
from .scoring import score
from .tide import totals


def view(state: State, seat: Seat | None) -> View:
    """Public: kingdoms, removed cards, points, sizes. Private: the own hand and the own choice (TT-3)."""
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
    standings = score(tuple(seat.kingdom for seat in state.seats), state.options)
    return tuple(seat_view(state, Seat(number), standing) for number, standing in enumerate(standings))


def seat_view(state: State, number: Seat, standing: Score) -> SeatView:
    seat = state.seats[number]
    return SeatView(
        hand_size=len(seat.hand),
        has_chosen=seat.has_chosen,
        relics=seat.relics,
        played=seat.played,
        standing=standing,
        round_points=tuple(scored.scores[number].points for scored in state.scored),
        total=totals(state)[number],
    )


def unseen(state: State, own: SeatState) -> frozenset[Card]:
    face_up = {card for seat in state.seats for card in seat.kingdom} | set(state.removed)
    return frozenset(Card) - face_up - own.hand - {own.chosen_card}


def witness(event: Event, seat: Seat | None) -> Event:
    """TT-3: of a card that goes to a hand or lies face down, all but its owner see only the back."""
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


def imagine(view: View, chance: Chance, seen: Sequence[Event] = ()) -> State:
    """A world with this view: the unseen cards dealt anew to the other hands, face down, and to the pile.

    A view never shows another hand, but who remembers what it passed on knows the hand it became.
    """
    held = recalled_hands(seen)
    unknown = view.unseen.difference(*held)
    cards = list(chance.draw(sorted(unknown), len(unknown)))
    seats = tuple(
        imagine_seat(view, Seat(number), held[number], cards, chance) for number in range(len(held))
    )
    return State(view.options, view.phase, view.round, frozenset(cards), view.removed, seats, view.scored)


def recalled_hands(seen: Sequence[Event]) -> list[set[Card]]:
    """The cards known to be in each hand or face down before it: drawn, passed on or taken back in sight."""
    hands: list[set[Card]] = [set(), set()]
    played: list[set[Card]] = [set(), set()]
    for event in seen:
        match event:
            case CardsRevealed(cards):
                for hand, row, card in zip(hands, played, cards, strict=True):
                    hand.discard(card)
                    row.add(card)
            case HandReceived(0):
                hands.reverse()  # both are passed on at once
            case RelicsRevealed(relics, removed):
                hands = [row - set(gone) for row, *gone in zip(played, relics, removed, strict=True)]
                played = [set(), set()]
            case _:
                pass
        if isinstance(event, CardsDrawn | HandReceived) and not isinstance(event.cards, Hidden):
            hands[event.seat].update(event.cards)
    return hands


def imagine_seat(view: View, number: Seat, held: set[Card], cards: list[Card], chance: Chance) -> SeatState:
    """`held` are known to be this seat's; what else it needs is taken from `cards`."""
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
