"""Reconstructs hidden parts of events of the card game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gamehost.rules.kit import Hidden
from gamehost.titles.tigris_cards.rules import actions as tigris_cards_actions
from gamehost.titles.tigris_cards.rules import events as tigris_cards
from gamehost.titles.tigris_cards.rules.material import Colour as CardColour
from rules.history import History, Outcomes, counters, taken


def backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    hands = counters(world.hands, tuple(CardColour))
    link = None if world.face_down is None else world.face_down.colour
    for event in reversed(seen):
        match event:
            case tigris_cards.CardsDrawn(seat, Hidden(count)):
                event = replace(event, cards=taken(hands[seat], count))
            case tigris_cards.LinkTurnedUp(_, colour):
                link = colour
            case tigris_cards.LinkLaid(seat):
                event = replace(event, colour=link)
                hands[seat][link] += 1
            case tigris_cards.TreasureExchanged(seat):
                hands[seat][CardColour.RED] += 1
            case tigris_cards.CardsCommitted(seat, colour, count):
                hands[seat][colour] += count
            case tigris_cards.CardLaid() | tigris_cards.PointTaken() | tigris_cards.IncomeTaken():
                hands[event.seat][event.colour] += 1
        yield event


def luck(events: Sequence[Any]) -> Outcomes:
    if isinstance(events[0], tigris_cards.GameBegun):
        yield (events[-1].seat,)
    yield from (event.cards for event in events if isinstance(event, tigris_cards.CardsDrawn))


def answer(action: Any, event: Any) -> Any:
    match event:
        case tigris_cards.LinkLaid(_, gap, colour):
            return tigris_cards_actions.LayLink(colour, gap)
        case _:
            return action


HISTORY = History(backwards, luck, answer)
