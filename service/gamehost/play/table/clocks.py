"""How much time every seat has left: worked out when something is written, never when it is read."""

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
    MoveUndone,
    ProposalAnswered,
    SeatClock,
    Span,
)
from .table import Status, Table

SECOND = 1_000_000
DAY = 86_400 * SECOND
LEAST_RENEWAL = 10 * SECOND


@dataclass(frozen=True, slots=True)
class ClockUpdate:
    """What was written at once: by which seat's call, when, and the tables around it."""

    before: Table
    after: Table
    events: Sequence[Any]
    seat: Seat | None
    at: int
    undone: Mapping[Seat, int] | None = None  # answers taken back past others' moves, see Plan

    @property
    def moved(self) -> bool:
        """Whether a question was answered. Who starts the game causes the deal, which answers nothing."""
        return self.before.status is Status.PLAYING and any(
            not isinstance(event, TABLE_EVENTS) for event in self.events
        )

    def owed(self, seat: Seat) -> bool:
        """Whether the seat's action stands for one that it took back."""
        return self.moved and seat in self.before.undo_window.owed

    @property
    def taken_back(self) -> bool:
        """Undone by the seat alone; what all agreed to is another matter."""
        kinds = set(map(type, self.events))
        return MoveUndone in kinds and ProposalAnswered not in kinds

    def acts(self, seat: Seat) -> bool:
        """Whether the seat's owner, and not a bot for it, does this."""
        return self.seat == seat and not self.before.chairs[seat].bot_level

    def answers(self, seat: Seat) -> bool:
        """Whether the seat, or a bot for it, answers, and not in place of what it took back freely."""
        return self.seat == seat and self.moved and not self.owed(seat)

    def repeats(self, seat: Seat) -> bool:
        """Whether the seat's owner takes back freely, or answers in place of that."""
        return self.acts(seat) and (self.taken_back or self.owed(seat))

    def reclaims(self, seat: Seat) -> bool:
        """Whether the seat's owner takes it back from a bot."""
        after = self.after.chairs[seat]
        return self.before.chairs[seat].taken_over and not (after.bot_level or after.resigned)


def initial_clocks(created: GameCreated) -> tuple[SeatClock, ...]:
    """The clocks of a new game, before anything is asked; none if it has no clock."""
    if created.clock is None:
        return ()
    whole = _whole(created.clock)
    return tuple(SeatClock(Seat(seat), whole) for seat in range(created.seat_count))


def clocks_after(turn: ClockUpdate) -> tuple[SeatClock, ...]:
    """The clocks after what was written, in a game that has one."""
    clock = turn.after.created.clock
    assert clock is not None
    return tuple(_advanced(clock, turn, seat.seat) for seat in turn.before.clocks)


def _advanced(clock: Clock, turn: ClockUpdate, seat: Seat) -> SeatClock:
    old = turn.before.clocks[seat]
    question = _pressing(turn.after, seat)
    left = old.remaining if old.deadline is None else Span(max(0, old.deadline - turn.at))
    same = old.deadline is not None and (question == _pressing(turn.before, seat) or turn.taken_back)
    owed = _owed(clock, turn, seat, asked=question is not None, anew=question is not None and not same)
    reclaims = _reclaims(clock, turn, seat)
    if question is None:
        waits = clock.bank is None and turn.after.free_undo(seat) is not None
        return SeatClock(seat, left if waits else _kept(clock, turn, seat, left), None, owed, reclaims)
    if same:
        return SeatClock(seat, left, old.deadline, owed, reclaims)
    remaining = _kept(clock, turn, seat, left)
    return SeatClock(seat, remaining, Instant(turn.at + remaining), owed, reclaims)


def _kept(clock: Clock, turn: ClockUpdate, seat: Seat, left: Span) -> Span:
    """What a seat has for its next question. What it took back alone and what replaces that earn nothing."""
    old = turn.before.clocks[seat]
    if turn.reclaims(seat):
        return _renewed(clock, old)
    if clock.bank is None:
        withheld = turn.repeats(seat) or turn.undone is not None or old.owed
        return left if withheld else _whole(clock)
    earned = turn.acts(seat) and turn.answers(seat) and not old.owed
    return Span(min(left + clock.bank.increment, clock.bank.cap)) if earned else left


