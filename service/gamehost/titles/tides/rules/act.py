"""Carries out an action: calls the part of the round that the action belongs to."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import Action, ChooseCard, ChooseRelic
from .evolve import GameStory
from .rounds import choose_card, choose_relic


def act(story: GameStory, seat: Seat, action: Action) -> None:
    match action:
        case ChooseCard(card):
            choose_card(story, seat, card)
        case ChooseRelic():
            choose_relic(story, seat, action)
