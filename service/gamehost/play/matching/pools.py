"""Pools: the tickets that wait for the same title with the same clock, rated or not.

Each pool is one map of the store. It has a field for every waiting ticket, one for every holder of one, so
that nobody waits twice in a pool, and one for every match: tickets that leave the pool together, in the
same step, for a game that is then made. So a ticket is in the pool or in one match, whatever happens to a
process, and the holder is free again once the match is complete.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from gamehost.play.caching import LruCache
from gamehost.play.errors import AlreadyTaken, Unavailable
from gamehost.play.ports.maps import MapChange, Maps
from gamehost.play.throttle import Throttle

from .tickets import Ticket, Tickets, TicketStatus, decode_ticket, encode_ticket

WAITING_PREFIX, HOLDER_PREFIX, MATCH_PREFIX = "waiting:", "holder:", "match:"
POOL_ATTEMPTS = 16
POOL_SECONDS = 7 * 86400  # after the last ticket; no ticket waits longer than a day
REMEMBERED_TICKETS = 20_000  # decoded tickets, which are read again with every look at a pool
DECODING = Throttle(1)


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """A seat of a match: a ticket, or the level of a bot."""

    ticket_id: str = ""
    bot_level: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """Tickets that have left their pool for a game. The id of the game is derived from that of the match."""

    id: str
    seats: tuple[MatchSeat, ...]
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class PoolContent:
    """What is in a pool: tickets that wait, and matches whose game may not have been made."""

    tickets: Sequence[Ticket]
    matches: Sequence[Match]


class Pools:
    """Reads and changes pools."""

    def __init__(self, store: Maps) -> None:
        self._store, self._tickets = store, Tickets(store)
        self._decoded = LruCache[bytes, Ticket](REMEMBERED_TICKETS)

    async def content(self, pool: str) -> PoolContent:
        """Return what is in a pool."""
        fields = await self._store.whole_map(pool_map(pool))
        tickets, matches, slices = list[Ticket](), list[Match](), DECODING.slices()
        for name, value in fields.items():
            await slices.turn()
            if name.startswith(WAITING_PREFIX):
                tickets.append(self._ticket(value))
            elif name.startswith(MATCH_PREFIX):
                matches.append(decode_match(value))
        return PoolContent(tickets, matches)

    def _ticket(self, value: bytes) -> Ticket:
        return self._decoded.get(value) or self._decoded.put(value, decode_ticket(value))

    async def add(self, ticket: Ticket) -> None:
        """Let a ticket wait, once; raises AlreadyTaken if its holder has another one that waits."""
        name, holder = pool_map(ticket.pool), f"{HOLDER_PREFIX}{ticket.holder}"
        put = {f"{WAITING_PREFIX}{ticket.id}": encode_ticket(ticket), holder: ticket.id.encode()}
        for _ in range(POOL_ATTEMPTS):
            [held] = await self._store.map_fields(name, [holder])
            if held == ticket.id.encode():
                return
            # A match that is being completed may still hold a ticket that has led to its game.
            if held is not None and not await self._has_ended(held.decode()):
                raise AlreadyTaken("you already wait for a game of this kind", reason="ALREADY_WAITING")
            expect: dict[str, bytes | None] = {f"{WAITING_PREFIX}{ticket.id}": None, holder: held}
            if await self._store.change_map(name, MapChange(expect, put), seconds=POOL_SECONDS):
                return
        raise Unavailable("too many tickets of one caller", retry_after=0.1)

    async def _has_ended(self, ticket_id: str) -> bool:
        ticket = await self._tickets.read(ticket_id)
        return ticket is not None and ticket.status is not TicketStatus.WAITING

    async def holds(self, ticket: Ticket) -> bool:
        """Whether a ticket waits in its pool, or is in a match that is not complete."""
        [found] = await self._store.map_fields(pool_map(ticket.pool), [f"{HOLDER_PREFIX}{ticket.holder}"])
        return found == ticket.id.encode()

    async def remove(self, ticket: Ticket) -> bool:
        """Remove a ticket that waits; False if it does not, for example because it is in a match.

        After a lost reply it may be False although the ticket was removed, see `change_map` of the port.
        """
        field = f"{WAITING_PREFIX}{ticket.id}"
        [found] = await self._store.map_fields(pool_map(ticket.pool), [field])
        if found is None:
            return False
        change = MapChange({field: found}, remove=[field, f"{HOLDER_PREFIX}{ticket.holder}"])
        return await self._store.change_map(pool_map(ticket.pool), change)

    async def replace(self, ticket: Ticket, after: Ticket) -> None:
        """Replace a ticket that waits, unless it has left the pool."""
        field = f"{WAITING_PREFIX}{ticket.id}"
        change = MapChange({field: encode_ticket(ticket)}, {field: encode_ticket(after)})
        await self._store.change_map(pool_map(ticket.pool), change)

    async def take(self, pool: str, match: Match) -> bool:
        """Let tickets leave the pool for a match, all or none; False if one of them waits no longer."""
        waiting = {f"{WAITING_PREFIX}{each.id}": encode_ticket(each) for each in match.tickets}
        field, value = f"{MATCH_PREFIX}{match.id}", encode_match(match)
        if await self._store.change_map(
            pool_map(pool), MapChange({**waiting}, {field: value}, list(waiting))
        ):
            return True
        # After a lost reply the store was asked twice.
        return await self._store.map_fields(pool_map(pool), [field]) == [value]

    async def complete(self, pool: str, match: Match) -> bool:
        """Remove a match whose game is made and whose tickets know of it; False if another process did."""
        name, field, value = pool_map(pool), f"{MATCH_PREFIX}{match.id}", encode_match(match)
        holders = {f"{HOLDER_PREFIX}{each.holder}": each.id.encode() for each in match.tickets}
        for _ in range(POOL_ATTEMPTS):
            held = dict(zip(holders, await self._store.map_fields(name, list(holders)), strict=True))
            # A player who waits again holds another ticket already, which stays.
            free = [holder for holder, ticket_id in holders.items() if held[holder] == ticket_id]
            change = MapChange({**held, field: value}, remove=[field, *free])
            if await self._store.change_map(name, change):
                return True
            if await self._store.map_fields(name, [field]) == [None]:
                return False
        raise Unavailable("too many changes of the tickets of one match", retry_after=0.1)


def pool_map(pool: str) -> str:
    """Return the name of the map of a pool."""
    return f"pool:{pool}"


def encode_match(match: Match) -> bytes:
    """Return a match as JSON."""
    tickets = [encode_ticket(each).decode() for each in match.tickets]
    seats = [asdict(seat) for seat in match.seats]
    return json.dumps({"id": match.id, "seats": seats, "tickets": tickets}).encode()


def decode_match(value: bytes) -> Match:
    """Return the match that `encode_match` was given."""
    fields = json.loads(value)
    seats = tuple(MatchSeat(**seat) for seat in fields["seats"])
    return Match(fields["id"], seats, tuple(decode_ticket(each.encode()) for each in fields["tickets"]))
