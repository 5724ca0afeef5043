"""Schedules and bot queues on Redis. They are Lua scripts, so that any number of processes can share them."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha1
from itertools import chain
from pathlib import Path
from typing import Any

from gamehost.play.ports.schedule import (
    AT_ONCE,
    HORIZON,
    LIMITED_HORIZON,
    RECHECK,
    Backlog,
    BotQueueKey,
    DueGame,
    Outlook,
    TakenGames,
    ThinkingPrice,
    parse_queue_key,
)
from gamehost.stores.limits import check_score

from .batching import NodeBatchers
from .keys import SHARDED_SCHEDULES, schedule_key, schedule_shard, schedule_shards

SCHEDULE, BOT_QUEUES = (
    Path(__file__).with_name(f"{name}.lua").read_text() for name in ("schedule", "bot_queues")
)
SCHEDULE_SHA, BOT_QUEUES_SHA = (
    sha1(script.encode(), usedforsecurity=False).hexdigest() for script in (SCHEDULE, BOT_QUEUES)
)
SCHEDULE_KEYS = ("due", "leases")
BOT_QUEUES_KEYS = (*SCHEDULE_KEYS, "lanes", "waiting", "turns")


class RedisSchedule:
    """The part of the store that implements the port `ScheduleStore`."""

    _writes: NodeBatchers

    async def schedule(
        self, schedule_name: str, game: str, at: int, queue_key: BotQueueKey | None = None
    ) -> None:
        check_score(at)
        if queue_key is None:
            await self._run_schedule(schedule_shard(schedule_name, game), "schedule", game, at)
        else:
            await self._run_bot_queues(schedule_name, "schedule", game, at, str(queue_key))

    async def due(self, schedule_name: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        wanted = {schedule_name: limit}
        if schedule_name in SHARDED_SCHEDULES:
            wanted = await self._due_by_shard(schedule_name, now, limit)
        leased = await asyncio.gather(*(self._leased(*each, now, lease) for each in wanted.items()))
        return sorted(chain.from_iterable(leased), key=lambda due: (due.at, due.game))

    async def _due_by_shard(self, schedule_name: str, now: int, limit: int) -> dict[str, int]:
        """Return how many games of each shard are among the first that are due."""
        shards = schedule_shards(schedule_name)
        keys = [schedule_key(shard, "due") for shard in shards]
        options = ("-inf", now, "BYSCORE", "LIMIT", 0, limit, "WITHSCORES")
        found = await asyncio.gather(*(self._writes.ask("ZRANGE", key, *options) for key in keys))
        ready = [
            (int(score), game, shard) for shard, due in zip(shards, found, strict=True) for game, score in due
        ]
        return Counter(shard for _, _, shard in sorted(ready)[:limit])

    async def _leased(self, shard: str, limit: int, now: int, lease: int) -> list[DueGame]:
        token = uuid.uuid4().hex
        found = await self._run_schedule(shard, "due", now, limit, now + lease, token)
        pairs = zip(found[::2], found[1::2], strict=True)
        return [DueGame(game.decode(), int(score), token) for game, score in pairs]

    async def take(
        self, schedule_name: str, now: int, *, room: Mapping[str, int], lease: int, price: ThinkingPrice
    ) -> TakenGames:
        token, queues = uuid.uuid4().hex, list[str | int]()
        for queue, most in room.items():
            queues += [queue, most, price.estimate.get(queue, 0)]
        limits = (price.burst, HORIZON, price.burst + LIMITED_HORIZON, RECHECK, AT_ONCE)
        found, waiting = await self._run_bot_queues(
            schedule_name, "take", now, now + lease, token, *limits, str(price.weight), *queues
        )
        games = zip(found[::3], found[1::3], found[2::3], strict=True)
        due = [
            DueGame(game.decode(), int(at), token, parse_queue_key(queue_key.decode()))
            for game, at, queue_key in games
        ]
        return TakenGames(
            due, [parse_backlog(*each) for each in zip(waiting[::2], waiting[1::2], strict=True)]
        )

    async def outlook(self, schedule_name: str) -> Outlook:
        keys = [schedule_key(shard, "due") for shard in schedule_shards(schedule_name)]
        firsts, sizes = await asyncio.gather(
            asyncio.gather(*(self._writes.ask("ZRANGE", key, 0, 0, "WITHSCORES") for key in keys)),
            asyncio.gather(*(self._writes.ask("ZCARD", key) for key in keys)),
        )
        return Outlook(
            min((int(first[0][1]) for first in firsts if first), default=None), sum(map(int, sizes))
        )

    async def remove_schedule(self, schedule_name: str) -> None:
        for shard in schedule_shards(schedule_name):
            await self._writes.ask("UNLINK", *(schedule_key(shard, part) for part in SCHEDULE_KEYS))

    async def renew(self, schedule_name: str, due: DueGame, until: int) -> bool:
        return bool(await self._run_bot_queues(schedule_name, "renew", due.game, due.lease, until))

    async def settle(
        self,
        schedule_name: str,
        due: DueGame,
        at: int | None,
        queue_key: BotQueueKey | None = None,
        charge: int = 0,
    ) -> bool:
        time = "" if at is None else at
        if queue_key is None:
            # A game that an earlier release has entered has its lease in the schedule without shards.
            places = dict.fromkeys([schedule_shard(schedule_name, due.game), schedule_name])
            settled = [
                await self._run_schedule(place, "settle", due.game, due.lease, time) for place in places
            ]
            return any(settled)
        account = f"{due.queue_key.background:d}:{due.queue_key.payer}"
        task = ("settle", due.game, due.lease, time, str(queue_key), charge, account)
        return bool(await self._run_bot_queues(schedule_name, *task))

    async def _run_schedule(self, schedule_name: str, *task: str | int) -> Any:
        return await self._run_script(
            SCHEDULE_SHA, [schedule_key(schedule_name, part) for part in SCHEDULE_KEYS], *task
        )

    async def _run_bot_queues(self, schedule_name: str, *task: str | int) -> Any:
        return await self._run_script(
            BOT_QUEUES_SHA, [schedule_key(schedule_name, part) for part in BOT_QUEUES_KEYS], *task
        )

    async def _run_script(self, script: str, keys: Sequence[str], *task: str | int) -> Any:
        return await self._writes.ask("EVALSHA", script, len(keys), *keys, *task)


def parse_backlog(name: bytes, games: bytes) -> Backlog:
    queue, background, level = name.decode().split(" ")
    return Backlog(queue, background == "1", level, int(games))
