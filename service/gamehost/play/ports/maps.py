"""Named maps that change atomically, each with a ranking of members by score.

They hold what several processes change at the same time and what is not the log of a game: profiles, ratings
and the tickets of matchmaking.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MapChange:
    """A change of one map, which is made completely or not at all.

    It is made only if every field of `expect` has the given value; None means that the field is absent.
    `scores` ranks members of the map's ranking, or moves them; `unrank` removes them.
    """

    expect: Mapping[str, bytes | None] = field(default_factory=dict)
    put: Mapping[str, bytes] = field(default_factory=dict)
    remove: Collection[str] = ()
    scores: Mapping[str, int] = field(default_factory=dict)
    unrank: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A member of a ranking and its score."""

    member: str
    score: int


class Maps(Protocol):
    """Reads and changes maps."""

    async def map_fields(self, name: str, fields: Sequence[str]) -> Sequence[bytes | None]:
        """Return the values of these fields, None for those that are absent."""
        ...

    async def whole_map(self, name: str) -> Mapping[str, bytes]:
        """Return all fields of a map; only for maps that stay small, and for maintenance."""
        ...

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        """Make the change; False, and no change, if a field does not have the expected value.

        After a lost reply the store may be asked twice and then answers False although the change was made.
        A caller that gets False reads the map again to find out. With `seconds` the map expires that long
        after this change.
        """
        ...

    async def ranked(self, name: str, *, start: int, limit: int) -> Sequence[Ranked]:
        """Return at most `limit` members of the ranking from place `start` on, the greatest score first.

        Members with the same score are in descending order of their names.
        """
        ...

    async def place_of(self, name: str, member: str) -> int | None:
        """Return the 0-based place of a member in the ranking; None if it is not ranked."""
        ...

    async def ranking_size(self, name: str) -> int:
        """Return the number of ranked members."""
        ...
