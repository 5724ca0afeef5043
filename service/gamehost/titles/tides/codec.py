"""What the codec of Tides of Time remembers: a score is sent in an event, and again in every view."""

from __future__ import annotations

from .rules.events import RoundScored, Score

MEMOIZED = (RoundScored, Score)
