"""The items of an inbox: open decisions, reserved seats, proposals, and games that started or ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamehost.play.table.events import Proposal
from gamehost.play.table.table import BOT, Status, Table
from gamehost.rules.kit import Outcome, Seat


@dataclass(frozen=True, slots=True)
class DecisionAsked:
    """An open decision of a seat; `message` is its encoded form, if known."""

    decision_id: str
    seat: Seat
    message: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SeatReserved:
    """A seat is reserved for the caller, who has not taken it."""


@dataclass(frozen=True, slots=True)
class ProposalPending:
    """A proposal that the seat has not answered.

    Compared by id only: the answers of others change the proposal, but must not make it new to a stream.
    """

    proposal_id: str
    proposal: Proposal = field(compare=False)


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The game has started."""


@dataclass(frozen=True, slots=True)
class GameMatched:
    """Matchmaking has seated the caller in the game."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has finished."""

    outcome: Outcome


InboxItem = DecisionAsked | SeatReserved | ProposalPending | GameMatched | GameBegan | GameOver


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A table without its state, and its open decisions."""

    table: Table
    asked: Sequence[DecisionAsked]

    def pending(self, seat: Seat) -> list[InboxItem]:
        """Return what is pending for the owner of a seat, or for the caller for whom it is reserved."""
        table = self.table
        if seat in table.reservations:
            return [SeatReserved()] if table.status is Status.GATHERING else []
        chair = table.chairs[seat]
        if not chair.person:
            return []
        # A bot that has taken the seat over answers decisions, but not proposals: those stay with the owner.
        items: list[InboxItem] = [each for each in self.asked if each.seat == seat and not chair.bot_level]
        proposal = table.proposal
        if proposal and seat in proposal.waiting_for:
            items.append(ProposalPending(proposal.proposal_id, proposal))
        return items


def summary_of(table: Table) -> GameSummary:
    return GameSummary(table, [DecisionAsked(decision.id, decision.seat) for decision in table.decisions])


def callers_at(table: Table) -> set[str]:
    """Return the ids of all callers who have a seat of a table or a reservation for one."""
    names = {chair.caller_id for chair in table.chairs} | set(table.reservations.values())
    return {name for name in names if is_caller(name)}


def seats_of(table: Table, caller_id: str) -> list[Seat]:
    """Return the seats that a caller has taken, or that are reserved for it."""
    reservations = table.reservations
    return [
        Seat(seat)
        for seat, chair in enumerate(table.chairs)
        if caller_id in (chair.caller_id, reservations.get(Seat(seat)))
    ]


OLD_SEAT_PREFIX = "seat:"
"""Prefix of a reservation for the owner of a seat without an identity, see `rematch`."""


def is_caller(name: str) -> bool:
    """Whether the owner of a seat or reservation is a caller with an identity."""
    return bool(name) and not name.startswith((OLD_SEAT_PREFIX, BOT))
