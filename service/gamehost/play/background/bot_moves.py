"""Makes the moves of bots. A bot gets a view and the legal actions, never a state."""

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
from gamehost.play.table.redaction import witnessed_events
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.use_cases.play_action import DecisionAnswer, check_decision_open, plan_of_action
from gamehost.play.writer import GameWriter, Plan
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Decision, Seat

from .bot_schedule import BotSchedule
from .schedule_worker import next_idle_check


@dataclass(slots=True)
class BotTurn:
    """A game that was taken from its bot queue for one bot move.

    `share` is the part of its usual time that the bot may use, `spent` the seconds it used. `on_thought` is
    called when the thinking is over.
    """

    due: DueGame
    share: float
    on_thought: Callable[[], None]
    spent: float = 0.0

    def thought(self, seconds: float) -> None:
        self.spent += seconds
        self.on_thought()


@dataclass(frozen=True, slots=True)
class NextCheck:
    """The time of the next check of a game, None for never, and the key of the bot queue it waits in then."""

    at: int | None
    queue_key: BotQueueKey


class BotMover:
    """Asks bots and plays their answers. `clock` returns microseconds since 1970.

    `think` is the number of microseconds between a decision and the answer of a bot, at least.
    """

    def __init__(
        self,
        tables: TableCache,
        writer: GameWriter,
        schedule: BotSchedule,
        bots: BotRunner,
        metrics: BackgroundMetrics,
        *,
        clock: Callable[[], int],
        think: int,
        secret: bytes,
    ) -> None:
        self._tables, self._writer, self._schedule = tables, writer, schedule
        self._bots, self._metrics = bots, metrics
        self._clock, self._think, self._secret = clock, think, secret

    async def check(self, game_id: str) -> int | None:
        """Let one bot move in a game. Returns when to check it again, None for never."""
        try:
            table = await self._tables.current(game_id)
        except NotFound:
            return None
        return await self._next_check_at(await self._with_one_move(table))

    async def check_in_turn(self, turn: BotTurn) -> NextCheck:
        """Let one bot move in a game that was taken from a bot queue, if it still belongs there."""
        try:
            table = await self._tables.current(turn.due.game)
        except NotFound:
            return NextCheck(None, turn.due.queue_key)
        queue_key = await self._schedule.queue_key(table)
        if (
            queue_key.queue != turn.due.queue_key.queue
            or queue_key.background > turn.due.queue_key.background
        ):
            # The game has changed since it was scheduled and now belongs in another queue or a lower
            # priority. It goes to that queue and waits its turn, or it would get ahead of the games there.
            return NextCheck(turn.due.at, queue_key)
        table = await self._with_one_move(table, turn)
        return NextCheck(await self._next_check_at(table), await self._schedule.queue_key(table))

    async def _with_one_move(self, table: Table, turn: BotTurn | None = None) -> Table:
        """Return the table after the move of one bot, unchanged if none has to move.

        Only one, even if several bots are to move: the next one waits for its turn like any other game.
        """
        return await self._move(table, table.bots_to_move[0], turn) if table.bots_to_move else table

    async def _next_check_at(self, table: Table) -> int | None:
        """Return when to check the game again: soon for the next bot, rarely as a fallback, else None."""
        if table.bots_to_move:
            return self._clock() + self._think
        has_bots = table.status is Status.PLAYING and any(chair.bot_level for chair in table.chairs)
        return next_idle_check(self._clock(), await self._tables.last_change_at(table)) if has_bots else None

    async def _move(self, table: Table, decision: Decision, turn: BotTurn | None) -> Table:
        """Ask the bot, play its answer, and return the new table."""
        level = table.chairs[decision.seat].bot_level
        answer = DecisionAnswer(decision.id, await self._choose(table, decision, level, turn))

        async def plan(newest: Table) -> Plan:
            # The bot thought about an older table; the seat may have been reclaimed or the decision answered.
            if newest.chairs[decision.seat].bot_level != level:
                raise NotNow(f"seat {decision.seat} is played by someone else now")
            check_decision_open(newest, decision.seat, answer)
            seed = await self._tables.seed(table.game_id)
            return plan_of_action(newest, decision.seat, answer.action, seed)

        try:
            change = await self._writer.change(table.game_id, plan)
        except (NotNow, Stale):  # the seat was reclaimed, or another process was faster
            return await self._tables.cached(table.game_id)
        self._metrics.count_bot_move(table.rules.title, level)
        return change.table

    async def _choose(self, table: Table, decision: Decision, level: str, turn: BotTurn | None) -> Any:
        """Return the answer of the bot, or a random legal action if it fails, so that the game goes on."""
        rules, seat = table.rules, decision.seat
        actions = list(rules.legal_actions(table.state, seat))
        chance_key = self._chance_key(table, decision)
        try:
            seen = await self._witnessed(table, seat) if self._bots.remembers(level) else ()
            share = turn.share if turn else 1.0
            question = BotQuestion(
                rules.title, level, table.view(seat), decision, actions, chance_key, seen, share
            )
            # The answer comes from another process and is checked like that of a person.
            action = await self._bots.answer(question, turn.thought if turn else ignore_thinking)
            if action not in actions:
                raise BotFailed("illegal")
        except BotFailed as error:
            self._metrics.count_bot_failure(rules.title, level, str(error))
            (action,) = SeededChance(chance_key, 0).draw(actions, 1)
        return action

    async def _witnessed(self, table: Table, seat: Seat) -> Sequence[Any]:
        """Return the events as the seat saw them, for levels that remember."""
        records = await self._tables.records(table.game_id, after=0, upto=table.version)
        return witnessed_events(table, records, seat)

    def _chance_key(self, table: Table, decision: Decision) -> bytes:
        """Return the key of the bot's own chance.

        It is independent of the seed of the game, so the bot's choices reveal nothing about coming draws. It
        depends on the decision alone, so that a second process that repeats the move gets the same answer.
        """
        message = f"shedu:bot:v1:{table.game_id}:{decision.id}"
        return hmac.digest(self._secret, message.encode(), hashlib.sha256)
