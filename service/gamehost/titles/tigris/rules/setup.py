"""Before the first turn."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import GameBegun, TurnBegun
from .evolve import GameStory
from .material import HAND
from .options import Options
from .turn import clockwise, draw


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """TE-1: a random seat begins; temples with treasures on the marked spaces, six tiles for each seat."""
    (first,) = story.chance.draw(range(seats), 1)
    story.tell(GameBegun(options, seats, Seat(first)))
    for seat in clockwise(story.state):
        draw(story, seat, HAND)
    story.tell(TurnBegun(Seat(first), 1))
