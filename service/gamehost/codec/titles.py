"""The codec of every title in the catalog."""

from __future__ import annotations

from .tides import TIDES_CODEC
from .tigris import TIGRIS_CODEC
from .title import TitleCodec

TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in (TIDES_CODEC, TIGRIS_CODEC)}
