"""Makes games of waiting tickets. Any number of processes do it; a lease lets one at a time look at a pool.

A match goes through these steps, each of which can be repeated:

1. Its tickets leave the pool, all at once, and the match takes their place. 2. Its game is created, in one
append with all seats taken and the start. The id of the game and the request key are derived from the
match, so that a second attempt finds the game of the first. 3. Its tickets are told, and its players
remember that they have met. 4. The match leaves the pool.

A process that dies leaves the match in the pool, and the next one that looks there begins with it.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from gamehost.play.ports.caller_news import CallerNews
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.maps import MapChange, Maps
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.use_cases.matched_games import MatchedGames

from .pairing import Group, MatchRules, Pairing, wanted_options
from .pools import Match, MatchSeat, Pools
from .tickets import SECOND_MICROS, Ticket, Tickets, TicketStatus, ended, led_to

LOOK_INTERVAL = 500_000  # microseconds between two looks at a pool in which tickets wait
MOST_RECENT = 5  # opponents that a player is not seated with again while there are others
RECENT_FIELD = "recent"
RECENT_SECONDS = 86400


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
    ) -> None:
        self._news = news
        self._store, self._codec, self._games = store, codec, games
        self._clock, self._entropy, self._rules, self._metrics = clock, entropy, rules, metrics
        self._pools, self._tickets = Pools(store), Tickets(store)

    async def check(self, pool: str) -> int | None:
        """Match the tickets of a pool. Returns when to look again, None if nobody waits."""
        began = self._clock()
        content = await self._pools.content(pool)
        await asyncio.gather(*(self._finish(pool, match) for match in content.matches))
        expired = [ticket for ticket in content.tickets if ticket.expires <= began]
        await asyncio.gather(*map(self._expire, expired))
        waiting = [ticket for ticket in content.tickets if ticket.expires > began]
        groups = Pairing(waiting, began, self._rules, self.options_of).groups()
        for group in groups:
            match = self._match(group)
            if await self._pools.take(pool, match):
                await self._finish(pool, match)
        if len(waiting) == sum(len(group.tickets) for group in groups):
            return None
        # A pool that takes long to look at is looked at less often.
        return self._clock() + max(LOOK_INTERVAL, 4 * (self._clock() - began))

    def options_of(self, ticket: Ticket) -> Any:
        """Return the options that a ticket was created with."""
        return self._codec.decode_record(ticket.wish).event.options

    def _match(self, group: Group) -> Match:
        """Return the match of a group, with a random order of seats."""
        bots = self._games.bot_levels(group.tickets[0], group.bots)
        seats = [MatchSeat(ticket.id) for ticket in group.tickets] + [MatchSeat("", each) for each in bots]
        random.Random(self._entropy(16)).shuffle(seats)
        return Match(self._entropy(10).hex(), tuple(seats), group.tickets)

    async def _finish(self, pool: str, match: Match) -> None:
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
        await self._pools.complete(pool, match)
        for ticket in match.tickets:
            self._count(ticket, TicketStatus.MATCHED)

    async def _expire(self, ticket: Ticket) -> None:
        if await self._pools.remove(ticket):
            await self._tickets.change(ticket, ended(TicketStatus.EXPIRED))
            self._count(ticket, TicketStatus.EXPIRED)

    def _count(self, ticket: Ticket, status: TicketStatus) -> None:
        waited = max(0, self._clock() - ticket.created) / SECOND_MICROS
        self._metrics.count_ticket(ticket.title, status.value, waited)

    async def _remember(self, ticket: Ticket, group: Sequence[Ticket]) -> None:
        """Remember whom a player has met."""
        met = [each.player for each in group if each.player and each.player != ticket.player]
        if not (ticket.player and met):
            return
        [value] = await self._store.map_fields(recent_map(ticket.player), [RECENT_FIELD])
        before = [each for each in json.loads(value or b"[]") if each not in met]
        recent = json.dumps([*before, *met][-MOST_RECENT:]).encode()
        # Without an expectation: of two games that begin at once, one may be forgotten.
        await self._store.change_map(
            recent_map(ticket.player), MapChange(put={RECENT_FIELD: recent}), seconds=RECENT_SECONDS
        )


async def recent_opponents(store: Maps, player: str) -> tuple[str, ...]:
    """Return the players that a player has met lately in games of matchmaking."""
    [value] = await store.map_fields(recent_map(player), [RECENT_FIELD])
    return tuple(json.loads(value or b"[]"))


def recent_map(player: str) -> str:
    """Return the name of the map with the recent opponents of a player."""
    return f"recent:{player}"
