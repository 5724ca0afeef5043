"""Reconstructs hidden parts of events of Stone Age."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from gamehost.titles.stone_age.rules import events as stone_age
from rules.history import History, Outcomes, as_it_was


def backwards(world: Any, seen: Sequence[Any]) -> Iterator[Any]:
    drawn = [list(player.drawn) for player in world.players]
    for event in reversed(seen):
        match event:
            case stone_age.CardDrawn(seat):
                event = replace(event, card=drawn[seat].pop())
        yield event


def luck(events: Sequence[Any]) -> Outcomes:
    """Yields the outcomes of each draw; the cards of a display are drawn together."""
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


HISTORY = History(backwards, luck, as_it_was)
