"""Ids of texts that the rules put together at run time; `clients/web/texts.py` asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from gamehost.rules.catalog import CATALOG
from gamehost.titles.tigris_cards.rules.model import Phase


def composed_ids() -> Iterator[str]:
    yield from (f"tigris_cards.{_snake_case(kind)}" for kind in CATALOG["tigris_cards"].actions)
    yield from (f"tigris_cards.asks.{_snake_case(phase)}" for phase in get_args(Phase))


def _snake_case(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
