"""The moves of bots: asked from a view and the legal actions, played like anybody's."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Decision, Seat

from .acting import Answer, decided, open_question
from .bot_agenda import BotAgenda
from .errors import NotFound, NotNow, Stale
from .ledger import Ledger, Plan
from .ports import BotFailed, Bots, Due, Question, Tally, unheeded
from .rounds import look_again
from .schedule import Lane
from .table import Status, Table, seen
from .tables import Tables


@dataclass(slots=True)
class Turn:
    """A game that was taken from its lane. `share` is how much of its time a bot may use, `spent` what it
    used in seconds; `thought_over` is called once nobody thinks about it any more."""

    due: Due
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
    lane: Lane


class Hosting:
    """`clock` gives microseconds since 1970; `think` pass before a bot answers, whatever it is asked."""

    def __init__(
        self,
        tables: Tables,
        ledger: Ledger,
        agenda: BotAgenda,
        bots: Bots,
        tally: Tally,
        *,
        clock: Callable[[], int],
        think: int,
        secret: bytes,
    ) -> None:
        self._tables, self._ledger, self._agenda = tables, ledger, agenda
        self._bots, self._tally = bots, tally
        self._clock, self._think, self._secret = clock, think, secret

    async def look(self, game_id: str) -> int | None:
        """Let one bot move at a table; when to look at it again, if ever."""
        try:
            table = await self._tables.fresh(game_id)
        except NotFound:
            return None
        return await self._next(await self._moved(table))

    async def look_in_turn(self, turn: Turn) -> Later:
        """The same for a game that was taken from a lane, if that is where its next question belongs."""
        try:
            table = await self._tables.fresh(turn.due.game)
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
        return look_again(self._clock(), await self._tables.changed_at(table)) if hosts else None

    async def _move(self, table: Table, decision: Decision, turn: Turn | None) -> Table:
        level = table.chairs[decision.seat].bot_level
        answer = Answer(decision.id, await self._choose(table, decision, level, turn))

        async def play(newest: Table) -> Plan:
            if newest.chairs[decision.seat].bot_level != level:
                raise NotNow(f"another plays seat {decision.seat} now")
            open_question(newest, decision.seat, answer)
            seed = await self._tables.seed(table.game_id)
            return decided(newest, decision.seat, answer.action, seed)

        try:
            change = await self._ledger.change(table.game_id, play)
        except (NotNow, Stale):  # the seat was taken back, or another process was faster
            return await self._tables.known(table.game_id)
        self._tally.bot_moved(table.rules.title, level)
        return change.table

    async def _choose(self, table: Table, decision: Decision, level: str, turn: Turn | None) -> Any:
        """What the bot says or, if it says nothing sensible, anything that is legal."""
        rules, seat = table.rules, decision.seat
        actions = list(rules.legal_actions(table.state, seat))
        luck = self._luck(table, decision)
        try:
            recalled = await self._recalled(table, seat) if self._bots.remembers(level) else ()
            share = turn.share if turn else 1.0
            question = Question(
                rules.title, level, table.view(seat), decision, actions, luck, recalled, share
            )
            action = await self._bots.answer(question, turn.thought if turn else unheeded)
            if action not in actions:
                raise BotFailed("illegal")
        except BotFailed as failure:
            self._tally.bot_failed(rules.title, level, str(failure))
            (action,) = SeededChance(luck, 0).draw(actions, 1)
        return action

    async def _recalled(self, table: Table, seat: Seat) -> Sequence[Any]:
        records = await self._tables.records(table.game_id, after=0, upto=table.version)
        return seen(table, records, seat)

    def _luck(self, table: Table, decision: Decision) -> bytes:
        """A bot's own: it says nothing of the luck of the game, and a second attempt has the same."""
        asked = f"shedu:bot:v1:{table.game_id}:{decision.id}"
        return hmac.digest(self._secret, asked.encode(), hashlib.sha256)
