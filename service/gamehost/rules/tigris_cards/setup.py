"""Before the first turn (EC-1, EC-4)."""

from __future__ import annotations

from ..kit import Chance, Seat
from .ending import refill
from .events import CardsSetAside, GameBegun, Tale, TurnBegun
from .material import SET_ASIDE
from .model import Options


def set_up(story: Tale, options: Options, seats: int, chance: Chance) -> None:
    """EC-4: eight cards each, thirty aside when two play, and anybody may begin."""
    story.tell(GameBegun(options, seats))
    if seats == 2:
        story.tell(CardsSetAside(SET_ASIDE))
    (first,) = chance.draw(tuple(map(Seat, range(seats))), 1)
    refill(story, chance, first)
    story.tell(TurnBegun(first))
