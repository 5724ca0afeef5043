"""Removes leaders that have no temple beside them."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import HomeReason, LeaderSentHome
from .evolve import GameStory
from .kingdoms import leader_spaces
from .material import Colour
from .spaces import neighbours, only_space


def send_home_without_temple(story: GameStory) -> None:
    """TE-12: removes every leader without an adjacent face-up temple from the board."""
    board = story.state.board
    beside_temples = neighbours(board.tiles[Colour.RED])
    if not leader_spaces(board) & ~beside_temples:
        return
    for seat, standing in enumerate(board.leaders):
        for leader in Colour:
            if standing[leader] & ~beside_temples:
                where = only_space(standing[leader])
                story.tell(LeaderSentHome(Seat(seat), leader, where, HomeReason.NO_TEMPLE))
