"""Luck for playing out games in thought: it can be had again, and it has no extremes."""

from __future__ import annotations

from random import Random

from gamehost.bots.bot import QuickChance
from gamehost.rules.kit import Chance

FACES = 6
SEEDS = 1 << 62


class SteadyChance(QuickChance):
    """Dice come in pairs that add up to seven: each face as likely as ever, the sum as good as average.

    A few games played out with such dice tell more about a choice than many with wild ones.
    """

    def __init__(self, source: Chance) -> None:
        super().__init__(source)
        self._seeds = Random(self._random.random())

    def seed(self) -> int:
        """For `restart`."""
        return self._seeds.randrange(SEEDS)

    def restart(self, seed: int) -> None:
        """From here on the same luck as ever after this seed."""
        self._random.seed(seed)

    def roll(self, dice: int, sides: int = FACES) -> tuple[int, ...]:
        faces = super().roll(dice // 2, sides)
        paired = [face for first in faces for face in (first, sides + 1 - first)]
        if dice % 2:
            paired.append(sides // 2 + super().roll(1, 2)[0] - 1)
        return tuple(paired)
