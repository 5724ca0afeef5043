"""Tigris & Euphrates: dynasties found kingdoms between two rivers, and only the weakest sphere counts."""

from .rules import TIGRIS

RULES = TIGRIS

__all__ = ["RULES", "TIGRIS"]
