"""What the tests of the web client must be told about the title."""

from __future__ import annotations

from typing import Any

LUCKY = {"cardsDrawn"}  # the events that tell of a draw
FIRST_SEAT_IS_DRAWN = False  # by the first event
SHORT: dict[str, Any] = {}  # settings of a game that is soon over
