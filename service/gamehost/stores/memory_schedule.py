"""Schedules and bot queues in memory: the reference implementation of the port `ScheduleStore`."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gamehost.play.ports.schedule import (
    RECHECK,
    UNKNOWN_QUEUE,
    Backlog,
    BotQueueKey,
    DueGame,
    Outlook,
    TakenGames,
    ThinkingPrice,
    most_ahead,
)

from .limits import check_score


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The time at which a game is due. With a lease, that is when the lease expires."""

    at: int
    lease: str = ""


@dataclass(slots=True)
class BotQueues:
    """The bot queues of one schedule, see `bot_queues.lua`.

    A queue is fair between payers: the payer that has used the least thinking time is served first. What a
    payer has used is stored as a time, so that it decays by itself: a payer whose `used` is in the past owes
    nothing.
    """

    keys: dict[str, BotQueueKey] = field(default_factory=dict)
    waiting: dict[str, int] = field(default_factory=dict)  # games by the time they became due
    used: dict[tuple[bool, str], int] = field(default_factory=dict)  # by background and payer
    arrived: dict[BotQueueKey, int] = field(default_factory=dict)  # a payer's arrival or last turn

    def copy(self) -> BotQueues:
        return BotQueues({**self.keys}, {**self.waiting}, {**self.used}, {**self.arrived})

    def key(self, game: str) -> BotQueueKey:
        return self.keys.get(game, UNKNOWN_QUEUE)

    def used_by(self, key: BotQueueKey) -> int:
        return self.used.get((key.background, key.payer), 0)

    def assign(self, game: str, key: BotQueueKey) -> None:
        if self.keys.get(game) != key:
            self.waiting.pop(game, None)
            self.keys[game] = key

    def enqueue(self, game: str, at: int, now: int) -> None:
        self.waiting.setdefault(game, at)
        self.arrived.setdefault(replace(self.key(game), level=""), now)

    def pick(self, queue: str, background: bool, now: int, price: ThinkingPrice) -> str | None:
        """The next game of a queue: the oldest one of the payer whose turn it is; None if there is none."""
        games = [game for game in self.waiting if self._is_in(game, queue, background)]
        if not games:
            return None
        first = min(games, key=lambda game: (*self._turn(game), self.waiting[game], game))
        ahead = self.used_by(self.key(first)) - now
        limited = background and price.burst and ahead > price.burst
        return None if limited else first

    def _is_in(self, game: str, queue: str, background: bool) -> bool:
        key = self.key(game)
        return (key.queue, key.background) == (queue, background)

    def _turn(self, game: str) -> tuple[int, str]:
        # Levels are only counted for metrics; games of all levels wait in the same queue of their payer.
        key = replace(self.key(game), level="")
        return max(self.used_by(key), self.arrived.get(key, 0)), key.payer

    def take(self, game: str, now: int, price: ThinkingPrice) -> None:
        """Removes a game from its queue and charges the estimated cost to its payer."""
        del self.waiting[game]
        key = self.key(game)
        before, cost = self.used_by(key), price.cost(key, price.estimate.get(key.queue, 0))
        # At least one more than before, so that payers at the limit keep alternating.
        most = max(before + 1, now + most_ahead(price, key))
        self.used[key.background, key.payer] = min(max(before, now) + cost, most)
        self.arrived[replace(key, level="")] = now  # behind the payers that arrived before this turn
        waiting = {replace(self.key(other), level="") for other in self.waiting}
        self.arrived = {key: at for key, at in self.arrived.items() if key in waiting}


class MemorySchedule:
    """The part of the store that implements the port `ScheduleStore`."""

    def __init__(self) -> None:
        self._schedules: dict[str, dict[str, Scheduled]] = {}
        self._queues: dict[str, BotQueues] = {}
        self._leases = itertools.count(1)

    async def schedule(
        self, schedule_name: str, game: str, at: int, queue_key: BotQueueKey | None = None
    ) -> None:
        check_score(at)
        if queue_key is not None:
            self._queues.setdefault(schedule_name, BotQueues()).assign(game, queue_key)
        scheduled = self._schedules.setdefault(schedule_name, {})
        current = scheduled.get(game)
        # The new entry has no lease, so the worker that holds one cannot settle the game and overwrite this
        # time.
        # The time of a leased game is the end of its lease, which is no reason to ask a bot early.
        leased = queue_key is not None and current is not None and bool(current.lease)
        scheduled[game] = Scheduled(min(at, current.at) if current and not leased else at)

    async def due(self, schedule_name: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        scheduled = self._schedules.setdefault(schedule_name, {})
        found = [DueGame(game, at, str(next(self._leases))) for at, game in due_by(scheduled, now)[:limit]]
        scheduled.update({due.game: Scheduled(now + lease, due.lease) for due in found})
        return found

    async def take(
        self, schedule_name: str, now: int, *, room: Mapping[str, int], lease: int, price: ThinkingPrice
    ) -> TakenGames:
        scheduled = self._schedules.setdefault(schedule_name, {})
        queues = self._queues.setdefault(schedule_name, BotQueues())
        for at, game in due_by(scheduled, now):
            queues.enqueue(game, at, now)
            scheduled[game] = Scheduled(now + RECHECK)
        found = list[DueGame]()
        for queue, most in room.items():
            while len([due for due in found if due.queue_key.queue == queue]) < most:
                first = queues.pick(queue, False, now, price) or queues.pick(queue, True, now, price)
                if first is None:
                    break
                due = DueGame(first, queues.waiting[first], str(next(self._leases)), queues.key(first))
                queues.take(first, now, price)
                scheduled[first] = Scheduled(now + lease, due.lease)
                found.append(due)
        return TakenGames(found, waiting_games(queues))

    async def outlook(self, schedule_name: str) -> Outlook:
        times = [scheduled.at for scheduled in self._schedules.get(schedule_name, {}).values()]
        return Outlook(min(times, default=None), len(times))

    async def remove_schedule(self, schedule_name: str) -> None:
        self._schedules.pop(schedule_name, None)

    async def renew(self, schedule_name: str, due: DueGame, until: int) -> bool:
        scheduled = self._schedules.setdefault(schedule_name, {})
        current = scheduled.get(due.game)
        if current is None or current.lease != due.lease:
            return False
        scheduled[due.game] = Scheduled(until, due.lease)
        return True

    async def settle(
        self,
        schedule_name: str,
        due: DueGame,
        at: int | None,
        queue_key: BotQueueKey | None = None,
        charge: int = 0,
    ) -> bool:
        scheduled = self._schedules.setdefault(schedule_name, {})
        queues = self._queues.setdefault(schedule_name, BotQueues())
        # Charged before the lease is checked: the bot's own move ends the lease, but the time was used.
        queues.used[due.queue_key.background, due.queue_key.payer] = queues.used_by(due.queue_key) + charge
        current = scheduled.get(due.game)
        if current is None or current.lease != due.lease:
            return False
        if queue_key is not None:
            queues.assign(due.game, queue_key)
        if at is None:
            queues.keys.pop(due.game, None)
            del scheduled[due.game]
        else:
            check_score(at)
            scheduled[due.game] = Scheduled(at)
        return True


def due_by(scheduled: Mapping[str, Scheduled], now: int) -> list[tuple[int, str]]:
    return sorted((entry.at, game) for game, entry in scheduled.items() if entry.at <= now)


def waiting_games(queues: BotQueues) -> list[Backlog]:
    keys = [queues.key(game) for game in queues.waiting]
    counts = Counter((key.queue, key.background, key.level) for key in keys)
    return [Backlog(*key, games) for key, games in counts.items()]
