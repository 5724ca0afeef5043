"""What a seat may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Card


@dataclass(frozen=True, slots=True)
class ChooseCard:
    card: Card


@dataclass(frozen=True, slots=True)
class ChooseRelic:
    """Of the five cards played this round, one stays and another leaves the game."""

    relic: Card
    removed: Card


Action = ChooseCard | ChooseRelic
