"""Goods, amounts of resources, and bills to pay with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import Final


class Good(IntEnum):
    """Goods that a roll of dice can give."""

    FOOD = 1
    WOOD = 2
    BRICK = 3
    STONE = 4
    GOLD = 5


@dataclass(frozen=True, slots=True)
class Resources:
    """An amount of each resource."""

    wood: int = 0
    brick: int = 0
    stone: int = 0
    gold: int = 0

    def __add__(self, other: Resources) -> Resources:
        return Resources(
            self.wood + other.wood, self.brick + other.brick, self.stone + other.stone, self.gold + other.gold
        )

    def __sub__(self, other: Resources) -> Resources:
        return Resources(
            self.wood - other.wood, self.brick - other.brick, self.stone - other.stone, self.gold - other.gold
        )

    @property
    def total(self) -> int:
        return self.wood + self.brick + self.stone + self.gold

    @property
    def value(self) -> int:
        """SA-1: the points that the resources are worth."""
        return 3 * self.wood + 4 * self.brick + 5 * self.stone + 6 * self.gold

    @property
    def kinds(self) -> int:
        return (self.wood > 0) + (self.brick > 0) + (self.stone > 0) + (self.gold > 0)

    @property
    def least(self) -> int:
        return min(self.wood, self.brick, self.stone, self.gold)

    def at_most(self, limit: int) -> Resources:
        return Resources(*(min(limit, held) for held in (self.wood, self.brick, self.stone, self.gold)))

    def __str__(self) -> str:
        counted = ((self.wood, "wood"), (self.brick, "brick"), (self.stone, "stone"), (self.gold, "gold"))
        return ", ".join(f"{count} {name}" for count, name in counted if count) or "nothing"


NOTHING: Final = Resources()
ONE: Final = {
    Good.WOOD: Resources(wood=1),
    Good.BRICK: Resources(brick=1),
    Good.STONE: Resources(stone=1),
    Good.GOLD: Resources(gold=1),
}


def some(good: Good, amount: int) -> Resources:
    one = ONE[good]
    return Resources(one.wood * amount, one.brick * amount, one.stone * amount, one.gold * amount)


def mixes(count: int, held: Resources | None = None) -> tuple[Resources, ...]:
    """Returns every combination of `count` resources, limited to those held if `held` is given."""
    most = Resources(count, count, count, count) if held is None else held
    spans = (range(min(count, kind), -1, -1) for kind in (most.wood, most.brick, most.stone))
    return tuple(
        Resources(wood, brick, stone, gold)
        for wood, brick, stone in product(*spans)
        if 0 <= (gold := count - wood - brick - stone) <= most.gold
    )


@dataclass(frozen=True, slots=True)
class Bill:
    """The requirements for a payment: a number of resources, of `kinds` different ones or `exactly` these."""

    rule: str
    least: int
    most: int
    kinds: int | None = None
    exactly: Resources | None = None
