"""Treasures: after every action the owner of a kingdom's trader takes all its treasures but one."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import TreasureOffered, TreasureTaken
from .evolve import GameStory
from .kingdoms import kingdom_of
from .material import Colour
from .model import State
from .spaces import NOWHERE, SPECIAL, Mask, Space, only_space
from .turn import clockwise, end_action


def treasures_due(state: State, seat: Seat) -> Mask:
    """TE-60: returns the treasures of which the seat must take one now; those on special spaces come first.

    TE-61: returns none without a trader. It does not matter what is under a treasure.
    """
    trader = state.board.leaders[seat][Colour.GREEN]
    if not trader:
        return NOWHERE
    held = kingdom_of(state.board, trader) & state.board.treasures
    if held.bit_count() < 2:
        return NOWHERE
    return Mask(held & SPECIAL[state.options.board] or held)


def is_forced(state: State, seat: Seat, due: Mask) -> bool:
    """TE-60: whether all treasures in `due` will be taken, so that the seat has no choice between them."""
    held = kingdom_of(state.board, state.board.leaders[seat][Colour.GREEN]) & state.board.treasures
    return due.bit_count() < held.bit_count()


def collect(story: GameStory) -> None:
    """TE-60: gives seats their treasures, the active one first, or offers a choice; then ends the action."""
    for seat in clockwise(story.state):
        while due := treasures_due(story.state, seat):
            if not is_forced(story.state, seat, due):
                story.tell(TreasureOffered(seat))
                return
            story.tell(TreasureTaken(seat, only_space(due & -due)))
    end_action(story)


def take(story: GameStory, seat: Seat, space: Space) -> None:
    story.tell(TreasureTaken(seat, space))
    collect(story)
