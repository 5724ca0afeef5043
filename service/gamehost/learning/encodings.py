"""The encoding of every title."""

from __future__ import annotations

from typing import Final

from . import stone_age, tides, tigris, tigris_cards
from .encoding import Encoding

ENCODINGS: Final[dict[str, Encoding]] = {
    title.ENCODING.title: title.ENCODING for title in (tigris, tigris_cards, tides, stone_age)
}
