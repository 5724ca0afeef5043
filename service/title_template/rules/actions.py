"""The actions of Example Title."""

from __future__ import annotations

from dataclasses import dataclass

from .material import Card


@dataclass(frozen=True, slots=True)
class ChooseCard:
    """Lays a card of the hand face down."""

    card: Card


Action = ChooseCard
