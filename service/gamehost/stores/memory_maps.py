"""Maps in memory: the part of the memory store that implements the port `Maps`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gamehost.play.ports.maps import MapChange, Ranked

from .limits import check_score


@dataclass(slots=True)
class MemoryMap:
    """The fields and the ranking of one map."""

    fields: dict[str, bytes] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)

    def copy(self) -> MemoryMap:
        """Return an independent map with the same contents."""
        return MemoryMap({**self.fields}, {**self.scores})


class MemoryMaps:
    """Implements the port `Maps` in dicts; maps do not expire."""

    def __init__(self) -> None:
        self._maps: dict[str, MemoryMap] = {}

    async def map_fields(self, name: str, fields: Sequence[str]) -> Sequence[bytes | None]:
        found = self._map(name).fields
        return [found.get(each) for each in fields]

    async def whole_map(self, name: str) -> Mapping[str, bytes]:
        return dict(self._map(name).fields)

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        for score in change.scores.values():
            check_score(score)
        kept = self._map(name)
        if any(kept.fields.get(each) != value for each, value in change.expect.items()):
            return False
        kept.fields.update(change.put)
        kept.scores.update(change.scores)
        for each in change.remove:
            kept.fields.pop(each, None)
        for each in change.unrank:
            kept.scores.pop(each, None)
        return True

    async def ranked(self, name: str, *, start: int, limit: int) -> Sequence[Ranked]:
        return self._ranking(name)[start : start + limit]

    async def place_of(self, name: str, member: str) -> int | None:
        members = [each.member for each in self._ranking(name)]
        return members.index(member) if member in members else None

    async def ranking_size(self, name: str) -> int:
        return len(self._map(name).scores)

    def _map(self, name: str) -> MemoryMap:
        return self._maps.setdefault(name, MemoryMap())

    def _ranking(self, name: str) -> list[Ranked]:
        scores = self._map(name).scores
        order = sorted(scores, key=lambda member: (scores[member], member.encode()), reverse=True)
        return [Ranked(member, scores[member]) for member in order]
