"""The codec of every title in the catalog."""

from __future__ import annotations

from .stone_age import STONE_AGE_CODEC
from .tides import TIDES_CODEC
from .tigris import TIGRIS_CODEC
from .tigris_cards import TIGRIS_CARDS_CODEC
from .title import TitleCodec

CODECS = (TIGRIS_CODEC, TIGRIS_CARDS_CODEC, TIDES_CODEC, STONE_AGE_CODEC)
TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in CODECS}
