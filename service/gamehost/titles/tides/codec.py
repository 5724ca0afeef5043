"""The values that the codec of Tides of Time caches: a score is sent in an event, and again in every view."""

from __future__ import annotations

from .rules.events import CardPoints, RoundScored, Score, SuitCount

MEMOIZED = (RoundScored, Score, SuitCount, CardPoints)
