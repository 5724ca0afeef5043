"""The rules of Tides of Time, a drafting game of three rounds for two seats."""

from .rules import TIDES

RULES = TIDES

__all__ = ["RULES", "TIDES"]
