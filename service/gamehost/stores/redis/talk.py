"""Talk on Redis: a stream and a hash for each game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from gamehost.play.ports.event_log import StoredEvent
from gamehost.play.ports.talk_log import MOST_REMARKS, TALK_SECONDS, StoredRemark

from .batching import NodeBatchers
from .keys import game_key
from .pubsub import PubSub, followed_events

ADD_REMARK = Path(__file__).with_name("talk.lua").read_text()
TALK_KEYS = ("talk", "mutes")


class RedisTalk:
    """The part of the store that implements the port `TalkLog`."""

    _writes: NodeBatchers
    _reads: NodeBatchers
    _pubsub: PubSub

    async def add_remark(self, game: str, payload: bytes, *, request: str = "") -> StoredRemark:
        task = (game_key(game, "talk-news"), MOST_REMARKS, TALK_SECONDS, request, payload)
        number, kept = await self._writes.ask("EVAL", ADD_REMARK, 1, game_key(game, "talk"), *task)
        return StoredRemark(int(number), kept)

    async def remarks(self, game: str, *, after: int, limit: int | None = None) -> Sequence[StoredRemark]:
        wanted = ("XRANGE", game_key(game, "talk"), f"{after + 1}-0", "+")
        entries = await self._reads.ask(*wanted, *(() if limit is None else ["COUNT", limit]))
        return [StoredRemark(int(entry_id.partition(b"-")[0]), fields[b"p"]) for entry_id, fields in entries]

    async def follow_remarks(self, game: str, *, after: int) -> AsyncIterator[Sequence[StoredRemark]]:
        """Follows the talk in the same way as a log: a remark is handled as the event with its number."""
        with self._pubsub.watch(game, game_key(game, "talk-news"), self._remarks_after) as watch:
            async for found in followed_events(watch, after):
                yield [StoredRemark(each.version, each.payload) for each in found]

    async def _remarks_after(self, game: str, after: int) -> Sequence[StoredEvent]:
        found = await self.remarks(game, after=after)
        return [StoredEvent(remark.number, remark.payload) for remark in found]

    async def set_mute(self, game: str, name: str, *, muted: bool) -> None:
        key = game_key(game, "mutes")
        if muted:
            await self._writes.ask("HSET", key, name, "")
            await self._writes.ask("EXPIRE", key, TALK_SECONDS)
        else:
            await self._writes.ask("HDEL", key, name)

    async def mutes(self, game: str) -> set[str]:
        found = await self._reads.ask("HGETALL", game_key(game, "mutes"))
        return {name.decode() for name in found}
