"""Example Title: the highest card of each round takes a point."""

from .rules import EXAMPLE_TITLE

RULES = EXAMPLE_TITLE

__all__ = ["EXAMPLE_TITLE", "RULES"]
