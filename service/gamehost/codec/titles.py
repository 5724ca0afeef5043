"""The codec of every title in the catalog."""

from __future__ import annotations

from importlib import import_module

from gamehost.rules.catalog import HOSTED, title_module
from gamehost.rules.kit import AnyRules

from .title import TitleCodec, title_codec


def _codec(rules: AnyRules) -> TitleCodec:
    """Builds the codec of a title from its generated messages and, if it has one, its module `codec`."""
    messages = import_module(f"shedu.{rules.title}.v1.{rules.title}_pb2")
    own = title_module(rules.title, "codec")
    return title_codec(
        rules, messages, specials=getattr(own, "SPECIALS", None), memoized=getattr(own, "MEMOIZED", ())
    )


CODECS = tuple(map(_codec, HOSTED))
TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in CODECS}
