"""The events of the setup (EC-1, EC-4)."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import CardsSetAside, GameBegun, TurnBegun
from .evolve import GameStory
from .material import SET_ASIDE
from .options import Options
from .turn import refill


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """EC-4: deals eight cards to each seat, sets thirty aside with two seats, and draws the first player."""
    story.tell(GameBegun(options, seats))
    if seats == 2:
        story.tell(CardsSetAside(SET_ASIDE))
    (first,) = story.chance.draw(tuple(map(Seat, range(seats))), 1)
    refill(story, first)
    story.tell(TurnBegun(first))
