"""Pages of leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamehost.play.ports.maps import Maps

from .rating_model import Rating
from .rating_sequence import RatingSequence, is_bot_player, ratings_map


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """A line of a leaderboard; `place` counts from 0."""

    place: int
    player: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """Lines of a leaderboard, and the number of all of them."""

    lines: Sequence[LeaderboardLine]
    players: int


class Leaderboards:
    """Reads the leaderboards of titles."""

    def __init__(self, store: Maps, sequence: RatingSequence) -> None:
        self._store, self._sequence = store, sequence

    async def page(self, title: str, *, start: int, limit: int) -> LeaderboardPage:
        """Return `limit` lines from place `start` on."""
        name = ratings_map(title)
        found = await self._store.ranked(name, start=start, limit=limit)
        ratings = await self._sequence.ratings(title, [each.member for each in found])
        # A player who is deleting its data may have lost the rating, but not yet the place.
        lines = [
            LeaderboardLine(start + number, each.member, ratings[each.member])
            for number, each in enumerate(found)
            if each.member in ratings
        ]
        return LeaderboardPage(lines, await self._store.ranking_size(name))

    async def place_of(self, title: str, player: str) -> int | None:
        """Return the place of a player, None if it is not listed."""
        return await self._store.place_of(ratings_map(title), player)


def people_of(lines: Sequence[LeaderboardLine]) -> list[str]:
    """Return the players of the lines that are people."""
    return [line.player for line in lines if not is_bot_player(line.player)]
