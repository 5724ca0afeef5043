"""Carries out an action: calls the chapter of the rule book that the action belongs to."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import Action
from .evolve import GameStory
from .rounds import choose_card


def act(story: GameStory, seat: Seat, action: Action) -> None:
    choose_card(story, seat, action.card)
