"""Luck without extremes, for playing out games in thought."""

from __future__ import annotations

from ..kit import QuickChance

FACES = 6


class SteadyChance(QuickChance):
    """Dice come in pairs that add up to seven: each face as likely as ever, the sum as good as average.

    A few games played out with such dice tell more about a choice than many with wild ones.
    """

    def roll(self, dice: int, sides: int = FACES) -> tuple[int, ...]:
        faces = super().roll((dice + 1) // 2, sides)
        paired = [face for first in faces for face in (first, sides + 1 - first)]
        if dice % 2:
            paired[-2:] = super().roll(1, 2)
            paired[-1] += sides // 2 - 1
        return tuple(paired[:dice])
