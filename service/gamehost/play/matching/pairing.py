"""Decides which of the waiting tickets play together. Pure functions of the tickets and the time.

Whoever has waited longest chooses first, from the tickets whose rating is within its range, the nearest
first. The range grows with the time that it has waited, so nobody waits longer than it takes to reach the
rating of another ticket that fits.

Tickets are sorted by rating in one list for each combination of options and seats, so that the tickets that
a ticket compares itself with fit it in all but blocks. Whether several tickets fit each other, in games of
three or four, is searched for within bounds: `MOST_CANDIDATES` tickets and `MOST_TRIES` comparisons a ticket.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from gamehost.play.players.profiles import digest_of_key
from gamehost.play.throttle import Throttle

from .tickets import SECOND_MICROS, Ticket

MOST_CANDIDATES = 64  # tickets that one ticket chooses its companions from
MOST_TRIES = 2000  # comparisons of two tickets in the search for one group
ANY_WISH = b"*"  # the lists of all tickets with options, for tickets that play with any
PAIRING = Throttle(1)


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


class Kind(NamedTuple):
    """What decides which tickets fit, apart from blocks: `wish` is b"" for any options."""

    wish: bytes
    min_seats: int
    max_seats: int


def kind_of(ticket: Ticket) -> Kind:
    """Return the kind of a ticket. Tickets of one pool have the same wish if they have the same options."""
    return Kind(b"" if ticket.any_options else ticket.wish, ticket.min_seats, ticket.max_seats)


def takes_any_bots(_ticket: Ticket) -> bool:
    return True


class Pairing:
    """Finds the groups among the tickets of one pool.

    `may_have_bots` says whether the owner of a ticket may have another game with bots.
    """

    def __init__(
        self,
        tickets: Sequence[Ticket],
        now: int,
        rules: MatchRules,
        may_have_bots: Callable[[Ticket], bool] = takes_any_bots,
    ) -> None:
        self._now, self._rules, self._may_have_bots = now, rules, may_have_bots
        self._oldest_first = sorted(tickets, key=lambda ticket: (ticket.created, ticket.id))
        self._waiting = {ticket.id: ticket for ticket in tickets}
        self._order: dict[Kind, list[tuple[int, str]]] = defaultdict(list)
        for ticket in tickets:
            kind = kind_of(ticket)
            self._order[kind].append((ticket.rating, ticket.id))
            if kind.wish:  # a ticket for any options finds it here
                self._order[kind._replace(wish=ANY_WISH)].append((ticket.rating, ticket.id))
        for order in self._order.values():
            order.sort()

    async def groups(self) -> AsyncIterator[Group]:
        """Yield groups of tickets, none of which is in two of them; other tasks run in between."""
        slices = PAIRING.slices()
        for ticket in self._oldest_first:
            await slices.turn()
            if ticket.id in self._waiting and (group := self._group_of(ticket)):
                for each in group.tickets:
                    self._remove(each)
                yield group

    def _remove(self, ticket: Ticket) -> None:
        del self._waiting[ticket.id]
        kind = kind_of(ticket)
        for each in (kind, kind._replace(wish=ANY_WISH)) if kind.wish else (kind,):
            order = self._order[each]
            del order[bisect_left(order, (ticket.rating, ticket.id))]

    def _group_of(self, ticket: Ticket) -> Group | None:
        waited = self._now - ticket.created
        patient = waited < self._rules.patience * SECOND_MICROS
        fewest = ticket.max_seats if patient else ticket.min_seats
        for seats in range(ticket.max_seats, fewest - 1, -1):
            if found := self._companions(ticket, seats):
                return Group((ticket, *found))
        return self._with_bots(ticket) if self._takes_bots(ticket) else None

    def _takes_bots(self, ticket: Ticket) -> bool:
        return takes_bots(ticket, self._now) and self._may_have_bots(ticket)

    def _with_bots(self, ticket: Ticket) -> Group:
        seats, found = ticket.min_seats, [ticket]
        for other in islice(self._candidates(ticket, seats), MOST_CANDIDATES):
            if len(found) < seats and self._takes_bots(other) and fits_all(other, found, avoid_recent=False):
                found.append(other)
        return Group(tuple(found), seats - len(found))

    def _companions(self, ticket: Ticket, seats: int) -> list[Ticket] | None:
        """Return whom a ticket plays with in a game of so many seats; None if there are too few.

        Recent opponents are taken only if there is no game without them.
        """
        candidates = list(islice(self._candidates(ticket, seats), MOST_CANDIDATES))
        if len(candidates) < seats - 1:
            return None
        for avoid_recent in (True, False):
            # Those that it has met lately last; `sorted` keeps the order of ratings.
            order = sorted(candidates, key=lambda other: met_lately(ticket, other))
            search = CompanionSearch(order, seats, avoid_recent=avoid_recent)
            if found := search.group([ticket], 0):
                return found[1:]
        return None

    def _candidates(self, ticket: Ticket, seats: int) -> Iterator[Ticket]:
        """Yield the other tickets for so many seats that it may play with, the nearest rating first."""
        for _, other in self._nearest(ticket, seats):
            if may_meet(ticket, self._waiting[other], avoid_recent=False):
                yield self._waiting[other]

    def _nearest(self, ticket: Ticket, seats: int) -> Iterator[tuple[int, str]]:
        """Yield difference and id of the tickets within its range that fit by options and seats."""
        wishes = {ANY_WISH, b""} if ticket.any_options else {ticket.wish, b""}
        orders = [
            order
            for kind, order in self._order.items()
            if order and kind.wish in wishes and kind.min_seats <= seats <= kind.max_seats
        ]
        return heapq.merge(*(self._around(order, ticket) for order in orders))

    def _around(self, order: Sequence[tuple[int, str]], ticket: Ticket) -> Iterator[tuple[int, str]]:
        """Yield the tickets of one list within the range of a ticket, the nearest first."""
        allowed = self._rules.allowed(self._now - ticket.created)
        above = bisect_left(order, (ticket.rating, ticket.id))
        below = above - 1
        while below >= 0 or above < len(order):
            down = ticket.rating - order[below][0] if below >= 0 else None
            up = order[above][0] - ticket.rating if above < len(order) else None
            if up is None or (down is not None and down <= up):
                difference, index, below = down, below, below - 1
            else:
                difference, index, above = up, above, above + 1
            if difference is None or difference > allowed:
                return
            if order[index][1] != ticket.id:
                yield difference, order[index][1]


class CompanionSearch:
    """Searches for tickets that all fit each other, in the order of preference, with bounded effort."""

    def __init__(self, candidates: Sequence[Ticket], seats: int, *, avoid_recent: bool) -> None:
        self._candidates, self._seats, self._avoid_recent = candidates, seats, avoid_recent
        self._tries = 0

    def group(self, group: list[Ticket], start: int) -> list[Ticket] | None:
        """Return a full group that begins with these tickets and goes on with later candidates."""
        if len(group) == self._seats:
            return group
        for place in range(start, len(self._candidates)):
            self._tries += 1
            if self._tries > MOST_TRIES:
                return None
            other = self._candidates[place]
            if fits_all(other, group, avoid_recent=self._avoid_recent) and (
                found := self.group([*group, other], place + 1)
            ):
                return found
        return None


def fits_all(ticket: Ticket, group: Sequence[Ticket], *, avoid_recent: bool) -> bool:
    """Whether a ticket fits each of a group; tickets for any options fit all others."""
    return all(may_meet(ticket, each, avoid_recent=avoid_recent) for each in group)


def may_meet(one: Ticket, other: Ticket, *, avoid_recent: bool) -> bool:
    """Whether two tickets can be in one game, apart from ratings and seats."""
    if one.holder == other.holder or is_in(one, other.avoided) or is_in(other, one.avoided):
        return False
    if avoid_recent and met_lately(one, other):
        return False
    # Encoded options are compared: decoding them for each comparison took most of the time of a look.
    return one.any_options or other.any_options or one.wish == other.wish


def met_lately(one: Ticket, other: Ticket) -> bool:
    """Whether two owners have met lately."""
    return bool(one.player and one.player in other.recent) or bool(
        other.player and other.player in one.recent
    )


def is_in(ticket: Ticket, avoided: Sequence[str]) -> bool:
    """Whether the owner of a ticket is one of those whom another one has blocked."""
    return bool(avoided and ticket.player) and digest_of_key(ticket.player) in avoided


def takes_bots(ticket: Ticket, now: int) -> bool:
    """Whether bots may play with the owner of a ticket now."""
    return ticket.bots_after is not None and now - ticket.created >= ticket.bots_after


def wanted_options(group: Group, options_of: Callable[[Ticket], Any]) -> Any:
    """Return the options of a group: those of the ticket that asks for some, else of the first one."""
    chosen = next((each for each in group.tickets if not each.any_options), group.tickets[0])
    return options_of(chosen)
