"""Maps on Redis: a hash for the fields and a sorted set for the ranking, changed together by a Lua script."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha1
from pathlib import Path

from gamehost.play.ports.maps import MapChange, Ranked
from gamehost.stores.limits import check_score

from .batching import NodeBatchers
from .commands import Part
from .keys import map_key

CHANGE_MAP = Path(__file__).with_name("maps.lua").read_text()
CHANGE_MAP_SHA = sha1(CHANGE_MAP.encode(), usedforsecurity=False).hexdigest()


class RedisMaps:
    """The part of the store that implements the port `Maps`."""

    _writes: NodeBatchers
    _reads: NodeBatchers

    async def map_fields(self, name: str, fields: Sequence[str]) -> Sequence[bytes | None]:
        key = map_key(name, "fields")
        # One HGET for each, which the batcher sends together: HMGET would be one more command to permit.
        found: list[bytes | None] = await asyncio.gather(
            *(self._reads.ask("HGET", key, each) for each in fields)
        )
        return found

    async def whole_map(self, name: str) -> Mapping[str, bytes]:
        found = await self._reads.ask("HGETALL", map_key(name, "fields"))
        return {field.decode(): value for field, value in found.items()}

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        for score in change.scores.values():
            check_score(score)
        keys = map_key(name, "fields"), map_key(name, "ranks")
        arguments = script_arguments(change, seconds)
        return bool(await self._writes.ask("EVALSHA", CHANGE_MAP_SHA, len(keys), *keys, *arguments))

    async def ranked(self, name: str, *, start: int, limit: int) -> Sequence[Ranked]:
        if limit < 1:
            return []
        entries = await self._reads.ask(
            "ZRANGE", map_key(name, "ranks"), start, start + limit - 1, "REV", "WITHSCORES"
        )
        return [Ranked(member.decode(), int(score)) for member, score in entries]

    async def place_of(self, name: str, member: str) -> int | None:
        place = await self._reads.ask("ZREVRANK", map_key(name, "ranks"), member)
        return None if place is None else int(place)

    async def ranking_size(self, name: str) -> int:
        return int(await self._reads.ask("ZCARD", map_key(name, "ranks")))


def script_arguments(change: MapChange, seconds: int | None) -> list[Part]:
    """Returns the arguments of maps.lua for a change."""
    found: list[Part] = ["" if seconds is None else seconds, len(change.expect)]
    for field, value in change.expect.items():
        found += [field, int(value is not None), value or b""]
    found.append(len(change.put))
    for field, value in change.put.items():
        found += [field, value]
    found += [len(change.remove), *change.remove, len(change.scores)]
    for member, score in change.scores.items():
        found += [member, score]
    return [*found, len(change.unrank), *change.unrank]
