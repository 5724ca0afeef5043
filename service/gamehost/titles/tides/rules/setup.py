"""The events of the setup."""

from __future__ import annotations

from .events import GameBegun, RoundBegun
from .evolve import GameStory
from .material import HAND
from .options import Options
from .rounds import draw


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """TT-1: deals five cards to each seat and begins the first round."""
    story.tell(GameBegun(options))
    draw(story, HAND)
    story.tell(RoundBegun(1))
