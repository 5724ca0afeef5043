"""The clocks of seats, computed when events are written and stored with them.

A clock earns time with answers: a bank gets its increment, other clocks start anew with each decision. Undo
must not be a way to earn more. A seat that undoes its own move and answers again earns nothing for the second
answer; a seat that undoes past the moves of bots owes as many answers as it took back (`SeatClock.owed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.kit import Seat

from .events import (
    TABLE_EVENTS,
    Clock,
    GameCreated,
    Instant,
    Microseconds,
    MoveUndone,
    ProposalAnswered,
    SeatClock,
)
from .table import Status, Table

SECOND = 1_000_000  # all times are in microseconds
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
LEAST_RENEWAL = 10 * SECOND  # for a seat with a bank that is reclaimed for the first time


@dataclass(frozen=True, slots=True)
class ClockUpdate:
    """One change of a table: its events, the seat whose call it was, and the tables before and after it."""

    before: Table
    after: Table
    events: Sequence[Any]
    seat: Seat | None
    at: int
    undone: Mapping[Seat, int] | None = None  # answers undone past the moves of bots, by seat; see Plan

    @property
    def moved(self) -> bool:
        """Whether a decision was answered. The events of the deal, when a game starts, answer none."""
        return self.before.status is Status.PLAYING and any(
            not isinstance(event, TABLE_EVENTS) for event in self.events
        )

    def owed(self, seat: Seat) -> bool:
        """Whether the seat's action replaces one that it undid alone."""
        return self.moved and seat in self.before.undo_window.owed

    @property
    def taken_back(self) -> bool:
        """Whether a seat undid something without a proposal."""
        kinds = set(map(type, self.events))
        return MoveUndone in kinds and ProposalAnswered not in kinds

    def acts(self, seat: Seat) -> bool:
        """Whether the change is made by the seat's owner and not by a bot."""
        return self.seat == seat and not self.before.chairs[seat].bot_level

    def answers(self, seat: Seat) -> bool:
        """Whether the seat, or a bot for it, answers, unless the answer replaces one that it undid alone."""
        return self.seat == seat and self.moved and not self.owed(seat)

    def repeats(self, seat: Seat) -> bool:
        """Whether the seat's owner undoes alone, or replaces what it undid alone."""
        return self.acts(seat) and (self.taken_back or self.owed(seat))

    def reclaims(self, seat: Seat) -> bool:
        """Whether the seat's owner reclaims it from a bot."""
        after = self.after.chairs[seat]
        return self.before.chairs[seat].taken_over and not (after.bot_level or after.resigned)


def initial_clocks(created: GameCreated) -> tuple[SeatClock, ...]:
    """Return the clocks of a new game; empty if it is played without."""
    if created.clock is None:
        return ()
    allowance = _allowance(created.clock)
    return tuple(SeatClock(Seat(seat), allowance) for seat in range(created.seat_count))


def clocks_after(update: ClockUpdate) -> tuple[SeatClock, ...]:
    """Return the clocks after a change, in a game that has clocks."""
    clock = update.after.created.clock
    assert clock is not None
    return tuple(_clock_after(clock, update, seat.seat) for seat in update.before.clocks)


def _clock_after(clock: Clock, update: ClockUpdate, seat: Seat) -> SeatClock:
    """Return the clock of one seat after a change."""
    old = update.before.clocks[seat]
    decision = _running_decision(update.after, seat)
    left = old.remaining if old.deadline is None else Microseconds(max(0, old.deadline - update.at))
    # The clock runs on if the seat still has the same decision, or gets it back by undoing alone.
    same = old.deadline is not None and (
        decision == _running_decision(update.before, seat) or update.taken_back
    )
    owed = _owed(clock, update, seat, asked=decision is not None, anew=decision is not None and not same)
    reclaims = _reclaims(clock, update, seat)
    if decision is None:
        # Without a bank, an answer earns the next full time only once the seat can no longer undo it alone.
        undoable = clock.bank is None and update.after.free_undo(seat) is not None
        return SeatClock(
            seat, left if undoable else _time_for_next(clock, update, seat, left), None, owed, reclaims
        )
    if same:
        return SeatClock(seat, left, old.deadline, owed, reclaims)
    remaining = _time_for_next(clock, update, seat, left)
    return SeatClock(seat, remaining, Instant(update.at + remaining), owed, reclaims)


