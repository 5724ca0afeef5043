"""What a bot is: a view, a decision and the legal actions in, one of those actions out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from gamehost.rules.kit import Chance, Decision

T = TypeVar("T")

NUMBERS = 1 << 16


class Bot(Protocol):
    """Plays any seat of any game of its title; it remembers nothing from one decision to the next."""

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        """One of `actions`, which are never empty; the same luck gives the same answer.

        `seen` are all events that the seat has witnessed, for a level that wants to be reminded of them.
        """
        ...


class QuickChance:
    """Luck for imagined worlds: as fair as play's, much faster, provable to no one."""

    def __init__(self, source: Chance) -> None:
        numbers = source.roll(4, NUMBERS)
        self._random = Random(sum((number - 1) << 16 * place for place, number in enumerate(numbers)))

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        return tuple(1 + int(self._random.random() * sides) for _ in range(dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._random.sample(bag, count))
