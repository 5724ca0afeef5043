"""The events of the setup."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import GameBegun, TurnBegun
from .evolve import GameStory
from .material import HAND
from .options import Options
from .turn import clockwise, draw


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """TE-1: chooses a random first seat, deals six tiles to each seat and begins the first turn."""
    (first,) = story.chance.draw(range(seats), 1)
    story.tell(GameBegun(options, seats, Seat(first)))
    for seat in clockwise(story.state):
        draw(story, seat, HAND)
    story.tell(TurnBegun(Seat(first), 1))
