"""The actions of Tides of Time."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Card


@dataclass(frozen=True, slots=True)
class ChooseCard:
    """Plays a card of the hand. It stays face down until both seats have chosen."""

    card: Card


@dataclass(frozen=True, slots=True)
class ChooseRelic:
    """Keeps one of the five cards played this round as a relic and removes another one from the game."""

    relic: Card
    """The card to keep in the kingdom."""
    removed: Card
    """The card to remove. It must differ from `relic`."""


Action = ChooseCard | ChooseRelic
"""An action of a seat."""
