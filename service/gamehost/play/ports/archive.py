"""The archive: long-term storage of finished games outside the store."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.errors import Unreadable
from gamehost.play.ports.event_log import WholeGame


class DamagedArchive(Unreadable):
    """The archived bytes of a game are not the ones that were written."""


class Archive(Protocol):
    """Stores finished games.

    All methods raise StoreUnavailable if the archive cannot be reached, and DamagedArchive if the stored
    bytes fail their check.
    """

    async def put(self, game: WholeGame) -> None:
        """Store a game completely and verify it, or raise; an archived game with that id is replaced."""
        ...

    async def get(self, game: str) -> WholeGame | None:
        """Return a game, or None if it is not archived."""
        ...

    async def summary(self, game: str) -> bytes | None:
        """Return the summary of a game, which lists show, without reading the rest of it."""
        ...
