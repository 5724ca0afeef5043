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
    title, generate = rules.title, f"python3 proto --title {rules.title}"
    messages, stored = f"shedu.{title}.v1.{title}_pb2", f"shedu.storage.{title}.v1.state_pb2"
    own = title_module(title, "codec")
    try:
        return title_codec(
            rules,
            import_module(messages),
            import_module(stored),
            specials=getattr(own, "SPECIALS", None),
            memoized=getattr(own, "MEMOIZED", ()),
        )
    except ModuleNotFoundError as error:
        missing = [module for module in (messages, stored) if error.name and module.startswith(error.name)]
        if not missing:
            raise
        raise BrokenTitle(title, "messages", f"{missing[0]} is missing; run `{generate}`") from error
    except TypeError as error:
        fix = f"{error}; change the dataclass, or run `{generate}`"
        raise BrokenTitle(title, "messages", fix) from error


CODECS = tuple(map(_codec, HOSTED))
TITLES: dict[str, TitleCodec] = {codec.rules.title: codec for codec in CODECS}
