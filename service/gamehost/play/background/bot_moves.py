"""The moves of bots: asked from a view and the legal actions, played like anybody's."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.play.errors import NotFound, NotNow, Stale
from gamehost.play.ports.bots import BotFailed, BotQuestion, BotRunner, ignore_thinking
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.ports.schedule import BotQueueKey, DueGame
from gamehost.play.table.table import Status, Table, witnessed_events
from gamehost.play.tables.current import TableCache
from gamehost.play.use_cases.play_action import DecisionAnswer, check_decision_open, plan_of_action
from gamehost.play.writer import GameWriter, Plan
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Decision, Seat

from .bot_schedule import BotSchedule
from .schedule_worker import next_check


@dataclass(slots=True)
class Turn:
    """A game that was taken from its lane. `share` is how much of its time a bot may use, `spent` what it
    used in seconds; `thought_over` is called once nobody thinks about it any more."""

    due: DueGame
    share: float
    thought_over: Callable[[], None]
    spent: float = 0.0

    def thought(self, seconds: float) -> None:
        self.spent += seconds
        self.thought_over()


@dataclass(frozen=True, slots=True)
class Later:
    """When to look at a game again, if ever, and where it waits then."""

    at: int | None
    lane: BotQueueKey


class BotMover:
    """`clock` gives microseconds since 1970; `think` pass before a bot answers, whatever it is asked."""

    def __init__(
        self,
        tables: TableCache,
        ledger: GameWriter,
        agenda: BotSchedule,
        bots: BotRunner,
        tally: BackgroundMetrics,
        *,
        clock: Callable[[], int],
        think: int,
        secret: bytes,
    ) -> None:
        self._tables, self._writer, self._agenda = tables, ledger, agenda
        self._bots, self._metrics = bots, tally
        self._clock, self._think, self._secret = clock, think, secret

    async def check(self, game_id: str) -> int | None:
        """Let one bot move at a table; when to look at it again, if ever."""
        try:
            table = await self._tables.current(game_id)
        except NotFound:
            return None
        return await self._next(await self._moved(table))

    async def look_in_turn(self, turn: Turn) -> Later:
        """The same for a game that was taken from a lane, if that is where its next question belongs."""
        try:
            table = await self._tables.current(turn.due.game)
        except NotFound:
            return Later(None, turn.due.lane)
        lane = await self._agenda.lane(table)
        if lane.queue != turn.due.lane.queue or lane.background > turn.due.lane.background:
            return Later(turn.due.at, lane)  # it has not waited for its turn there
        table = await self._moved(table, turn)
        return Later(await self._next(table), await self._agenda.lane(table))

    async def _moved(self, table: Table, turn: Turn | None = None) -> Table:
        return await self._move(table, table.bots_to_move[0], turn) if table.bots_to_move else table

    async def _next(self, table: Table) -> int | None:
        if table.bots_to_move:
            return self._clock() + self._think
        hosts = table.status is Status.PLAYING and any(chair.bot_level for chair in table.chairs)
        return next_check(self._clock(), await self._tables.last_change_at(table)) if hosts else None

    async def _move(self, table: Table, decision: Decision, turn: Turn | None) -> Table:
        level = table.chairs[decision.seat].bot_level
        answer = DecisionAnswer(decision.id, await self._choose(table, decision, level, turn))

        async def play(newest: Table) -> Plan:
            if newest.chairs[decision.seat].bot_level != level:
                raise NotNow(f"another plays seat {decision.seat} now")
            check_decision_open(newest, decision.seat, answer)
            seed = await self._tables.seed(table.game_id)
            return plan_of_action(newest, decision.seat, answer.action, seed)

        try:
            change = await self._writer.change(table.game_id, play)
        except (NotNow, Stale):  # the seat was taken back, or another process was faster
            return await self._tables.cached(table.game_id)
        self._metrics.count_bot_move(table.rules.title, level)
        return change.table

    async def _choose(self, table: Table, decision: Decision, level: str, turn: Turn | None) -> Any:
        """What the bot says or, if it says nothing sensible, anything that is legal."""
        rules, seat = table.rules, decision.seat
        actions = list(rules.legal_actions(table.state, seat))
        luck = self._chance_key(table, decision)
        try:
            recalled = await self._witnessed(table, seat) if self._bots.remembers(level) else ()
            share = turn.share if turn else 1.0
            question = BotQuestion(
                rules.title, level, table.view(seat), decision, actions, luck, recalled, share
            )
            action = await self._bots.answer(question, turn.thought if turn else ignore_thinking)
            if action not in actions:
                raise BotFailed("illegal")
        except BotFailed as failure:
            self._metrics.count_bot_failure(rules.title, level, str(failure))
            (action,) = SeededChance(luck, 0).draw(actions, 1)
        return action

    async def _witnessed(self, table: Table, seat: Seat) -> Sequence[Any]:
        records = await self._tables.records(table.game_id, after=0, upto=table.version)
        return witnessed_events(table, records, seat)

    def _chance_key(self, table: Table, decision: Decision) -> bytes:
        """A bot's own: it says nothing of the luck of the game, and a second attempt has the same."""
        asked = f"shedu:bot:v1:{table.game_id}:{decision.id}"
        return hmac.digest(self._secret, asked.encode(), hashlib.sha256)
