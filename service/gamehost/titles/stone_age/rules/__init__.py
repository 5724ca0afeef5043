"""Stone Age: send people out, bring goods home, feed the tribe, and build a civilization."""

from .rules import STONE_AGE

RULES = STONE_AGE

__all__ = ["RULES", "STONE_AGE"]
