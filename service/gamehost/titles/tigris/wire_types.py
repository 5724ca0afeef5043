"""The types that are on the wire instead of those that `codec` encodes, for `python3 proto --title`."""

from __future__ import annotations

from .rules.spaces import Mask, Space

WIRE_TYPES = {Mask: tuple[Space, ...]}
