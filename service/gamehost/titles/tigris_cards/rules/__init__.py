"""Euphrates & Tigris, the card game, for two to four seats.

Eight treasures in a row head columns of cards. Links join columns into kingdoms, leaders fight
over them, and cards from hand become points. Hidden hands, hidden piles, a deck without order.
"""

from .rules import TIGRIS_CARDS

RULES = TIGRIS_CARDS

__all__ = ["RULES", "TIGRIS_CARDS"]
