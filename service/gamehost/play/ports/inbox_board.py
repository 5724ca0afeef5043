"""Boards: ordered sets of marks. That of a caller says what is new in its games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

MOST_MARKS = 20_000  # per board; older ones are removed
BOARD_SECONDS = 400 * 86400  # after its last mark a board expires


@dataclass(frozen=True, slots=True)
class Mark:
    """A name on a board. Later marks have greater numbers, so a number works as a cursor."""

    number: int
    name: str


class InboxBoard(Protocol):
    """Boards of numbered names, and the names of those who want to know about new ones."""

    async def mark(self, board: str, *, once: Sequence[str] = (), again: Sequence[str] = ()) -> Sequence[str]:
        """Give these names the next numbers, in this order and atomically. Returns the board's subscribers.

        Names in `once` that have a number keep it; names in `again` get a new one. The board keeps the newest
        MOST_MARKS names and expires BOARD_SECONDS after its last mark.
        """
        ...

    async def marked(self, board: str, names: Sequence[str]) -> Sequence[bool]:
        """Return for each of these names whether it has a number."""
        ...

    async def newest_mark(self, board: str) -> int:
        """Return the greatest number that was given on a board; 0 if none was."""
        ...

    async def marks(self, board: str, *, after: int, limit: int | None = None) -> Sequence[Mark]:
        """Return at most `limit` marks with numbers greater than `after`, the smallest first."""
        ...

    async def subscribe(self, board: str, name: str) -> None:
        """Have `mark` return this name. Unlike marks, subscribers do not expire."""
        ...

    async def unsubscribe(self, board: str, name: str) -> None: ...

    async def remove_board(self, board: str) -> None:
        """Remove the marks and the subscribers of a board."""
        ...

    def follow_marks(self, board: str, *, after: int) -> AsyncIterator[Sequence[Mark]]:
        """Yield the marks with numbers greater than `after`, then new ones; never an empty batch."""
        ...
