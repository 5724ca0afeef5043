"""The encoding of every title: its own, or one that follows the types of its view and actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from gamehost.rules.catalog import CATALOG, title_part

from .encoding import Encoding
from .generic import generic_encoding


@cache
def encoding_of(title: str) -> Encoding:
    """Return the encoding of a title of the catalog.

    Raises BrokenTitle if it has none of its own and its actions cannot be numbered.
    """
    return title_part(title, "encoding", "ENCODING", Encoding) or generic_encoding(CATALOG[title])


class Encodings(Mapping[str, Encoding]):
    """The encodings by title, each made when it is first asked for: a broken one must not disturb others."""

    def __getitem__(self, title: str) -> Encoding:
        if title not in CATALOG:
            raise KeyError(title)
        return encoding_of(title)

    def __iter__(self) -> Iterator[str]:
        return iter(CATALOG)

    def __len__(self) -> int:
        return len(CATALOG)


ENCODINGS = Encodings()
