"""The moves of bots: asked from a view and the legal actions, played like anybody's."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import Decision

from .acting import Answer, decided, open_question
from .errors import NotFound, NotNow, Stale
from .ledger import Ledger, Plan
from .ports import BotFailed, Bots, Question, Tally
from .rounds import look_again
from .table import Status, Table
from .tables import Tables


class Hosting:
    """`clock` gives microseconds since 1970; `think` pass before a bot answers, whatever it is asked."""

    def __init__(
        self,
        tables: Tables,
        ledger: Ledger,
        bots: Bots,
        tally: Tally,
        *,
        clock: Callable[[], int],
        think: int,
        secret: bytes,
    ) -> None:
        self._tables, self._ledger, self._bots, self._tally = tables, ledger, bots, tally
        self._clock, self._think, self._secret = clock, think, secret

    async def look(self, game_id: str) -> int | None:
        """Let one bot move at a table; when to look at it again, if ever."""
        try:
            table = await self._tables.fresh(game_id)
        except NotFound:
            return None
        if table.bots_to_move:
            table = await self._move(table, table.bots_to_move[0])
        if table.bots_to_move:
            return self._clock() + self._think
        hosts = table.status is Status.PLAYING and any(chair.bot_level for chair in table.chairs)
        return look_again(self._clock(), await self._tables.changed_at(table)) if hosts else None

    async def _move(self, table: Table, decision: Decision) -> Table:
        level = table.chairs[decision.seat].bot_level
        answer = Answer(decision.id, await self._choose(table, decision, level))

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

    async def _choose(self, table: Table, decision: Decision, level: str) -> Any:
        """What the bot says or, if it says nothing sensible, anything that is legal."""
        rules, seat = table.rules, decision.seat
        actions = list(rules.legal_actions(table.state, seat))
        luck = self._luck(table, decision)
        try:
            question = Question(rules.title, level, table.view(seat), decision, actions, luck)
            action = await self._bots.answer(question)
            if action not in actions:
                raise BotFailed("illegal")
        except BotFailed as failure:
            self._tally.bot_failed(rules.title, level, str(failure))
            (action,) = SeededChance(luck, 0).draw(actions, 1)
        return action

    def _luck(self, table: Table, decision: Decision) -> bytes:
        """A bot's own: it says nothing of the luck of the game, and a second attempt has the same."""
        asked = f"shedu:bot:v1:{table.game_id}:{decision.id}"
        return hmac.digest(self._secret, asked.encode(), hashlib.sha256)
