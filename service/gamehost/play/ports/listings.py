"""Lists of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Listing:
    """An entry of a list. Lists are sorted by `(score, game)`, the greatest first."""

    game: str
    score: int


class Listings(Protocol):
    """Named lists of games, newest first."""

    async def add_to_list(self, list_name: str, listing: Listing, *, seconds: int | None = None) -> None:
        """Add a game; a listed one keeps its score. The list expires after `seconds`, if given."""
        ...

    async def remove_from_list(self, list_name: str, game: str) -> None: ...

    async def list_page(self, list_name: str, *, before: Listing | None, limit: int) -> Sequence[Listing]:
        """Return at most `limit` entries, newest first, beginning after the entry `before`."""
        ...

    async def list_size(self, list_name: str) -> int:
        """Return the number of games on a list."""
        ...
