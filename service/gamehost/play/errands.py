"""What a game wants of those who play it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamehost.rules.kit import Outcome, Seat

from .happenings import Proposal
from .table import BOT, Status, Table


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to a seat; `told` is how callers are told of it."""

    decision_id: str
    seat: Seat
    told: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat is kept for somebody who has not taken it."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Something that a seat has yet to agree to; who else has makes no other proposal of it."""

    proposal_id: str
    proposal: Proposal = field(compare=False)


@dataclass(frozen=True, slots=True)
class Started:
    pass


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: Outcome


Errand = Asked | Invited | Proposed | Started | Finished


@dataclass(frozen=True, slots=True)
class Brief:
    """A table without its state, and what it asks."""

    table: Table
    asked: Sequence[Asked]

    def pending(self, seat: Seat) -> list[Errand]:
        """What waits for the owner of a seat, or for whom it is kept."""
        table = self.table
        if seat in table.keepings:
            return [Invited()] if table.status is Status.GATHERING else []
        chair = table.chairs[seat]
        if not chair.person:
            return []
        # While a bot plays for the owner it answers the questions of the game, but not proposals.
        asked: list[Errand] = [each for each in self.asked if each.seat == seat and not chair.bot_level]
        proposal = table.proposal
        if proposal and seat in proposal.waiting_for:
            asked.append(Proposed(proposal.proposal_id, proposal))
        return asked


def brief(table: Table) -> Brief:
    return Brief(table, [Asked(decision.id, decision.seat) for decision in table.decisions])


def callers(table: Table) -> set[str]:
    """Everybody with an identity who sits at a table or is to sit there."""
    names = {chair.caller_id for chair in table.chairs} | set(table.keepings.values())
    return {name for name in names if is_caller(name)}


def seats_of(table: Table, caller_id: str) -> list[Seat]:
    """The seats that are somebody's, or kept for it."""
    kept = table.keepings
    return [
        Seat(seat)
        for seat, chair in enumerate(table.chairs)
        if caller_id in (chair.caller_id, kept.get(Seat(seat)))
    ]


OLD_SEAT = "seat:"
"""Begins what stands in a seat plan for an owner without an identity, see `rematching`."""


def is_caller(name: str) -> bool:
    return bool(name) and not name.startswith((OLD_SEAT, BOT))
