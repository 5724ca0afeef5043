"""Answering a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamehost.rules.chance import SeededChance, luck_key
from gamehost.rules.kit import IllegalAction, Seat, led_to

from . import access
from .clocks import too_late
from .errors import NotNow, Refused, Stale, VersionInFuture
from .fairness import revelation
from .happenings import GameFinished
from .ledger import Change, Ledger, Plan
from .ports import Request
from .resigning import placed
from .table import Status, Table
from .tables import Tables


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat says to which question. `expected_version` refuses it anywhere else."""

    decision_id: str
    action: Any
    expected_version: int | None = None


class Acting:
    def __init__(self, tables: Tables, ledger: Ledger, clock: Callable[[], int]) -> None:
        self._tables, self._ledger, self._clock = tables, ledger, clock

    async def play(self, game_id: str, who: access.Who, answer: Answer, request: Request | None) -> Change:
        async def decide(table: Table) -> Plan:
            return await self._decide(table, access.owner(table, who), answer)

        return await self._ledger.change(game_id, decide, request, who)

    async def rehearse(self, game_id: str, who: access.Who, answer: Answer) -> Change:
        """Refuse what `play` would refuse, and change nothing."""
        table = await self._tables.fresh(game_id)
        await self._decide(table, access.owner(table, who), answer)
        return Change((), table)

    async def _decide(self, table: Table, seat: Seat, answer: Answer) -> Plan:
        _plays_itself(table, seat)
        open_question(table, seat, answer)
        if too_late(table, seat, self._clock()):
            raise NotNow("the time to answer is up", reason="TIME_UP")
        return decided(table, seat, answer.action, await self._tables.seed(table.game_id))


def decided(table: Table, seat: Seat, action: Any, seed: bytes) -> Plan:
    """What the rules say to an action."""
    chance = SeededChance(luck_key(seed, table.client_seeds), table.position)
    rules = table.rules
    try:
        events = rules.decide(table.state, seat, action, chance)
    except IllegalAction as illegal:
        raise Refused(
            illegal.detail, reason=illegal.reason, rule=illegal.rule, title=rules.title
        ) from illegal
    state = led_to(rules, events, table.state)
    outcome = rules.outcome(state)
    closing = [GameFinished(placed(outcome, table.chairs)), *revelation(table, seed)] if outcome else []
    return Plan([*events, *closing], seat, state, moves=True)


def _plays_itself(table: Table, seat: Seat) -> None:
    chair = table.chairs[seat]
    if table.status is not Status.PLAYING or not (chair.resigned or chair.bot_level):
        return
    if chair.resigned:
        raise NotNow(f"seat {seat} has given up", reason="SEAT_RESIGNED")
    message = f"a bot plays seat {seat} since its time was up: take it back first"
    raise NotNow(message, reason="SEAT_TAKEN_OVER")


def open_question(table: Table, seat: Seat, answer: Answer) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    expected = answer.expected_version
    if expected is not None and expected > table.version:
        raise VersionInFuture(f"version {expected} is not reached: the game is at {table.version}")
    if expected is not None and expected < table.version:
        message = f"the game has moved on from version {expected} to {table.version}"
        raise Stale(message, reason="STALE_VERSION", seen=expected, actual=table.version)
    for decision in table.decisions:
        if decision.id == answer.decision_id:
            if decision.seat == seat:
                return
            raise NotNow(
                f"decision {decision.id} is put to seat {decision.seat}, not {seat}",
                reason="NOT_YOUR_DECISION",
            )
    over = table.status is Status.FINISHED
    raise Stale(
        "the game is over" if over else "this decision is not open: it was answered, or never asked",
        reason="DECISION_ANSWERED",
        seen=table.version if expected is not None else max(table.chairs[seat].acted - 1, 0),
        actual=table.version,
    )
