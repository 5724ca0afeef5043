"""Ids of texts that the rules put together at run time; `clients/web/texts.py` asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.titles.tigris.rules.phases import ConflictKind


def composed_ids() -> Iterator[str]:
    yield from (f"tigris.prompt.{kind.name.lower()}" for kind in ConflictKind)
