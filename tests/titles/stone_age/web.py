"""What the tests of the web client must be told about the title."""

from __future__ import annotations

from typing import Any

LUCKY = {
    "cardRevealed",
    "tileRevealed",
    "cardDrawn",
    "diceRolled",
    "diceForAllRolled",
}  # the events that tell of a draw
FIRST_SEAT_IS_DRAWN = True  # by the first event
SHORT: dict[str, Any] = {"options": {"stone_age": {"maxRounds": 3}}}  # settings of a game that is soon over
