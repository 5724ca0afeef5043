"""How what one seat witnessed may have come about, if a world is the truth.

Told backwards: the world says where every piece lies now, each event where it lay before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from gamehost.rules.kit import Hidden
from gamehost.rules.stone_age import events as stone_age
from gamehost.rules.tides import actions as tides_actions
from gamehost.rules.tides import events as tides
from gamehost.rules.tigris import actions as tigris_actions
from gamehost.rules.tigris import events as tigris
from gamehost.rules.tigris.material import COLOURS
from gamehost.rules.tigris_cards import actions as tigris_cards_actions
from gamehost.rules.tigris_cards import events as tigris_cards
from gamehost.rules.tigris_cards.material import Colour as CardColour

Outcomes = Iterator[Sequence[Any]]


@dataclass(frozen=True)
class Retelling:
    backwards: Callable[[Any, Sequence[Any]], Iterator[Any]]  # the events in full, the last one first
    luck: Callable[[Sequence[Any]], Outcomes]  # what chance gave for these events
    answer: Callable[[Any, Any], Any]  # the action that led to this event, if it went like that one

    def events(self, world: Any, seen: Sequence[Any]) -> list[Any]:
        return list(self.backwards(world, seen))[::-1]


def taken(pieces: Counter[Any], count: int) -> tuple[Any, ...]:
    """Any so many, no longer among the pieces."""
    some = tuple(sorted(pieces.elements()))[:count]
    pieces.subtract(some)
    return some


def tallies(rows: Sequence[Sequence[int]], kinds: Sequence[Any]) -> list[Counter[Any]]:
    return [Counter(dict(zip(kinds, row, strict=True))) for row in rows]


def tigris_backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    hands, swapped = tallies(world.hands, COLOURS), tallies(world.swapped, COLOURS)
    for event in reversed(seen):
        match event:
            case tigris.TilesDrawn(seat, Hidden(count)):
                event = replace(event, tiles=taken(hands[seat], count))
            case tigris.TilesSwapped(seat, Hidden(count)):
                event = replace(event, tiles=taken(swapped[seat], count))
                hands[seat].update(event.tiles)
            case tigris.TilePlaced(seat, colour):
                hands[seat][colour] += 1
            case tigris.SupportCommitted(seat, colour, tiles):
                hands[seat][colour] += tiles
        yield event


def tigris_luck(events: Sequence[Any]) -> Outcomes:
    for event in events:
        match event:
            case tigris.GameBegun(first=first):
                yield (first,)
            case tigris.TilesDrawn(_, tiles):
                yield tiles


def tigris_answer(action: Any, event: Any) -> Any:
    match event:
        case tigris.TilesSwapped(_, tiles):
            return tigris_actions.DiscardTiles(*map(tiles.count, COLOURS))
        case _:
            return action


def tigris_cards_backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    hands = tallies(world.hands, tuple(CardColour))
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


def tigris_cards_luck(events: Sequence[Any]) -> Outcomes:
    if isinstance(events[0], tigris_cards.GameBegun):
        yield (events[-1].seat,)
    yield from (event.cards for event in events if isinstance(event, tigris_cards.CardsDrawn))


def tigris_cards_answer(action: Any, event: Any) -> Any:
    match event:
        case tigris_cards.LinkLaid(_, gap, colour):
            return tigris_cards_actions.LayLink(colour, gap)
        case _:
            return action


def tides_backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    """A card in a hand was drawn to it unless it was played, then taken back."""
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


def tides_luck(events: Sequence[Any]) -> Outcomes:
    return (event.cards for event in events if isinstance(event, tides.CardsDrawn))


def tides_answer(action: Any, event: Any) -> Any:
    match event:
        case tides.CardChosen(_, card):
            return tides_actions.ChooseCard(card)
        case tides.RelicChosen(_, relic, removed):
            return tides_actions.ChooseRelic(relic, removed)
        case _:
            return action


def stone_age_backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    drawn = [list(player.drawn) for player in world.players]
    for event in reversed(seen):
        match event:
            case stone_age.CardDrawn(seat):
                event = replace(event, card=drawn[seat].pop())
        yield event


def stone_age_luck(events: Sequence[Any]) -> Outcomes:
    """The cards of a display are drawn together."""
    for kind, told in groupby(events, type):
        alike = list(told)
        if kind is stone_age.CardRevealed:
            yield [event.card for event in alike]
            continue
        for event in alike:
            match event:
                case stone_age.GameBegun(start_player=first):
                    yield (first,)
                case stone_age.CardDrawn(_, piece) | stone_age.TileRevealed(_, piece):
                    yield (piece,)
                case stone_age.DiceRolled(faces=faces) | stone_age.DiceForAllRolled(faces=faces):
                    yield faces


def as_it_was(action: Any, event: Any) -> Any:
    return action


RETELLINGS = {
    "stone_age": Retelling(stone_age_backwards, stone_age_luck, as_it_was),
    "tides": Retelling(tides_backwards, tides_luck, tides_answer),
    "tigris": Retelling(tigris_backwards, tigris_luck, tigris_answer),
    "tigris_cards": Retelling(tigris_cards_backwards, tigris_cards_luck, tigris_cards_answer),
}
