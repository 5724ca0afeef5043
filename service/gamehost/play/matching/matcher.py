"""Makes games of waiting tickets. Any number of processes do it; a lease lets one at a time look at a pool.

A match goes through these steps, each of which can be repeated:

1. Its game is counted against the limits of its callers. 2. Its tickets leave the pool, all at once, and the
match takes their place. 3. Its game is created, in one append with all seats taken and the start. The id of
the game and the request key are derived from the match, so that a second attempt finds the game of the first.
4. Its tickets are told, and its players remember that they have met. 5. The match leaves the pool.

A process that dies leaves the match in the pool, and the next one that looks there begins with it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from gamehost.play.background.schedule import POOLS
from gamehost.play.caching import LruCache
from gamehost.play.errors import Unavailable
from gamehost.play.players.opponents import RecentOpponents
from gamehost.play.players.profiles import Profiles, caller_digest
from gamehost.play.ports.caller_news import CallerNews
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.play.ports.maps import Maps
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.use_cases.matched_games import MatchedGames

from .pairing import Group, MatchRules, Pairing, may_meet, wanted_options
from .pools import Match, MatchSeat, Pools
from .tickets import SECOND_MICROS, Ticket, Tickets, TicketStatus, ended, led_to

LOOK_INTERVAL = 500_000  # microseconds between two looks at a pool in which tickets wait
RETRY_INTERVAL = 5_000_000  # microseconds until a match whose game could not be made is tried again
# An empty pool is looked at for so long: a ticket is scheduled before it enters its pool, see `Matchmaking`.
LINGER, LINGER_LOOK = 30_000_000, 5_000_000
MOST_REMEMBERED = 10_000  # failed matches, and pools that are empty


class Matcher:
    """Looks at pools. `clock` returns microseconds since 1970."""

    def __init__(
        self,
        store: Maps,
        codec: Codec,
        games: MatchedGames,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        rules: MatchRules,
        metrics: BackgroundMetrics,
        news: CallerNews,
        profiles: Profiles | None,
    ) -> None:
        self._news, self._profiles = news, profiles
        self._recent = RecentOpponents(store, profiles) if profiles else None
        self._codec, self._games = codec, games
        self._clock, self._entropy, self._rules, self._metrics = clock, entropy, rules, metrics
        self._pools, self._tickets = Pools(store), Tickets(store)
        self._retry_at = LruCache[str, int](MOST_REMEMBERED)
        self._empty_since = LruCache[str, int](MOST_REMEMBERED)

    async def check(self, pool: str) -> int | None:
        """Match the tickets of a pool. Returns when to look again, None if it has been empty for a while."""
        try:
            return await self._look(pool)
        except StoreUnavailable:
            raise
        except Unavailable:  # too many processes change the same pool
            return self._clock() + LOOK_INTERVAL

    async def _look(self, pool: str) -> int | None:
        began = self._clock()
        content = await self._pools.content(pool)
        await asyncio.gather(*(self._finish(pool, match) for match in content.matches))
        expired = [ticket for ticket in content.tickets if ticket.expires <= began]
        await asyncio.gather(*(self._tried(pool, self._expire(ticket)) for ticket in expired))
        waiting = [ticket for ticket in content.tickets if ticket.expires > began]
        able = [ticket for ticket in waiting if not self._games.was_full(ticket)]
        left = {ticket.id: ticket for ticket in waiting}
        async for group in Pairing(able, began, self._rules, self._games.may_have_bots).groups():
            if await self._play(pool, group):
                for ticket in group.tickets:
                    del left[ticket.id]
        if left:
            # A pool that takes long to look at is looked at less often.
            return self._clock() + max(LOOK_INTERVAL, 4 * (self._clock() - began))
        return self._linger(pool, empty=not content.tickets and not content.matches)

    def _linger(self, pool: str, *, empty: bool) -> int | None:
        """Return when to look again at a pool in which nobody waits."""
        now = self._clock()
        since = (self._empty_since.get(pool) if empty else None) or self._empty_since.put(pool, now)
        if now - since < LINGER:
            return now + LINGER_LOOK
        self._empty_since.discard(pool)
        return None

    async def _play(self, pool: str, group: Group) -> bool:
        """Make a game of a group; False if its tickets stay, or one of them has left before."""
        if not await self._may_be_seated(group):
            return False
        match = self._match(group)
        if not await self._games.claim(match):
            return False
        if not await self._pools.take(pool, match):
            await self._games.release(match)
            return False
        await self._finish(pool, match)
        return True

    async def _may_be_seated(self, group: Group) -> bool:
        """Whether no ticket of a group has ended, and no owner has blocked another since.

        A ticket that has ended is removed: a repeated call that was slow may have put it there again. Those
        that do not fit any more are replaced, so that the next look seats them with others.
        """
        newest = await asyncio.gather(*map(self._newest, group.tickets))
        current = [ticket for ticket in newest if ticket is not None]
        if len(current) < len(newest):
            return False
        if all(may_meet(one, other, avoid_recent=False) for one, other in combinations(current, 2)):
            return True
        for ticket, after in zip(group.tickets, current, strict=True):
            await self._pools.replace(ticket, after)
        return False

    async def _newest(self, ticket: Ticket) -> Ticket | None:
        """Return a ticket with whom its owner has blocked by now; None if it has ended."""
        stored, blocked = await asyncio.gather(
            self._tickets.read(ticket.id), self._blocked_callers(ticket.owner)
        )
        if stored is not None and stored.status is not TicketStatus.WAITING:
            await self._pools.remove(ticket)
            return None
        return replace(ticket, avoided=blocked)

    async def _blocked_callers(self, owner: str) -> tuple[str, ...]:
        if not owner or self._profiles is None:
            return ()
        return (await self._profiles.read(caller_digest(owner))).blocked_callers

    def options_of(self, ticket: Ticket) -> Any:
        """Return the options that a ticket was created with."""
        return self._codec.decode_record(ticket.wish).event.options

    def _match(self, group: Group) -> Match:
        """Return the match of a group, with a random order of seats."""
        bots = self._games.bot_levels(group.tickets[0], group.bots)
        seats = [MatchSeat(ticket.id) for ticket in group.tickets] + [MatchSeat("", each) for each in bots]
        random.Random(self._entropy(16)).shuffle(seats)
        return Match(self._entropy(10).hex(), tuple(seats), group.tickets)

    async def _tried(self, pool: str, work: Awaitable[None]) -> Exception | None:
        """Do some work on a pool; a failure is reported and returned, so that it stops no other work."""
        try:
            await work
        except Exception as error:
            self._metrics.report_failure(POOLS, pool, error)
            return error
        return None

    async def _finish(self, pool: str, match: Match) -> None:
        """Make the game of a match; one that fails is tried again later, and given up in the end."""
        now = self._clock()
        if (self._retry_at.get(match.id) or 0) > now:
            return
        error = await self._tried(pool, self._make(pool, match))
        if error is None:
            self._retry_at.discard(match.id)
            return
        self._retry_at.put(match.id, now + RETRY_INTERVAL)
        # Of an error that will not pass, for example because its title is hosted no more.
        if not isinstance(error, Unavailable) and all(ticket.expires <= now for ticket in match.tickets):
            await self._tried(pool, self._give_up(pool, match))

    async def _make(self, pool: str, match: Match) -> None:
        wish = self._codec.decode_record(match.tickets[0].wish).event
        options = wanted_options(Group(match.tickets), self.options_of)
        table = await self._games.create(match, wish, options)
        seats = {seat.ticket_id: number for number, seat in enumerate(match.seats)}
        for ticket in match.tickets:
            await self._tickets.change(ticket, led_to(table.game_id, seats[ticket.id]))
            if ticket.owner:
                await self._news.matched(
                    ticket.owner,
                    ticket_id=ticket.id,
                    game_id=table.game_id,
                    title=ticket.title,
                    seat=seats[ticket.id],
                )
        await asyncio.gather(*(self._remember(ticket, match.tickets) for ticket in match.tickets))
        # If the reply of this is lost, the metric lacks these tickets: counted twice would be as wrong.
        if await self._pools.complete(pool, match):
            for ticket in match.tickets:
                self._count(ticket, TicketStatus.MATCHED)

    async def _give_up(self, pool: str, match: Match) -> None:
        for ticket in match.tickets:
            await self._tickets.change(ticket, ended(TicketStatus.EXPIRED))
        await self._games.release(match)
        await self._pools.complete(pool, match)

    async def _expire(self, ticket: Ticket) -> None:
        # Also if a process has died, or a reply was lost, right after it had left the pool.
        if await self._pools.remove(ticket) or not await self._pools.holds(ticket):
            await self._tickets.change(ticket, ended(TicketStatus.EXPIRED))
            self._count(ticket, TicketStatus.EXPIRED)

    def _count(self, ticket: Ticket, status: TicketStatus) -> None:
        waited = max(0, self._clock() - ticket.created) / SECOND_MICROS
        self._metrics.count_ticket(ticket.title, status.value, waited)

    async def _remember(self, ticket: Ticket, group: Sequence[Ticket]) -> None:
        """Remember whom a player has met."""
        met = [each.player for each in group if each.player and each.player != ticket.player]
        if self._recent and ticket.player and met:
            await self._recent.add(ticket.player, met)