def _time_for_next(clock: Clock, update: ClockUpdate, seat: Seat, left: Microseconds) -> Microseconds:
    """Return the time for the next decision. Undoing alone, and replacing what was undone, earn nothing."""
    old = update.before.clocks[seat]
    if update.reclaims(seat):
        return _renewed(clock, old)
    if clock.bank is None:
        withheld = update.repeats(seat) or update.undone is not None or old.owed
        return left if withheld else _allowance(clock)
    earned = update.acts(seat) and update.answers(seat) and not old.owed
    return Microseconds(min(left + clock.bank.increment, clock.bank.cap)) if earned else left


def _owed(clock: Clock, update: ClockUpdate, seat: Seat, *, asked: bool, anew: bool) -> int:
    """Return how many coming answers earn the seat nothing; `anew` if it is asked something new.

    A bank earns time with each answer, other clocks when the next decision is asked. Answers that a bot gives
    for the seat count, too.
    """
    owed, plays = update.before.clocks[seat].owed, not update.before.chairs[seat].bot_level
    if update.undone is not None:
        return owed + _undone_earnings(clock, update, seat, asked=asked)
    earns = anew and not update.repeats(seat) if clock.bank is None and plays else update.answers(seat)
    return max(0, owed - earns)


def _undone_earnings(clock: Clock, update: ClockUpdate, seat: Seat, *, asked: bool) -> int:
    """Return how often a seat earned time with what is undone; `asked` if it has a decision afterwards."""
    chair, window, old = update.before.chairs[seat], update.before.undo_window, update.before.clocks[seat]
    if update.undone is None or not chair.person:
        return 0
    # The undo empties the window, and with it what the seat owed for actions that it undid alone.
    earned = update.undone.get(seat, 0) + window.owed.count(seat) - update.after.undo_window.owed.count(seat)
    if clock.bank is not None or chair.bot_level:
        return earned
    # A decision that is withdrawn had got its time already. The last answer has earned none yet while it can
    # be undone alone, or if it replaces another one.
    unearned = old.deadline is None and (old.owed > 0 or update.before.free_undo(seat) is not None)
    return max(0, earned + (not asked) - unearned)


def _reclaims(clock: Clock, update: ClockUpdate, seat: Seat) -> int:
    """Return how often the seat was reclaimed; without a bank, since its last answer that earned time."""
    old = update.before.clocks[seat]
    if update.reclaims(seat):
        return old.reclaims + 1
    return 0 if clock.bank is None and update.answers(seat) and not old.owed else old.reclaims


def _renewed(clock: Clock, old: SeatClock) -> Microseconds:
    """Return the time of a reclaimed seat: half as much each time, so that the sum is bounded."""
    bank = clock.bank
    if bank is None:
        return Microseconds(_allowance(clock) >> old.reclaims)
    return Microseconds(min(max(bank.increment, bank.initial // 10, LEAST_RENEWAL), bank.cap) >> old.reclaims)


def reclaims_exhausted(table: Table, seat: Seat) -> bool:
    """Whether a seat was reclaimed so often that it would get less than a second now."""
    clock = table.created.clock
    if clock is None or not table.clocks[seat].reclaims:
        return False
    return _renewed(clock, table.clocks[seat]) < SECOND


def _allowance(clock: Clock) -> Microseconds:
    """Return the time that a seat starts with."""
    if clock.bank is not None:
        return clock.bank.initial
    return clock.per_decision or Microseconds((clock.days or 1) * DAY)


def _running_decision(table: Table, seat: Seat) -> str | None:
    """Return the id of the decision for which the seat's clock runs, or None; bots have no clock."""
    asked = None if table.chairs[seat].bot_level else table.decision_of(seat)
    return asked.id if asked else None


def next_deadline(table: Table) -> int | None:
    """Return when the table changes without a call: the next time-out or the expiry; None for never."""
    if table.status is Status.GATHERING:
        return table.created.expire_time
    if table.status is Status.FINISHED:
        return None
    return min((clock.deadline for clock in table.clocks if clock.deadline is not None), default=None)


def seats_out_of_time(table: Table, now: int) -> Sequence[Seat]:
    """Return the seats that ran out of time first; empty if none has."""
    # Only the first ones: what happens to them may end the game or withdraw the decisions of the others.
    first = next_deadline(table)
    if first is None or first > now:
        return ()
    return [clock.seat for clock in table.clocks if clock.deadline == first]


def is_out_of_time(table: Table, seat: Seat, now: int) -> bool:
    """Whether it is too late for an answer of the seat."""
    deadline = table.clocks[seat].deadline if table.clocks else None
    return deadline is not None and deadline <= now
