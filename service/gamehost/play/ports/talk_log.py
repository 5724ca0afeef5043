"""What the seats of a game have said, beside the log of the game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

MOST_REMARKS = 200  # of a game; older ones are removed
TALK_SECONDS = 30 * 86400  # after the last remark or change of mutes they expire


@dataclass(frozen=True, slots=True)
class StoredRemark:
    """An encoded remark. Later ones have greater numbers, also after older ones have expired."""

    number: int
    payload: bytes


class TalkLog(Protocol):
    """The newest remarks of each game, and who has muted whom. They are removed with the game."""

    async def add_remark(self, game: str, payload: bytes, *, request: str = "") -> StoredRemark:
        """Add a remark, and return it. A request that is among the kept ones returns its first remark."""
        ...

    async def remarks(self, game: str, *, after: int, limit: int | None = None) -> Sequence[StoredRemark]:
        """Return at most `limit` remarks with numbers greater than `after`, the smallest first."""
        ...

    def follow_remarks(self, game: str, *, after: int) -> AsyncIterator[Sequence[StoredRemark]]:
        """Yield the remarks with numbers greater than `after`, then new ones; never an empty batch."""
        ...

    async def set_mute(self, game: str, name: str, *, muted: bool) -> None:
        """Add or remove a name of the mutes of a game."""
        ...

    async def mutes(self, game: str) -> set[str]: ...
