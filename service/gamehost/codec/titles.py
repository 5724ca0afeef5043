"""The codec of every title in the catalog."""

from __future__ import annotations

from importlib import import_module

from gamehost.rules.catalog import HOSTED, title_module
from gamehost.rules.contract import BrokenTitle
from gamehost.rules.kit import AnyRules

from .title import TitleCodec, title_codec


def _codec(rules: AnyRules) -> TitleCodec:
    """Builds the codec of a title from its generated messages and, if it has one, its module `codec`.

    Raises BrokenTitle if the messages are missing or do not mirror the dataclasses.
    """
    messages, generate = f"shedu.{rules.title}.v1.{rules.title}_pb2", f"python3 proto --title {rules.title}"
    own = title_module(rules.title, "codec")
    try:
        return title_codec(
            rules,
            import_module(messages),
            specials=getattr(own, "SPECIALS", None),
            memoized=getattr(own, "MEMOIZED", ()),
        )
    except ModuleNotFoundError as error:
        if error.name is None or not messages.startswith(error.name):
            raise
        raise BrokenTitle(rules.title, "messages", f"{messages} is missing; run `{generate}`") from error
    except TypeError as error:
        fix = f"{error}; change the dataclass, or run `{generate}`"
        raise BrokenTitle(rules.title, "messages", fix) from error


CODECS = tuple(map(_codec, HOSTED))
TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in CODECS}
