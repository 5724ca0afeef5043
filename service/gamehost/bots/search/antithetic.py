"""A `Chance` for rollouts that can be restarted and has a low variance."""

from __future__ import annotations

from random import Random

from gamehost.bots.bot import QuickChance
from gamehost.rules.kit import Chance

FACES = 6
WORLD_SEEDS = 1 << 62


class AntitheticChance(QuickChance):
    """Rolls dice in pairs that add up to seven (antithetic variates).

    Each face keeps its probability, but the sum of a roll is close to its mean, so that fewer rollouts are
    needed to compare two actions.
    """

    def __init__(self, source: Chance) -> None:
        super().__init__(source)
        self._seeds = Random(self._random.random())

    def seed(self) -> int:
        """Return a new seed for `restart`."""
        return self._seeds.randrange(WORLD_SEEDS)

    def restart(self, seed: int) -> None:
        """Repeat the results that followed the last `restart` with the same seed."""
        self._random.seed(seed)

    def roll(self, dice: int, sides: int = FACES) -> tuple[int, ...]:
        faces = super().roll(dice // 2, sides)
        paired = [face for first in faces for face in (first, sides + 1 - first)]
        if dice % 2:  # the die without a partner shows one of the two middle faces
            paired.append(sides // 2 + super().roll(1, 2)[0] - 1)
        return tuple(paired)
