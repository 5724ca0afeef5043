"""Tides of Time: draft five cards three times over, and keep a relic of each tide."""

from .rules import TIDES

RULES = TIDES

__all__ = ["RULES", "TIDES"]
