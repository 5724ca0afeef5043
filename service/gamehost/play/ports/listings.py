"""Lists of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Listing:
    """A game on a list, newest first by `(score, game)`."""

    game: str
    score: int


class Listings(Protocol):
    """Named lists of games, newest first."""

    async def add_to_list(self, shelf: str, listing: Listing, *, seconds: int | None = None) -> None:
        """A game that is on the shelf stays where it is; the shelf is forgotten so many seconds later."""
        ...

    async def remove_from_list(self, shelf: str, game: str) -> None: ...

    async def list_page(self, shelf: str, *, before: Listing | None, limit: int) -> Sequence[Listing]:
        """At most `limit` entries of a shelf, newest first, after `before` in that order."""
        ...

    async def list_size(self, shelf: str) -> int:
        """How many games are on a shelf."""
        ...
