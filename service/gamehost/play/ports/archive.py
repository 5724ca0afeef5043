"""Where finished games are kept outside the store."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.errors import Unreadable
from gamehost.play.ports.event_log import WholeGame


class DamagedArchive(Unreadable):
    """What was put away of a game is not what is found."""


class Archive(Protocol):
    """Where games go that are over. StoreUnavailable when it is away, Damaged for what is not as it was."""

    async def put(self, kept: WholeGame) -> None:
        """Keep a game, whole and checked, or not at all; a game that is there is replaced."""
        ...

    async def get(self, game: str) -> WholeGame | None: ...

    async def summary(self, game: str) -> bytes | None:
        """What lists show of a game; cheaper than all of it."""
        ...
