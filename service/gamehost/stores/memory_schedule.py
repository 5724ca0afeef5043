"""Agendas and queues in dicts: the reference for the contract."""

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
    TakenGames,
    ThinkingPrice,
    most_ahead,
)

from .limits import check_score


@dataclass(frozen=True, slots=True)
class Scheduled:
    """When a game has to be looked at; with a lease, when somebody else may have to."""

    at: int
    lease: str = ""


@dataclass(slots=True)
class Turns:
    """The lanes of an agenda. A game that is `lined_up` waits there since the moment it was scheduled for."""

    lanes: dict[str, BotQueueKey] = field(default_factory=dict)
    lined_up: dict[str, int] = field(default_factory=dict)
    used: dict[tuple[bool, str], int] = field(default_factory=dict)
    arrived: dict[BotQueueKey, int] = field(default_factory=dict)

    def copy(self) -> Turns:
        return Turns({**self.lanes}, {**self.lined_up}, {**self.used}, {**self.arrived})

    def lane(self, game: str) -> BotQueueKey:
        return self.lanes.get(game, UNKNOWN_QUEUE)

    def account(self, lane: BotQueueKey) -> int:
        return self.used.get((lane.background, lane.payer), 0)

    def assign(self, game: str, lane: BotQueueKey) -> None:
        if self.lanes.get(game) != lane:
            self.lined_up.pop(game, None)
            self.lanes[game] = lane

    def line_up(self, game: str, at: int, now: int) -> None:
        self.lined_up.setdefault(game, at)
        self.arrived.setdefault(replace(self.lane(game), level=""), now)

    def pick(self, queue: str, background: bool, now: int, tariff: ThinkingPrice) -> str | None:
        """The next game of a queue: of the payer that has used least, the one that waits longest."""
        waiting = [game for game in self.lined_up if self._fits(game, queue, background)]
        if not waiting:
            return None
        first = min(waiting, key=lambda game: (*self._turn(game), self.lined_up[game], game))
        ahead = self.account(self.lane(first)) - now
        limited = background and tariff.burst and ahead > tariff.burst
        return None if limited else first

    def _fits(self, game: str, queue: str, background: bool) -> bool:
        lane = self.lane(game)
        return (lane.queue, lane.background) == (queue, background)

    def _turn(self, game: str) -> tuple[int, str]:
        lane = replace(self.lane(game), level="")
        return max(self.account(lane), self.arrived.get(lane, 0)), lane.payer

    def take(self, game: str, now: int, tariff: ThinkingPrice) -> None:
        del self.lined_up[game]
        lane = self.lane(game)
        before, cost = self.account(lane), tariff.cost(lane, tariff.estimate.get(lane.queue, 0))
        most = max(before + 1, now + most_ahead(tariff, lane))
        self.used[lane.background, lane.payer] = min(max(before, now) + cost, most)
        self.arrived[replace(lane, level="")] = now  # behind those who came before this turn
        waiting = {replace(self.lane(other), level="") for other in self.lined_up}
        self.arrived = {known: at for known, at in self.arrived.items() if known in waiting}


class MemorySchedule:
    """The part of the event store that is about what has to be looked at later."""

    def __init__(self) -> None:
        self._agendas: dict[str, dict[str, Scheduled]] = {}
        self._turns: dict[str, Turns] = {}
        self._leases = itertools.count(1)

    async def schedule(self, agenda: str, game: str, at: int, lane: BotQueueKey | None = None) -> None:
        check_score(at)
        if lane is not None:
            self._turns.setdefault(agenda, Turns()).assign(game, lane)
        scheduled = self._agendas.setdefault(agenda, {})
        known = scheduled.get(game)
        scheduled[game] = Scheduled(min(at, known.at) if known else at)

    async def due(self, agenda: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        scheduled = self._agendas.setdefault(agenda, {})
        found = [DueGame(game, at, str(next(self._leases))) for at, game in due_by(scheduled, now)[:limit]]
        scheduled.update({due.game: Scheduled(now + lease, due.lease) for due in found})
        return found

    async def take(
        self, agenda: str, now: int, *, room: Mapping[str, int], lease: int, tariff: ThinkingPrice
    ) -> TakenGames:
        scheduled = self._agendas.setdefault(agenda, {})
        turns = self._turns.setdefault(agenda, Turns())
        for moment, game in due_by(scheduled, now):
            turns.line_up(game, moment, now)
            scheduled[game] = Scheduled(now + RECHECK)
        found = list[DueGame]()
        for queue, most in room.items():
            while len([due for due in found if due.lane.queue == queue]) < most:
                first = turns.pick(queue, False, now, tariff) or turns.pick(queue, True, now, tariff)
                if first is None:
                    break
                due = DueGame(first, turns.lined_up[first], str(next(self._leases)), turns.lane(first))
                turns.take(first, now, tariff)
                scheduled[first] = Scheduled(now + lease, due.lease)
                found.append(due)
        return TakenGames(found, backlog(turns))

    async def renew(self, agenda: str, due: DueGame, until: int) -> bool:
        scheduled = self._agendas.setdefault(agenda, {})
        known = scheduled.get(due.game)
        if known is None or known.lease != due.lease:
            return False
        scheduled[due.game] = Scheduled(until, due.lease)
        return True

    async def settle(
        self, agenda: str, due: DueGame, at: int | None, lane: BotQueueKey | None = None, charge: int = 0
    ) -> bool:
        scheduled = self._agendas.setdefault(agenda, {})
        turns = self._turns.setdefault(agenda, Turns())
        turns.used[due.lane.background, due.lane.payer] = turns.account(due.lane) + charge
        known = scheduled.get(due.game)
        if known is None or known.lease != due.lease:
            return False
        if lane is not None:
            turns.assign(due.game, lane)
        if at is None:
            turns.lanes.pop(due.game, None)
            del scheduled[due.game]
        else:
            check_score(at)
            scheduled[due.game] = Scheduled(at)
        return True


def due_by(scheduled: Mapping[str, Scheduled], now: int) -> list[tuple[int, str]]:
    return sorted((kept.at, game) for game, kept in scheduled.items() if kept.at <= now)


def backlog(turns: Turns) -> list[Backlog]:
    lanes = [turns.lane(game) for game in turns.lined_up]
    counted = Counter((lane.queue, lane.background, lane.level) for lane in lanes)
    return [Backlog(*key, games) for key, games in counted.items()]
