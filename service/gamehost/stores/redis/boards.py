"""Boards on Redis: sorted sets of numbered names, with their subscribers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from gamehost.play.ports.event_log import StoredEvent
from gamehost.play.ports.inbox_board import (
    BOARD_SECONDS,
    MOST_MARKS,
    Mark,
)

from .batching import NodeBatchers
from .keys import board_key
from .pubsub import PubSub, followed_events

MARK = Path(__file__).with_name("mark.lua").read_text()
BOARD_KEYS = ("marks", "newest", "subscribers")


class RedisBoards:
    """The part of the store that implements the port `InboxBoard`."""

    _writes: NodeBatchers
    _reads: NodeBatchers
    _pubsub: PubSub

    async def mark(self, board: str, *, once: Sequence[str] = (), again: Sequence[str] = ()) -> Sequence[str]:
        keys = [board_key(board, part) for part in BOARD_KEYS]
        news = board_key(board, "news")
        limits = (MOST_MARKS, BOARD_SECONDS)
        found = await self._writes.ask(
            "EVAL", MARK, len(keys), *keys, news, *limits, len(once), *once, *again
        )
        return [name.decode() for name in found[::2]]

    async def subscribe(self, board: str, name: str) -> None:
        await self._writes.ask("HSET", board_key(board, "subscribers"), name, "")

    async def unsubscribe(self, board: str, name: str) -> None:
        await self._writes.ask("HDEL", board_key(board, "subscribers"), name)

    async def remove_board(self, board: str) -> None:
        await self._writes.ask("UNLINK", *(board_key(board, part) for part in BOARD_KEYS))

    async def marked(self, board: str, names: Sequence[str]) -> Sequence[bool]:
        if not names:
            return []
        numbers = await self._reads.ask("ZMSCORE", board_key(board, "marks"), *names)
        return [number is not None for number in numbers]

    async def newest_mark(self, board: str) -> int:
        return int(await self._reads.ask("GET", board_key(board, "newest")) or 0)

    async def marks(self, board: str, *, after: int, limit: int | None = None) -> Sequence[Mark]:
        most = -1 if limit is None else limit
        entries = await self._reads.ask(
            *("ZRANGE", board_key(board, "marks"), f"({after}", "+inf", "BYSCORE", "LIMIT", 0, most),
            "WITHSCORES",
        )
        return [Mark(int(number), name.decode()) for name, number in entries]

    async def follow_marks(self, board: str, *, after: int) -> AsyncIterator[Sequence[Mark]]:
        """Follows a board in the same way as a log: a mark is handled as the event with its number."""
        with self._pubsub.watch(board, board_key(board, "news"), self._marks_after) as watch:
            async for found in followed_events(watch, after):
                yield [Mark(mark.version, mark.payload.decode()) for mark in found]

    async def _marks_after(self, board: str, after: int) -> Sequence[StoredEvent]:
        marks = await self.marks(board, after=after)
        return [StoredEvent(mark.number, mark.name.encode()) for mark in marks]
