"""Whom each player has met lately in games of matchmaking, so that it meets others next."""

from __future__ import annotations

import json
from collections.abc import Collection

from gamehost.play.ports.maps import MapChange, Maps

from .profiles import Profiles

MOST_RECENT = 5  # opponents that a player is not seated with again while there are others
RECENT_FIELD = "recent"
RECENT_SECONDS = 86400


class RecentOpponents:
    """Reads and changes the recent opponents of players. `profiles` say who has deleted its data."""

    def __init__(self, store: Maps, profiles: Profiles) -> None:
        self._store, self._profiles = store, profiles

    async def of(self, player: str) -> tuple[str, ...]:
        """Return the players that a player has met lately."""
        [value] = await self._store.map_fields(recent_map(player), [RECENT_FIELD])
        return tuple(json.loads(value or b"[]"))

    async def add(self, player: str, met: Collection[str]) -> None:
        """Remember that a player has met these others."""
        before = [each for each in await self.of(player) if each not in met]
        recent = json.dumps([*before, *met][-MOST_RECENT:]).encode()
        # Without an expectation: of two games that begin at once, one may be forgotten.
        await self._store.change_map(
            recent_map(player), MapChange(put={RECENT_FIELD: recent}), seconds=RECENT_SECONDS
        )
        # After the write: whoever deletes its data removes what was written before that, so nothing stays.
        if not (await self._profiles.handles([player]))[player]:
            await self.forget(player)

    async def forget(self, player: str) -> None:
        """Remove what is kept for a player who deletes its data."""
        await self._store.change_map(recent_map(player), MapChange(remove=[RECENT_FIELD]))


def recent_map(player: str) -> str:
    """Return the name of the map with the recent opponents of a player."""
    return f"recent:{player}"
