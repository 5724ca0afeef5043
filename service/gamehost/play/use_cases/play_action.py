"""Playing an action: the answer of a seat to an open decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamehost.play import access
from gamehost.play.errors import NotNow, NotYourSeat, Refused, Stale, VersionInFuture
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
    """An action for a decision. With `expected_version` it is refused at any other version."""

    decision_id: str
    action: Any
    expected_version: int | None = None


class PlayAction:
    """Plays and validates actions. `clock` returns microseconds since 1970."""

    def __init__(self, tables: TableCache, writer: GameWriter, clock: Callable[[], int]) -> None:
        self._tables, self._writer, self._clock = tables, writer, clock

    async def play(
        self, game_id: str, principal: access.Principal, answer: DecisionAnswer, request: RequestKey | None
    ) -> Change:
        """Answer a decision with an action.

        Raises Refused if the rules forbid it, Stale if the decision or the version has passed, and NotNow if
        the seat may not act now.
        """

        async def plan(table: Table) -> Plan:
            return await self._decide(table, access.acting_seat(table, principal), answer)

        return await self._writer.change(game_id, plan, request, principal)

    async def validate(self, game_id: str, principal: access.Principal, answer: DecisionAnswer) -> Change:
        """Raise what `play` would raise, but write nothing."""
        table = await self._tables.current(game_id)
        await self._decide(table, access.acting_seat(table, principal), answer)
        return Change((), table)

    async def _decide(self, table: Table, seat: Seat, answer: DecisionAnswer) -> Plan:
        _check_seat_plays(table, seat)
        check_decision_open(table, seat, answer)
        # The clock decides, not the time-out worker, which may be late: the answer must not get in before it.
        if is_out_of_time(table, seat, self._clock()):
            raise NotNow("the time for this decision is up", reason="TIME_UP")
        return plan_of_action(table, seat, answer.action, await self._tables.seed(table.game_id))


def plan_of_action(table: Table, seat: Seat, action: Any, seed: bytes) -> Plan:
    """Plan the events that an action leads to by the rules; raises Refused if it is illegal.

    The plan carries the new state, so that the writer does not fold the events a second time.
    """
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


def _check_seat_plays(table: Table, seat: Seat) -> None:
    """Raise NotNow if a bot answers for the seat, because it resigned or timed out."""
    chair = table.chairs[seat]
    if table.status is not Status.PLAYING or not (chair.resigned or chair.bot_level):
        return
    if chair.resigned:
        raise NotNow(f"seat {seat} has resigned", reason="SEAT_RESIGNED")
    if not chair.taken_over:
        raise NotYourSeat(f"a bot plays seat {seat} of this sandbox")
    message = f"a bot plays seat {seat} because its time was up; reclaim it first"
    raise NotNow(message, reason="SEAT_TAKEN_OVER")


def check_decision_open(table: Table, seat: Seat, answer: DecisionAnswer) -> None:
    """Raise unless the decision is open, belongs to the seat and the version is the expected one."""
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
                f"decision {decision.id} belongs to seat {decision.seat}, not {seat}",
                reason="NOT_YOUR_DECISION",
            )
    # `seen` tells the caller which events it has missed. Without an expected version it has seen at least
    # everything before its own last action.
    over = table.status is Status.FINISHED
    raise Stale(
        "the game is over" if over else "this decision is not open: it has been answered or never existed",
        reason="DECISION_ANSWERED",
        seen=table.version if expected is not None else max(table.chairs[seat].acted - 1, 0),
        actual=table.version,
    )
