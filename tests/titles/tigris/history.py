"""Reconstructs hidden parts of events of Tigris & Euphrates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gamehost.rules.kit import Hidden
from gamehost.titles.tigris.rules import actions as tigris_actions
from gamehost.titles.tigris.rules import events as tigris
from gamehost.titles.tigris.rules.material import COLOURS
from rules.history import History, Outcomes, counters, taken


def backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    hands, swapped = counters(world.hands, COLOURS), counters(world.swapped, COLOURS)
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


def luck(events: Sequence[Any]) -> Outcomes:
    for event in events:
        match event:
            case tigris.GameBegun(first=first):
                yield (first,)
            case tigris.TilesDrawn(_, tiles):
                yield tiles


def answer(action: Any, event: Any) -> Any:
    match event:
        case tigris.TilesSwapped(_, tiles):
            return tigris_actions.DiscardTiles(*map(tiles.count, COLOURS))
        case _:
            return action


HISTORY = History(backwards, luck, answer)
