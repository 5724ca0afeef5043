"""The `Bot` protocol: it gets a view, a decision and the legal actions, and returns one of the actions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from gamehost.rules.kit import Chance, Decision

T = TypeVar("T")

SEED_PART = 1 << 16  # QuickChance draws its 64-bit seed in four parts of 16 bits


class Bot(Protocol):
    """Plays any seat of any game of its title. It keeps no state between decisions."""

    def decide(
        self,
        view: Any,
        decision: Decision,
        actions: Sequence[Any],
        chance: Chance,
        seen: Sequence[Any] = (),
    ) -> Any:
        """Return one of `actions`, which is never empty. The same `chance` gives the same answer.

        `seen` holds all events that the seat has witnessed, for levels with `remembers`; else it is empty.
        """
        ...


class QuickChance:
    """A fast pseudo-random `Chance` for imagined worlds.

    Results are as fair as those of real games, but cannot be proven to the players afterwards, so games
    themselves never use it.
    """

    def __init__(self, source: Chance) -> None:
        numbers = source.roll(4, SEED_PART)
        self._random = Random(sum((number - 1) << 16 * place for place, number in enumerate(numbers)))

    def roll(self, dice: int, sides: int = 6) -> tuple[int, ...]:
        # Three times faster than randint(), and rollouts roll many dice. The bias is about sides / 2**53.
        return tuple(1 + int(self._random.random() * sides) for _ in range(dice))

    def draw(self, bag: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._random.sample(bag, count))