def _owed(clock: Clock, turn: ClockUpdate, seat: Seat, *, asked: bool, anew: bool) -> int:
    """How many answers to come earn the seat nothing; `anew` when it is asked something new.

    A bank earns with each answer, other clocks when the next question is asked. A bot that answers for the
    seat works off what it owes.
    """
    owed, plays = turn.before.clocks[seat].owed, not turn.before.chairs[seat].bot_level
    if turn.undone is not None:
        return owed + _taken_back(clock, turn, seat, asked=asked)
    earns = anew and not turn.repeats(seat) if clock.bank is None and plays else turn.answers(seat)
    return max(0, owed - earns)


def _taken_back(clock: Clock, turn: ClockUpdate, seat: Seat, *, asked: bool) -> int:
    """How often a seat has earned time with what is undone; `asked` if it is asked something after that."""
    chair, trail, old = turn.before.chairs[seat], turn.before.undo_window, turn.before.clocks[seat]
    if turn.undone is None or not chair.person:
        return 0
    # The undo ends the trail, and with it what the seat owed for actions that it took back freely.
    earned = turn.undone.get(seat, 0) + trail.owed.count(seat) - turn.after.undo_window.owed.count(seat)
    if clock.bank is not None or chair.bot_level:
        return earned
    # A question that is withdrawn had its time. The last answer has earned none yet while it can be taken
    # back freely, or where it replaces one.
    unearned = old.deadline is None and (old.owed > 0 or turn.before.free_undo(seat) is not None)
    return max(0, earned + (not asked) - unearned)


def _reclaims(clock: Clock, turn: ClockUpdate, seat: Seat) -> int:
    """How often the seat was taken back; without a bank, since an answer that replaced none."""
    old = turn.before.clocks[seat]
    if turn.reclaims(seat):
        return old.reclaims + 1
    return 0 if clock.bank is None and turn.answers(seat) and not old.owed else old.reclaims


def _renewed(clock: Clock, old: SeatClock) -> Span:
    """What a seat gets that is taken back from a bot: half as much each time, so that the sum is bounded."""
    bank = clock.bank
    if bank is None:
        return Span(_whole(clock) >> old.reclaims)
    return Span(min(max(bank.increment, bank.initial // 10, LEAST_RENEWAL), bank.cap) >> old.reclaims)


def worn_out(table: Table, seat: Seat) -> bool:
    """Whether a seat was taken back so often that it would get next to no time."""
    clock = table.created.clock
    if clock is None or not table.clocks[seat].reclaims:
        return False
    return _renewed(clock, table.clocks[seat]) < SECOND


def _whole(clock: Clock) -> Span:
    if clock.bank is not None:
        return clock.bank.initial
    return clock.per_decision or Span((clock.days or 1) * DAY)


def _pressing(table: Table, seat: Seat) -> str | None:
    """The question for which a seat's time runs; a bot is not pressed."""
    asked = None if table.chairs[seat].bot_level else table.decision_of(seat)
    return asked.id if asked else None


def next_deadline(table: Table) -> int | None:
    """The next moment at which something happens to the table by itself."""
    if table.status is Status.GATHERING:
        return table.created.expire_time
    if table.status is Status.FINISHED:
        return None
    return min((clock.deadline for clock in table.clocks if clock.deadline is not None), default=None)


def seats_out_of_time(table: Table, now: int) -> Sequence[Seat]:
    """The seats whose time was up first, if it is."""
    first = next_deadline(table)
    if first is None or first > now:
        return ()
    return [clock.seat for clock in table.clocks if clock.deadline == first]


def is_out_of_time(table: Table, seat: Seat, now: int) -> bool:
    """Whether what is asked of a seat can no longer be answered."""
    until = table.clocks[seat].deadline if table.clocks else None
    return until is not None and until <= now
