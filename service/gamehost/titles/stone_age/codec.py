"""The values that the codec of Stone Age caches: most cards and tiles are seen as after the last move."""

from __future__ import annotations

from .rules.model import CardView, TileView

MEMOIZED = (CardView, TileView)
