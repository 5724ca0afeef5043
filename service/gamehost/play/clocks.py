"""How much time every seat has left: worked out when something is written, never when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.kit import Seat

from .happenings import (
    TABLE_EVENTS,
    Clock,
    GameCreated,
    Instant,
    MoveUndone,
    ProposalAnswered,
    SeatClock,
    Span,
    TimeBank,
)
from .table import Status, Table

SECOND = 1_000_000
DAY = 86_400 * SECOND
LEAST_RENEWAL = 10 * SECOND


@dataclass(frozen=True, slots=True)
class Turn:
    """What was written at once: by which seat's call, when, and the tables around it."""

    before: Table
    after: Table
    events: Sequence[Any]
    seat: Seat | None
    at: int

    @property
    def moved(self) -> bool:
        return any(not isinstance(event, TABLE_EVENTS) for event in self.events)

    def owed(self, seat: Seat) -> bool:
        """Whether the seat's action stands for one that it took back."""
        return self.moved and seat in self.before.trail.owed

    @property
    def taken_back(self) -> bool:
        """Undone by the seat alone; what all agreed to is another matter."""
        kinds = set(map(type, self.events))
        return MoveUndone in kinds and ProposalAnswered not in kinds


def wound(created: GameCreated) -> tuple[SeatClock, ...]:
    """The clocks of a new game, before anything is asked; none if it has no clock."""
    if created.clock is None:
        return ()
    whole = _whole(created.clock)
    return tuple(SeatClock(Seat(seat), whole) for seat in range(created.seat_count))


def advanced(turn: Turn) -> tuple[SeatClock, ...]:
    """The clocks after what was written, in a game that has one."""
    clock = turn.after.created.clock
    assert clock is not None
    return tuple(_advanced(clock, turn, seat.seat) for seat in turn.before.clocks)


def _advanced(clock: Clock, turn: Turn, seat: Seat) -> SeatClock:
    old = turn.before.clocks[seat]
    question = _pressing(turn.after, seat)
    left = old.remaining if old.deadline is None else Span(max(0, old.deadline - turn.at))
    if question is None:
        waits = clock.bank is None and turn.after.free_undo(seat) is not None
        return SeatClock(seat, left if waits else _kept(clock, turn, seat, left))
    same = question == _pressing(turn.before, seat) or turn.taken_back
    if old.deadline is not None and same:
        return SeatClock(seat, left, old.deadline)
    remaining = _kept(clock, turn, seat, left)
    return SeatClock(seat, remaining, Instant(turn.at + remaining))


def _kept(clock: Clock, turn: Turn, seat: Seat, left: Span) -> Span:
    """What a seat has for its next question. What it took back alone and what replaces that earn nothing."""
    chair = turn.before.chairs[seat]
    acts = turn.seat == seat and not chair.bot_level
    if clock.bank is None:
        return left if acts and (turn.taken_back or turn.owed(seat)) else _whole(clock)
    if chair.taken_over and not turn.after.chairs[seat].bot_level:
        return _renewed(clock.bank)
    answered = acts and turn.moved and not turn.owed(seat)
    return Span(min(left + clock.bank.increment, clock.bank.cap)) if answered else left


def _renewed(bank: TimeBank) -> Span:
    """What a seat gets that was taken back from a bot."""
    return Span(min(max(bank.increment, bank.initial // 10, LEAST_RENEWAL), bank.cap))


def _whole(clock: Clock) -> Span:
    if clock.bank is not None:
        return clock.bank.initial
    return clock.per_decision or Span((clock.days or 1) * DAY)


def _pressing(table: Table, seat: Seat) -> str | None:
    """The question for which a seat's time runs; a bot is not pressed."""
    asked = None if table.chairs[seat].bot_level else table.asked(seat)
    return asked.id if asked else None


def deadline(table: Table) -> int | None:
    """The next moment at which something happens to the table by itself."""
    if table.status is Status.GATHERING:
        return table.created.expire_time
    if table.status is Status.FINISHED:
        return None
    return min((clock.deadline for clock in table.clocks if clock.deadline is not None), default=None)


def overdue(table: Table, now: int) -> Sequence[Seat]:
    """The seats whose time was up first, if it is."""
    first = deadline(table)
    if first is None or first > now:
        return ()
    return [clock.seat for clock in table.clocks if clock.deadline == first]


def too_late(table: Table, seat: Seat, now: int) -> bool:
    """Whether what is asked of a seat can no longer be answered."""
    until = table.clocks[seat].deadline if table.clocks else None
    return until is not None and until <= now
