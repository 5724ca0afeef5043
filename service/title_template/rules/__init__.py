"""The rules of Example Title: the highest card of each round scores a point."""

from .rules import EXAMPLE_TITLE

RULES = EXAMPLE_TITLE

__all__ = ["EXAMPLE_TITLE", "RULES"]
