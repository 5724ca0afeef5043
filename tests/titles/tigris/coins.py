"""Random sources that prefer actions which are rare in random games."""

from __future__ import annotations

import random
from typing import Any

from gamehost.titles.tigris.rules.actions import (
    BuildMonument,
    BuildWonder,
    ChooseSpace,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    RaiseBuilding,
    SwapTiles,
    WithdrawLeader,
)
from gamehost.titles.tigris.rules.material import Colour
from gamehost.titles.tigris.rules.spaces import Space

from .table import at


class Lazy(random.Random):
    """Almost always ends the turn."""

    def choice(self, seq: Any) -> Any:
        idle = [item for item in seq if isinstance(item, EndTurn)]
        return idle[0] if idle and self.random() < 0.95 else super().choice(seq)


class Restless(random.Random):
    """Almost always swaps tiles."""

    def choice(self, seq: Any) -> Any:
        swaps = [item for item in seq if isinstance(item, SwapTiles)]
        return swaps[0] if swaps and self.random() < 0.9 else super().choice(seq)


class Favouring(random.Random):
    """Prefers to place leaders and tiles on favoured spaces, and to build."""

    favoured: frozenset[Space] = frozenset()
    kinds: tuple[type, ...] = (PlaceTile, PlaceLeader)

    def choice(self, seq: Any) -> Any:
        liked = [item for item in seq if self.likes(item)]
        return super().choice(liked if liked and self.random() < 0.9 else seq)

    def likes(self, item: Any) -> bool:
        if isinstance(item, ChooseSpace):
            return item.space in self.favoured
        return isinstance(item, (*self.kinds, RaiseBuilding, BuildMonument, BuildWonder))


class Heaping(Favouring):
    """Prefers one area, which leads to many squares, lines, crosses and conflicts."""

    favoured = frozenset(Space(row, column) for row in range(3, 8) for column in range(4, 12))


def road(*names: str) -> set[Space]:
    """Returns the spaces between corners, first along the row and then along the column."""
    spaces = set()
    for start, end in zip(map(at, names), map(at, names[1:]), strict=False):
        low, high = sorted((start.column, end.column))
        spaces |= {Space(start.row, column) for column in range(low, high + 1)}
        low, high = sorted((start.row, end.row))
        spaces |= {Space(row, end.column) for row in range(low, high + 1)}
    return spaces


class Paving(Favouring):
    """Prefers spaces that link the treasures of the standard board, so that traders take them."""

    favoured = frozenset(
        road("B2", "F3", "I7", "F10", "B8") | road("F3", "K1", "N5", "P2") | road("N5", "O9", "K11", "F10")
    )

    def choice(self, seq: Any) -> Any:
        away = WithdrawLeader(Colour.GREEN) not in seq
        trader = PlaceLeader(Colour.GREEN)
        if trader in seq and away:
            return trader
        tiles = [item for item in seq if isinstance(item, PlaceTile)]
        if tiles:
            return super().choice([*tiles, SwapTiles()])
        return super().choice(seq)
