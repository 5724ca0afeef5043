"""The codec of every title in the catalog."""

from __future__ import annotations

from .stone_age import STONE_AGE_CODEC
from .tides import TIDES_CODEC
from .title import TitleCodec

TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in (TIDES_CODEC, STONE_AGE_CODEC)}
