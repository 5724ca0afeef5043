"""Boards from which inboxes are told what is new."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

MOST_MARKS = 20_000

BOARD_SECONDS = 400 * 86400  # seconds


@dataclass(frozen=True, slots=True)
class Mark:
    """A name on a board. Whatever is marked later has a greater number."""

    number: int
    name: str


class InboxBoard(Protocol):
    """Boards of numbered names: what is new in the games of one caller."""

    async def mark(self, board: str, *, once: Sequence[str] = (), again: Sequence[str] = ()) -> None:
        """Number these names, in this order, in one step; `once` leaves names alone that have a number.

        The newest MOST_MARKS are kept, and a board is forgotten BOARD_LIFE seconds after its last mark.
        """
        ...

    async def marked(self, board: str, names: Sequence[str]) -> Sequence[bool]:
        """Which of these names have a number."""
        ...

    async def newest_mark(self, board: str) -> int:
        """The greatest number that was given on a board; 0 for none."""
        ...

    async def marks(self, board: str, *, after: int, limit: int | None = None) -> Sequence[Mark]:
        """Names with a greater number, the smallest first, and at most so many."""
        ...

    def follow_marks(self, board: str, *, after: int) -> AsyncIterator[Sequence[Mark]]:
        """Names with a greater number, then whatever is marked, for ever. Never yields nothing."""
        ...
