"""Treasures: at the end of every action a kingdom keeps one, its trader's owner takes the others."""

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
    """TE-60: of these the seat has to take one now; specially bordered spaces come first.

    TE-61: without a trader none; what lies under a treasure, face down or the wonder, makes no difference.
    """
    trader = state.board.leaders[seat][Colour.GREEN]
    if not trader:
        return NOWHERE
    held = kingdom_of(state.board, trader) & state.board.treasures
    if held.bit_count() < 2:
        return NOWHERE
    return Mask(held & SPECIAL[state.options.board] or held)


def is_forced(state: State, seat: Seat, due: Mask) -> bool:
    """TE-60: there is a choice only where more are equal than are to be taken."""
    held = kingdom_of(state.board, state.board.leaders[seat][Colour.GREEN]) & state.board.treasures
    return due.bit_count() < held.bit_count()


def collect(story: GameStory) -> None:
    """TE-60: the active player first, then clockwise, in every kingdom; then the action is over."""
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
