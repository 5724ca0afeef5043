"""The rules of Stone Age, a worker placement game for two to four seats."""

from .rules import STONE_AGE

RULES = STONE_AGE

__all__ = ["RULES", "STONE_AGE"]
