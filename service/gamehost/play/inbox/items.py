"""What a game wants of those who play it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamehost.play.table.events import Proposal
from gamehost.play.table.table import BOT, Status, Table
from gamehost.rules.kit import Outcome, Seat


@dataclass(frozen=True, slots=True)
class DecisionAsked:
    """A question put to a seat; `told` is how callers are told of it."""

    decision_id: str
    seat: Seat
    message: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SeatReserved:
    """A seat is kept for somebody who has not taken it."""


@dataclass(frozen=True, slots=True)
class ProposalPending:
    """Something that a seat has yet to agree to; who else has makes no other proposal of it."""

    proposal_id: str
    proposal: Proposal = field(compare=False)


@dataclass(frozen=True, slots=True)
class GameBegan:
    pass


@dataclass(frozen=True, slots=True)
class GameOver:
    outcome: Outcome


InboxItem = DecisionAsked | SeatReserved | ProposalPending | GameBegan | GameOver


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A table without its state, and what it asks."""

    table: Table
    asked: Sequence[DecisionAsked]

    def pending(self, seat: Seat) -> list[InboxItem]:
        """What waits for the owner of a seat, or for whom it is kept."""
        table = self.table
        if seat in table.reservations:
            return [SeatReserved()] if table.status is Status.GATHERING else []
        chair = table.chairs[seat]
        if not chair.person:
            return []
        # While a bot plays for the owner it answers the questions of the game, but not proposals.
        asked: list[InboxItem] = [each for each in self.asked if each.seat == seat and not chair.bot_level]
        proposal = table.proposal
        if proposal and seat in proposal.waiting_for:
            asked.append(ProposalPending(proposal.proposal_id, proposal))
        return asked


def summary_of(table: Table) -> GameSummary:
    return GameSummary(table, [DecisionAsked(decision.id, decision.seat) for decision in table.decisions])


def callers_at(table: Table) -> set[str]:
    """Everybody with an identity who sits at a table or is to sit there."""
    names = {chair.caller_id for chair in table.chairs} | set(table.reservations.values())
    return {name for name in names if is_caller(name)}


def seats_of(table: Table, caller_id: str) -> list[Seat]:
    """The seats that are somebody's, or kept for it."""
    kept = table.reservations
    return [
        Seat(seat)
        for seat, chair in enumerate(table.chairs)
        if caller_id in (chair.caller_id, kept.get(Seat(seat)))
    ]


OLD_SEAT_PREFIX = "seat:"
"""Begins what stands in a seat plan for an owner without an identity, see `rematching`."""


def is_caller(name: str) -> bool:
    return bool(name) and not name.startswith((OLD_SEAT_PREFIX, BOT))
