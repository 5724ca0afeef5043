"""The rules of the Euphrates & Tigris card game, for two to four seats.

A treasure is at the head of each of eight columns of cards. Links join columns into kingdoms, leaders fight
for them, and cards of the hand are kept as points. Hands and piles are hidden.
"""

from .rules import TIGRIS_CARDS

RULES = TIGRIS_CARDS

__all__ = ["RULES", "TIGRIS_CARDS"]
