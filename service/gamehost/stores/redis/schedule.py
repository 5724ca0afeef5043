"""Agendas and queues on Redis: scripts, so that any number of processes share them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from hashlib import sha1
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
    TakenGames,
    ThinkingPrice,
    parse_queue_key,
)
from gamehost.stores.limits import check_score

from .batching import NodeBatchers
from .keys import schedule_key

AGENDA, TURNS = (Path(__file__).with_name(f"{name}.lua").read_text() for name in ("agenda", "turns"))
AGENDA_SHA, TURNS_SHA = (
    sha1(script.encode(), usedforsecurity=False).hexdigest() for script in (AGENDA, TURNS)
)
LISTED = ("due", "leases")
QUEUED = (*LISTED, "lanes", "waiting", "turns")


class RedisSchedule:
    """The part of the event store that is about what has to be looked at later."""

    _writes: NodeBatchers

    async def schedule(self, agenda: str, game: str, at: int, lane: BotQueueKey | None = None) -> None:
        check_score(at)
        if lane is None:
            await self._listed(agenda, "schedule", game, at)
        else:
            await self._queued(agenda, "schedule", game, at, str(lane))

    async def due(self, agenda: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        token = uuid.uuid4().hex
        found = await self._listed(agenda, "due", now, limit, now + lease, token)
        pairs = zip(found[::2], found[1::2], strict=True)
        return [DueGame(game.decode(), int(score), token) for game, score in pairs]

    async def take(
        self, agenda: str, now: int, *, room: Mapping[str, int], lease: int, tariff: ThinkingPrice
    ) -> TakenGames:
        token, wanted = uuid.uuid4().hex, list[str | int]()
        for queue, most in room.items():
            wanted += [queue, most, tariff.estimate.get(queue, 0)]
        limits = (tariff.burst, HORIZON, tariff.burst + LIMITED_HORIZON, RECHECK, AT_ONCE)
        found, waiting = await self._queued(
            agenda, "take", now, now + lease, token, *limits, str(tariff.weight), *wanted
        )
        games = zip(found[::3], found[1::3], found[2::3], strict=True)
        due = [
            DueGame(game.decode(), int(at), token, parse_queue_key(lane.decode())) for game, at, lane in games
        ]
        return TakenGames(due, [backlog(*each) for each in zip(waiting[::2], waiting[1::2], strict=True)])

    async def renew(self, agenda: str, due: DueGame, until: int) -> bool:
        return bool(await self._queued(agenda, "renew", due.game, due.lease, until))

    async def settle(
        self, agenda: str, due: DueGame, at: int | None, lane: BotQueueKey | None = None, charge: int = 0
    ) -> bool:
        when = "" if at is None else at
        if lane is None:
            return bool(await self._listed(agenda, "settle", due.game, due.lease, when))
        account = f"{due.lane.background:d}:{due.lane.payer}"
        task = ("settle", due.game, due.lease, when, str(lane), charge, account)
        return bool(await self._queued(agenda, *task))

    async def _listed(self, agenda: str, *task: str | int) -> Any:
        return await self._plan(AGENDA_SHA, [schedule_key(agenda, part) for part in LISTED], *task)

    async def _queued(self, agenda: str, *task: str | int) -> Any:
        return await self._plan(TURNS_SHA, [schedule_key(agenda, part) for part in QUEUED], *task)

    async def _plan(self, script: str, keys: Sequence[str], *task: str | int) -> Any:
        return await self._writes.ask("EVALSHA", script, len(keys), *keys, *task)


def backlog(name: bytes, games: bytes) -> Backlog:
    queue, background, level = name.decode().split(" ")
    return Backlog(queue, background == "1", level, int(games))
