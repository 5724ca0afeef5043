"""The rules of Tigris & Euphrates, a tile-laying game for two to four seats."""

from .rules import TIGRIS

RULES = TIGRIS

__all__ = ["RULES", "TIGRIS"]
