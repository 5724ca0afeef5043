"""Handlers of MatchService: tickets for games with strangers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.table_events import clock_of, timestamp
from gamehost.play.access import SeatKey
from gamehost.play.application import Application
from gamehost.play.errors import FeatureOff
from gamehost.play.matching.matchmaking import Matchmaking, TicketSpec
from gamehost.play.matching.tickets import Ticket, TicketStatus
from gamehost.rules.kit import Seat
from shedu.v1 import match_service_pb2 as pb

from .idempotency import caller_scope, idempotency_key
from .reading import requested_options

STATUSES = {status: pb.TicketStatus.Value(f"TICKET_STATUS_{status.name}") for status in TicketStatus}


class MatchHandlers:
    """Answers the rpcs of matchmaking. The contract describes each of them."""

    def __init__(self, codec: MessageRenderer, application: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens = codec, tokens
        self._application, self._tables = application, application.tables

    @property
    def _matching(self) -> Matchmaking:
        if self._application.matchmaking is None:
            raise FeatureOff("this service has no matchmaking")
        return self._application.matchmaking

    async def create_ticket(self, request: pb.CreateTicketRequest, call: Call) -> pb.CreateTicketResponse:
        matching = self._matching
        spec = TicketSpec(
            request.title,
            self._options(request),
            request.min_seats,
            request.max_seats,
            clock_of(request.clock) if request.HasField("clock") else None,
            request.rated,
            request.bots_after.ToMicroseconds() if request.HasField("bots_after") else None,
            request.bot_level,
            request.display_name,
        )
        key = idempotency_key(caller_scope("ticket", call), request)
        ticket = await matching.create(spec, call.principal, call.payer, key)
        return pb.CreateTicketResponse(ticket=ticket_message(ticket), ticket_token=matching.token(ticket))

    def _options(self, request: pb.CreateTicketRequest) -> Any:
        rules = self._application.create_and_join.rules(request.title)
        if not request.HasField("options"):
            return None
        return requested_options(self._codec, rules, request.options)

    async def get_ticket(self, request: pb.GetTicketRequest, call: Call) -> pb.GetTicketResponse:
        ticket = await self._matching.get(request.ticket_id, call.principal, request.ticket_token)
        return pb.GetTicketResponse(
            ticket=ticket_message(ticket), seat_token=await self._seat_token(ticket, call)
        )

    async def cancel_ticket(self, request: pb.CancelTicketRequest, call: Call) -> pb.CancelTicketResponse:
        ticket = await self._matching.cancel(request.ticket_id, call.principal, request.ticket_token)
        return pb.CancelTicketResponse(ticket=ticket_message(ticket))

    async def watch_ticket(
        self, request: pb.WatchTicketRequest, call: Call
    ) -> AsyncIterator[pb.WatchTicketResponse]:
        matching = self._matching
        watch = matching.watch(request.ticket_id, call.principal, request.ticket_token)
        async with aclosing(watch) as tickets:
            async for ticket in tickets:
                if ticket is None:
                    yield pb.WatchTicketResponse(heartbeat=pb.TicketHeartbeat())
                    continue
                change = pb.TicketChange(
                    ticket=ticket_message(ticket), seat_token=await self._seat_token(ticket, call)
                )
                yield pb.WatchTicketResponse(change=change)
        yield pb.WatchTicketResponse(go_away=pb.TicketGoAway(draining=matching.draining))

    async def _seat_token(self, ticket: Ticket, call: Call) -> str:
        """The token of the seat of a ticket that has led to a game; valid as long as one of JoinGame."""
        if ticket.status is not TicketStatus.MATCHED:
            return ""
        call.note(game=ticket.game_id, seat=ticket.seat)
        table = await self._tables.cached(ticket.game_id)
        # Of the first generation: tokens that were revoked since are not issued again.
        return self._tokens.issue(SeatKey(ticket.game_id, Seat(ticket.seat), 1), table.created_at / 1e6)


def ticket_message(ticket: Ticket) -> pb.Ticket:
    """The message of a ticket."""
    return pb.Ticket(
        ticket_id=ticket.id,
        title=ticket.title,
        status=STATUSES[ticket.status],
        create_time=timestamp(ticket.created),
        expire_time=timestamp(ticket.expires),
        game_id=ticket.game_id,
        seat=ticket.seat,
        rated=ticket.rated,
    )
