"""Talk in memory: the reference implementation of the port `TalkLog`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from gamehost.play.ports.talk_log import MOST_REMARKS, StoredRemark


@dataclass(slots=True)
class GameTalk:
    """The remarks and the mutes of one game."""

    remarks: list[StoredRemark] = field(default_factory=list)
    requests: dict[int, str] = field(default_factory=dict)
    mutes: set[str] = field(default_factory=set)
    grew: asyncio.Event = field(default_factory=asyncio.Event)

    def copy(self) -> GameTalk:
        return GameTalk([*self.remarks], {**self.requests}, {*self.mutes})


class MemoryTalk:
    """The part of the store that implements the port `TalkLog`; remarks do not expire."""

    def __init__(self) -> None:
        self._talk: dict[str, GameTalk] = {}

    async def add_remark(self, game: str, payload: bytes, *, request: str = "") -> StoredRemark:
        talk = self._of(game)
        for remark in talk.remarks:
            if request and talk.requests[remark.number] == request:
                return remark
        remark = StoredRemark(talk.remarks[-1].number + 1 if talk.remarks else 1, payload)
        talk.remarks = [*talk.remarks, remark][-MOST_REMARKS:]
        talk.requests[remark.number] = request
        talk.grew.set()
        talk.grew = asyncio.Event()
        return remark

    async def remarks(self, game: str, *, after: int, limit: int | None = None) -> Sequence[StoredRemark]:
        return [remark for remark in self._of(game).remarks if remark.number > after][:limit]

    async def follow_remarks(self, game: str, *, after: int) -> AsyncIterator[Sequence[StoredRemark]]:
        while True:
            grew = self._of(game).grew
            if found := await self.remarks(game, after=after):
                after = found[-1].number
                yield found
            else:
                await grew.wait()

    async def set_mute(self, game: str, name: str, *, muted: bool) -> None:
        mutes = self._of(game).mutes
        mutes.add(name) if muted else mutes.discard(name)

    async def mutes(self, game: str) -> set[str]:
        return {*self._of(game).mutes}

    def _of(self, game: str) -> GameTalk:
        return self._talk.setdefault(game, GameTalk())
