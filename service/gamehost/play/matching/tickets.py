"""Tickets: what a caller would play with strangers, and what has become of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from gamehost.play.errors import Unavailable
from gamehost.play.ports.maps import MapChange, Maps

TICKET = "ticket"  # the field of the map of a ticket
SECOND_MICROS = 1_000_000
KEPT_SECONDS = 86400  # after the last change of a ticket
TICKET_ATTEMPTS = 16


class TicketStatus(Enum):
    """Whether a ticket waits, has led to a game, or has ended without one."""

    WAITING = "waiting"
    MATCHED = "matched"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket. Times are in microseconds since 1970.

    * `owner` is the caller id, "" for a caller without an identity; `holder` is what at most one waiting
      ticket of a pool has: a digest of the owner or, without one, the id of the ticket.
    * `player` is the player key of the owner, `rating` its rating in points.
    * `wish` is an encoded GameCreated event with title, options and clock; `any_options` says that the
      options do not matter.
    * `bots_after` is None if bots may not fill up.
    * `avoided` are the players that it is not seated with, `recent` those that it has met lately.
    * `payer` is the digest of who the game counts for, `games_list` the list of its games; `fingerprint`
      tells repeated calls from others with the same id.
    """

    id: str
    pool: str
    title: str
    owner: str
    holder: str
    player: str
    rating: int
    rated: bool
    wish: bytes
    any_options: bool
    min_seats: int
    max_seats: int
    created: int
    expires: int
    display_name: str = ""
    bots_after: int | None = None
    bot_level: str = ""
    avoided: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    payer: str = ""
    games_list: str = ""
    fingerprint: str = ""
    status: TicketStatus = TicketStatus.WAITING
    game_id: str = ""
    seat: int = 0


def encode_ticket(ticket: Ticket) -> bytes:
    """Return a ticket as JSON."""
    fields: dict[str, Any] = asdict(ticket)
    fields["wish"] = base64.b64encode(ticket.wish).decode()
    fields["status"] = ticket.status.value
    return json.dumps(fields, separators=(",", ":")).encode()


def decode_ticket(value: bytes) -> Ticket:
    """Return the ticket that `encode_ticket` was given."""
    fields: dict[str, Any] = json.loads(value)
    fields["wish"] = base64.b64decode(fields["wish"])
    fields["status"] = TicketStatus(fields["status"])
    fields["avoided"], fields["recent"] = tuple(fields["avoided"]), tuple(fields["recent"])
    return Ticket(**fields)


class Tickets:
    """Stores tickets, each in a map of its own that expires a day after its last change."""

    def __init__(self, store: Maps) -> None:
        self._store = store

    async def read(self, ticket_id: str) -> Ticket | None:
        """Return a ticket; None if there is none, or none any more."""
        [value] = await self._store.map_fields(ticket_map(ticket_id), [TICKET])
        return None if value is None else decode_ticket(value)

    async def change(self, ticket: Ticket, change: Callable[[Ticket], Ticket]) -> Ticket:
        """Store what `change` makes of the newest version of a ticket, or of `ticket` if none is stored."""
        name = ticket_map(ticket.id)
        for _ in range(TICKET_ATTEMPTS):
            [value] = await self._store.map_fields(name, [TICKET])
            before = ticket if value is None else decode_ticket(value)
            after = change(before)
            if value is not None and after == before:
                return after
            made = MapChange({TICKET: value}, {TICKET: encode_ticket(after)})
            if await self._store.change_map(name, made, seconds=KEPT_SECONDS):
                return after
        raise Unavailable("too many changes of one ticket", retry_after=0.1)


def ended(status: TicketStatus) -> Callable[[Ticket], Ticket]:
    """Return the change that ends a waiting ticket; one that waits no longer stays as it is."""
    return lambda ticket: replace(ticket, status=status) if ticket.status is TicketStatus.WAITING else ticket


def led_to(game_id: str, seat: int) -> Callable[[Ticket], Ticket]:
    """Return the change of a ticket that has led to a game."""
    return lambda ticket: replace(ticket, status=TicketStatus.MATCHED, game_id=game_id, seat=seat)


def ticket_map(ticket_id: str) -> str:
    """Return the name of the map of a ticket."""
    return f"ticket:{ticket_id}"
