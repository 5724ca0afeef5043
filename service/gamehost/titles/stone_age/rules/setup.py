"""The events of the setup."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .cards import reveal_tile
from .events import (
    GameBegun,
)
from .evolve import GameStory
from .options import Options
from .rounds import begin_round, reveal_cards


def set_up(story: GameStory, options: Options, seats: int) -> None:
    """Sets the game up and begins the first round (SA-1 to SA-3)."""
    if options.max_rounds < 1:
        raise ValueError("a game has at least one round")
    [start_player] = story.chance.draw([Seat(seat) for seat in range(seats)], 1)
    story.tell(GameBegun(options, seats, start_player))
    reveal_cards(story)
    for stack in range(1, seats + 1):
        reveal_tile(story, stack)
    begin_round(story, 1, start_player)
