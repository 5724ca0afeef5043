"""The codec that a process uses for all titles."""

from __future__ import annotations

from .store_codec import StoreCodec
from .titles import TITLES

# One codec per process: its renderer caches the messages of events, so that an event that was encoded for the
# log is not encoded again for the caller and the watchers.
CODEC = StoreCodec(TITLES)
RENDERER = CODEC.renderer
