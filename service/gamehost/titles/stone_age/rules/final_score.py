"""The points of a seat at the end of a game."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import SignedInt


@dataclass(frozen=True, slots=True)
class FinalScore:
    """The points of a seat by source."""

    tiles: int
    """Points scored during the game by building tiles."""
    cards: int
    """Points scored during the game by buying cards."""
    hunger: int
    """Points lost by not feeding people, as a positive number."""
    cultures: int
    """Points for sets of symbols."""
    farmers: int
    """Points for farmers: their number times the position on the food track."""
    toolmakers: int
    """Points for toolmakers: their number times the value of the tools."""
    hut_builders: int
    """Points for hut builders: their number times the number of tiles."""
    shamans: int
    """Points for shamans: their number times the number of people."""
    resources: int
    """Points for the remaining resources."""
    any_two: int
    """Points for a card for any two resources that was not used."""
    total: SignedInt
    """The sum of all fields, with `hunger` subtracted."""
