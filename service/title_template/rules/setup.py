"""The events of the setup."""

from __future__ import annotations

from .events import GameBegun
from .evolve import GameStory
from .material import HAND
from .options import Options
from .rounds import draw


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """XT-1: deals a hand to each seat."""
    story.tell(GameBegun(options, seats))
    draw(story, HAND)
