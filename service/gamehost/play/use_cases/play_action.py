"""Answering a decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamehost.play import access
from gamehost.play.errors import NotNow, Refused, Stale, VersionInFuture
from gamehost.play.fairness import seed_revealed
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.clocks import is_out_of_time
from gamehost.play.table.events import GameFinished
from gamehost.play.table.resignation import ranked_with_resigned
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.chance import SeededChance, luck_key
from gamehost.rules.kit import IllegalAction, Seat, led_to


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """What a seat says to which question. `expected_version` refuses it anywhere else."""

    decision_id: str
    action: Any
    expected_version: int | None = None


class PlayAction:
    def __init__(self, tables: TableCache, ledger: GameWriter, clock: Callable[[], int]) -> None:
        self._tables, self._writer, self._clock = tables, ledger, clock

    async def play(
        self, game_id: str, who: access.Principal, answer: DecisionAnswer, request: RequestKey | None
    ) -> Change:
        async def decide(table: Table) -> Plan:
            return await self._decide(table, access.acting_seat(table, who), answer)

        return await self._writer.change(game_id, decide, request, who)

    async def validate(self, game_id: str, who: access.Principal, answer: DecisionAnswer) -> Change:
        """Refuse what `play` would refuse, and change nothing."""
        table = await self._tables.current(game_id)
        await self._decide(table, access.acting_seat(table, who), answer)
        return Change((), table)

    async def _decide(self, table: Table, seat: Seat, answer: DecisionAnswer) -> Plan:
        _plays_itself(table, seat)
        check_decision_open(table, seat, answer)
        if is_out_of_time(table, seat, self._clock()):
            raise NotNow("the time to answer is up", reason="TIME_UP")
        return plan_of_action(table, seat, answer.action, await self._tables.seed(table.game_id))


def plan_of_action(table: Table, seat: Seat, action: Any, seed: bytes) -> Plan:
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
    closing = (
        [GameFinished(ranked_with_resigned(outcome, table.chairs)), *seed_revealed(table, seed)]
        if outcome
        else []
    )
    return Plan([*events, *closing], seat, state, moves=True)


def _plays_itself(table: Table, seat: Seat) -> None:
    chair = table.chairs[seat]
    if table.status is not Status.PLAYING or not (chair.resigned or chair.bot_level):
        return
    if chair.resigned:
        raise NotNow(f"seat {seat} has given up", reason="SEAT_RESIGNED")
    message = f"a bot plays seat {seat} since its time was up: take it back first"
    raise NotNow(message, reason="SEAT_TAKEN_OVER")


def check_decision_open(table: Table, seat: Seat, answer: DecisionAnswer) -> None:
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
