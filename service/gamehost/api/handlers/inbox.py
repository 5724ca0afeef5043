"""The calls of GameService about all games of a caller."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import AsyncIterator
from contextlib import aclosing

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import OUTCOME, MessageRenderer
from gamehost.codec.table_events import PROPOSAL
from gamehost.play.access import Caller, Principal, SeatKey
from gamehost.play.application import Application
from gamehost.play.errors import InvalidRequest, NotYourSeat, Unauthenticated
from gamehost.play.inbox.items import DecisionAsked, GameBegan, GameOver, ProposalPending, SeatReserved
from gamehost.play.inbox.stream import (
    InboxCaughtUp,
    InboxClosed,
    InboxEntry,
    InboxHeartbeat,
    InboxMessage,
    InboxSource,
)
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope
from .paging import MOST_NUMBER


class InboxHandlers:
    def __init__(self, codec: MessageRenderer, house: Application, tokens: SeatTokens) -> None:
        self._codec, self._games, self._tokens = codec, house.create_and_join, tokens
        self._rematching, self._inbox, self._mailboxes = house.rematch, house.inbox, house.inbox_sources

    async def rematch(self, request: pb.RematchRequest, call: Call) -> pb.RematchResponse:
        asked = idempotency_key(seat_scope(call), request)
        seated = await self._rematching.rematch(request.game_id, call.principal, asked, call.payer)
        table, seat = seated.table, seated.seat
        call.note(game=table.game_id, seat=seat, version=table.version)
        return pb.RematchResponse(
            game=self._codec.game(table),
            seat=seat,
            seat_token=self._tokens.of_seat(seated.then, seat, since=seated.at / 1e6),
            invite_code=self._games.invite_code(table),
            spectator_token=self._tokens.of_spectators(table),
        )

    async def watch_inbox(
        self, request: pb.WatchInboxRequest, call: Call
    ) -> AsyncIterator[pb.WatchInboxResponse]:
        owner = _owner(call.principal)
        mailbox = await self._mailbox(call, _place(owner, request.cursor))
        async with aclosing(self._inbox.watch(mailbox)) as posts:
            async for post in posts:
                message = self._message(post)
                message.cursor = _cursor(owner, post.cursor)
                yield message

    async def _mailbox(self, call: Call, place: int | None) -> InboxSource:
        if isinstance(call.principal, Caller):
            return await self._mailboxes.of_caller(call.principal.id, place)
        if isinstance(call.principal, SeatKey):
            call.note(game=call.principal.game_id, seat=call.principal.seat)
            return await self._mailboxes.of_seat(call.principal, place)
        if call.principal is None:
            raise Unauthenticated(
                "an inbox is that of an identity or of a seat token, and this call has none"
            )
        raise NotYourSeat("a spectator has no inbox")

    def _message(self, post: InboxMessage) -> pb.WatchInboxResponse:
        match post:
            case InboxEntry():
                return pb.WatchInboxResponse(item=self._item(post))
            case InboxCaughtUp():
                return pb.WatchInboxResponse(caught_up=pb.InboxCaughtUp())
            case InboxHeartbeat():
                return pb.WatchInboxResponse(heartbeat=pb.InboxHeartbeat())
            case InboxClosed(_, why):
                reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{why.name}")
                return pb.WatchInboxResponse(go_away=pb.InboxGoAway(reason=reason))

    def _item(self, letter: InboxEntry) -> pb.InboxItem:
        table = letter.table
        item = pb.InboxItem(
            game_id=table.game_id, title=table.rules.title, seat=letter.seat, version=table.version
        )
        match letter.item:
            case DecisionAsked(message=told):
                item.decision.CopyFrom(told)
            case ProposalPending(proposal=proposal):
                item.proposal.CopyFrom(PROPOSAL.encode(proposal))
            case GameOver(outcome):
                item.finished.outcome.CopyFrom(OUTCOME.encode(outcome))
            case SeatReserved():
                item.invited.SetInParent()
            case GameBegan():
                item.started.SetInParent()
        return item


def _owner(who: Principal) -> str:
    """Whose cursors they are, in few letters."""
    named = who.id if isinstance(who, Caller) else repr(who)
    return hashlib.sha256(named.encode()).hexdigest()[:12]


def _cursor(owner: str, place: int) -> str:
    return base64.urlsafe_b64encode(f"{owner}|{place}".encode()).decode().rstrip("=")


def _place(owner: str, cursor: str) -> int | None:
    if not cursor:
        return None
    try:
        words = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        named, _, place = words.decode("ascii").partition("|")
    except (binascii.Error, ValueError):
        named, place = "", ""
    if named != owner or not place.isdigit() or len(place) > 16 or int(place) > MOST_NUMBER:
        raise InvalidRequest("cursor", "is not one that this inbox gave out")
    return int(place)
