"""Ids of texts that the rules put together at run time; `clients/web/texts.py` asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.titles.stone_age.rules.decisions import PROMPTS


def composed_ids() -> Iterator[str]:
    yield from (f"stone_age.prompt.{name}" for name in PROMPTS)
