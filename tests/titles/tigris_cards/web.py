"""Facts about the title for the tests of the web client."""

from __future__ import annotations

from typing import Any

LUCKY = {"cardsDrawn", "cardDrawn"}  # the events of draws
FIRST_SEAT_IS_DRAWN = True  # whether the first event draws the first seat
SHORT: dict[str, Any] = {}  # settings of a short game
