"""Reconstructs hidden parts of events of Tides of Time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gamehost.rules.kit import Hidden
from gamehost.titles.tides.rules import actions as tides_actions
from gamehost.titles.tides.rules import events as tides
from rules.history import History, Outcomes


def backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    """Yields the events in full, the last one first, from the hands of the imagined world."""
    cards = [seat.chosen_card for seat in world.seats]
    relics = [seat.chosen_relic for seat in world.seats]
    hands = [set(seat.hand) | {card} - {None} for seat, card in zip(world.seats, cards, strict=True)]
    for told, event in reversed(list(enumerate(seen))):
        match event:
            case tides.CardsRevealed():
                cards = list(event.cards)
                hands = [hand | {card} for hand, card in zip(hands, cards, strict=True)]
            case tides.CardChosen(seat):
                event = replace(event, card=cards[seat])
            case tides.HandReceived(seat):
                event = replace(event, cards=tuple(sorted(hands[seat])))
                hands = hands[::-1] if seat == 0 else hands
            case tides.RelicsRevealed():
                relics = list(map(tides_actions.ChooseRelic, event.relics, event.removed))
                hands = [set(), set()]
            case tides.RelicChosen(seat):
                event = replace(event, relic=relics[seat].relic, removed=relics[seat].removed)
            case tides.CardsDrawn(seat, Hidden()):
                event = replace(event, cards=tuple(sorted(hands[seat] - face_up(seen[:told]))))
        yield event


def face_up(seen: Sequence[Any]) -> set[Any]:
    return {card for event in seen if isinstance(event, tides.CardsRevealed) for card in event.cards}


def luck(events: Sequence[Any]) -> Outcomes:
    return (event.cards for event in events if isinstance(event, tides.CardsDrawn))


def answer(action: Any, event: Any) -> Any:
    match event:
        case tides.CardChosen(_, card):
            return tides_actions.ChooseCard(card)
        case tides.RelicChosen(_, relic, removed):
            return tides_actions.ChooseRelic(relic, removed)
        case _:
            return action


HISTORY = History(backwards, luck, answer)
