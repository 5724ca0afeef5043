"""Decides which of the waiting tickets play together. Pure functions of the tickets and the time.

Whoever has waited longest chooses first, from the tickets whose rating is within its range, the nearest
first. The range grows with the time that it has waited, so nobody waits longer than it takes to reach the
rating of another ticket that fits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .tickets import SECOND_MICROS, Ticket


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How far ratings may differ: `range` points at once, and `widening` more for each second.

    A ticket for a range of seats gets its greatest number or, after `patience` seconds, a smaller one.
    """

    range: int = 100
    widening: float = 10.0
    patience: float = 10.0

    def allowed(self, waited: int) -> float:
        """Return how far ratings may differ after so many microseconds."""
        return self.range + self.widening * waited / SECOND_MICROS


@dataclass(frozen=True, slots=True)
class Group:
    """Tickets that play together, and the number of seats that bots fill."""

    tickets: tuple[Ticket, ...]
    bots: int = 0


class Pairing:
    """Finds the groups among the tickets of one pool. `options_of` decodes the options of a ticket."""

    def __init__(
        self, tickets: Sequence[Ticket], now: int, rules: MatchRules, options_of: Callable[[Ticket], Any]
    ) -> None:
        self._now, self._rules, self._options_of = now, rules, options_of
        self._oldest_first = sorted(tickets, key=lambda ticket: (ticket.created, ticket.id))
        self._by_rating = sorted((ticket.rating, ticket.id) for ticket in tickets)
        self._waiting = {ticket.id: ticket for ticket in tickets}

    def groups(self) -> list[Group]:
        """Return groups of tickets, none of which is in two of them."""
        found = []
        for ticket in self._oldest_first:
            if ticket.id in self._waiting and (group := self._group_of(ticket)):
                found.append(group)
                for each in group.tickets:
                    self._remove(each)
        return found

    def _remove(self, ticket: Ticket) -> None:
        del self._waiting[ticket.id]
        del self._by_rating[bisect_left(self._by_rating, (ticket.rating, ticket.id))]

    def _group_of(self, ticket: Ticket) -> Group | None:
        waited = self._now - ticket.created
        patient = waited < self._rules.patience * SECOND_MICROS
        fewest = ticket.max_seats if patient else ticket.min_seats
        for seats in range(ticket.max_seats, fewest - 1, -1):
            if len(found := self._companions(ticket, seats)) == seats:
                return Group(tuple(found))
        return self._with_bots(ticket) if takes_bots(ticket, self._now) else None

    def _with_bots(self, ticket: Ticket) -> Group:
        seats = ticket.min_seats
        found = [each for each in self._companions(ticket, seats) if takes_bots(each, self._now)]
        return Group(tuple(found), seats - len(found))

    def _companions(self, ticket: Ticket, seats: int) -> list[Ticket]:
        """Return the ticket and the others that it would play with, at most so many."""
        found = [ticket]
        for avoid_recent in (True, False):
            for other in self._nearest(ticket):
                if len(found) == seats:
                    return found
                if other not in found and self._fits(other, found, seats, avoid_recent=avoid_recent):
                    found.append(other)
        return found

    def _nearest(self, ticket: Ticket) -> Iterator[Ticket]:
        """Yield the other tickets within its range, those with the nearest rating first."""
        allowed = self._rules.allowed(self._now - ticket.created)
        order = self._by_rating
        above = bisect_left(order, (ticket.rating, ticket.id)) + 1
        below = above - 2
        while below >= 0 or above < len(order):
            down = ticket.rating - order[below][0] if below >= 0 else None
            up = order[above][0] - ticket.rating if above < len(order) else None
            if up is None or (down is not None and down <= up):
                difference, index, below = down, below, below - 1
            else:
                difference, index, above = up, above, above + 1
            if difference is None or difference > allowed:
                return
            yield self._waiting[order[index][1]]

    def _fits(self, ticket: Ticket, group: Sequence[Ticket], seats: int, *, avoid_recent: bool) -> bool:
        return ticket.min_seats <= seats <= ticket.max_seats and all(
            self._may_meet(ticket, each, avoid_recent=avoid_recent) for each in group
        )

    def _may_meet(self, one: Ticket, other: Ticket, *, avoid_recent: bool) -> bool:
        if one.holder == other.holder or is_in(one, other.avoided) or is_in(other, one.avoided):
            return False
        if avoid_recent and (is_in(one, other.recent) or is_in(other, one.recent)):
            return False
        return one.any_options or other.any_options or self._options_of(one) == self._options_of(other)


def is_in(ticket: Ticket, players: Sequence[str]) -> bool:
    """Whether the owner of a ticket is one of these players."""
    return bool(ticket.player) and ticket.player in players


def takes_bots(ticket: Ticket, now: int) -> bool:
    """Whether bots may play with the owner of a ticket now."""
    return ticket.bots_after is not None and now - ticket.created >= ticket.bots_after


def wanted_options(group: Group, options_of: Callable[[Ticket], Any]) -> Any:
    """Return the options of a group: those of the ticket that asks for some, else of the first one."""
    chosen = next((each for each in group.tickets if not each.any_options), group.tickets[0])
    return options_of(chosen)
