"""The rated games of each title that have ended and are not rated yet, in the order of their ends.

A writer enters a game before the event that ends it. So whoever is about to rate a game knows of those that
ended before it, also if another process holds them, or has died with them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from gamehost.play.caching import LruCache
from gamehost.play.ports.maps import MapChange, Maps
from gamehost.play.table.clocks import SECOND

TIES = 16  # games that end in the same microsecond, of which all are looked at
# So long after its time, an entry is one of a game that has not ended: the append has failed.
APPEND_GRACE = 15 * SECOND
# For longer, nothing waits for a game that cannot be rated, such as one that this release cannot read.
LONGEST_WAIT_FOR_A_GAME = 30 * SECOND
AWAITED_GAMES = 1000
LOOKS, LOOK_PAUSE = 3, 0.01  # seconds; before a game is rated that another process may have taken


@dataclass(frozen=True, slots=True)
class PendingGame:
    """A game and the time of its end, in microseconds since 1970."""

    game_id: str
    end: int

    @property
    def order(self) -> tuple[int, str]:
        """See `FinishedGame.order`."""
        return self.end, self.game_id


class EndOrder:
    """Says whose turn it is to be rated. `clock` returns microseconds since 1970.

    The ranking of a map has the games of a title; scores are negative, so that the first end comes first.
    """

    def __init__(self, store: Maps, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._awaited_since = LruCache[str, int](AWAITED_GAMES)

    async def add(self, title: str, game_id: str, end: int) -> None:
        """Enter a game that is about to end; a later time replaces an earlier one."""
        await self._store.change_map(ends_map(title), MapChange(scores={game_id: -end}))

    async def remove(self, title: str, game_id: str) -> None:
        """Remove a game that is rated, or will not be."""
        await self._store.change_map(ends_map(title), MapChange(unrank=[game_id]))

    async def awaited(self, title: str, game: PendingGame) -> PendingGame | None:
        """Return the first game if it ended before this one, None if it is this one's turn.

        Another process may be about to rate the first game, and gets a moment for that.
        """
        first = None
        for _ in range(LOOKS):
            first = await self._first(title)
            if first is None or first.order >= game.order or self._is_given_up(first):
                return None
            await asyncio.sleep(LOOK_PAUSE)
        return first

    def has_failed(self, game: PendingGame) -> bool:
        """Whether a game that has not ended will not end at the time that was entered."""
        return self._clock() - game.end > APPEND_GRACE

    async def _first(self, title: str) -> PendingGame | None:
        found = await self._store.ranked(ends_map(title), start=0, limit=TIES)
        pending = [PendingGame(each.member, -each.score) for each in found]
        return min(pending, key=lambda each: each.order, default=None)

    def _is_given_up(self, first: PendingGame) -> bool:
        now = self._clock()
        since = self._awaited_since.get(first.game_id) or self._awaited_since.put(first.game_id, now)
        return now - since > LONGEST_WAIT_FOR_A_GAME


def ends_map(title: str) -> str:
    """Return the name of the map with the pending games of a title."""
    return f"ends:{title}"
