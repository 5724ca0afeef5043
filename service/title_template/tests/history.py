"""Fills in hidden parts of the witnessed events of Example Title, for the laws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamehost.titles.example_title.rules.actions import Action, ChooseCard
from gamehost.titles.example_title.rules.events import CardChosen, CardsDrawn, CardsRevealed, Event
from gamehost.titles.example_title.rules.material import Card
from gamehost.titles.example_title.rules.model import State

from gamehost.rules.kit import Hidden
from rules.history import History, Outcomes


def backwards(world: State, seen: Sequence[Event]) -> Iterator[Event]:
    """Yields the witnessed events with the hidden cards filled in, the last one first."""
    chosen = [seat.chosen for seat in world.seats]
    hands = [set(seat.hand) | {card for card in [seat.chosen] if card} for seat in world.seats]
    for event in reversed(seen):
        match event:
            case CardsRevealed(cards):
                chosen = list(cards)
                for hand, card in zip(hands, cards, strict=True):
                    hand.add(card)
            case CardChosen(seat):
                event = replace(event, card=chosen[seat])
            case CardsDrawn(seat, cards):
                event = replace(event, cards=drawn(hands[seat], cards))
                hands[seat] -= {*event.cards}
        yield event


def drawn(hand: set[Card], cards: tuple[Card, ...] | Hidden) -> tuple[Card, ...]:
    """Returns the drawn cards; for hidden ones, any cards of the hand are possible."""
    return tuple(sorted(hand)[: cards.count]) if isinstance(cards, Hidden) else cards


def luck(events: Sequence[Event]) -> Outcomes:
    return (event.cards for event in events if isinstance(event, CardsDrawn))


def answer(action: Action, event: Event) -> Action:
    return ChooseCard(event.card) if isinstance(event, CardChosen) else action


HISTORY = History(backwards, luck, answer)
