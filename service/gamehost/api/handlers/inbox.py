"""Handlers of the GameService rpcs that span the games of a caller: the inbox stream and rematches."""

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
from gamehost.play import access
from gamehost.play.access import Caller, Principal, SeatKey
from gamehost.play.application import Application
from gamehost.play.errors import InvalidRequest, NotFound, NotYourSeat, Unauthenticated, Unreadable
from gamehost.play.inbox.items import (
    DecisionAsked,
    GameBegan,
    GameMatched,
    GameOver,
    ProposalPending,
    SeatReserved,
)
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
from .paging import LARGEST_NUMBER
from .reading import INBOX_ALWAYS, LegalActionLists, Selection, selection


class InboxHandlers:
    """Answers WatchInbox and Rematch."""

    def __init__(self, codec: MessageRenderer, application: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens, self._create_and_join = codec, tokens, application.create_and_join
        self._rematch, self._inbox = application.rematch, application.inbox
        self._inbox_sources, self._tables = application.inbox_sources, application.tables
        self._legal_actions = LegalActionLists(codec)

    async def rematch(self, request: pb.RematchRequest, call: Call) -> pb.RematchResponse:
        request_key = idempotency_key(seat_scope(call), request)
        seated = await self._rematch.rematch(request.game_id, call.principal, request_key, call.payer)
        table, seat = seated.table, seated.seat
        call.note(game=table.game_id, seat=seat, version=table.version)
        return pb.RematchResponse(
            game=self._codec.game(table),
            seat=seat,
            # Issued for the time when the seat was taken: a repeated call must get the same token.
            seat_token=self._tokens.of_seat(seated.then, seat, since=seated.at / 1e6),
            invite_code=self._create_and_join.invite_code(table),
            spectator_token=self._tokens.of_spectators(table),
        )

    async def watch_inbox(
        self, request: pb.WatchInboxRequest, call: Call
    ) -> AsyncIterator[pb.WatchInboxResponse]:
        owner, wanted = _owner(call.principal), selection(request, pb.WatchInboxResponse, INBOX_ALWAYS)
        source = await self._source(call, _position(owner, request.cursor))
        async with aclosing(self._inbox.watch(source)) as messages:
            async for message in messages:
                response = self._response(message)
                if isinstance(message, InboxEntry):
                    await self._select(response.item, message, wanted, call.principal)
                response.cursor = _cursor(owner, message.cursor)
                yield response

    async def _source(self, call: Call, position: int | None) -> InboxSource:
        """The inbox of an identity, or of the one seat of a seat token. Raises for others."""
        if isinstance(call.principal, Caller):
            return await self._inbox_sources.of_caller(call.principal.id, position)
        if isinstance(call.principal, SeatKey):
            call.note(game=call.principal.game_id, seat=call.principal.seat)
            return await self._inbox_sources.of_seat(call.principal, position)
        if call.principal is None:
            raise Unauthenticated(
                "an inbox belongs to an identity or a seat token, and this call has neither"
            )
        raise NotYourSeat("spectators have no inbox")

    def _response(self, message: InboxMessage) -> pb.WatchInboxResponse:
        match message:
            case InboxEntry():
                return pb.WatchInboxResponse(item=self._item(message))
            case InboxCaughtUp():
                return pb.WatchInboxResponse(caught_up=pb.InboxCaughtUp())
            case InboxHeartbeat():
                return pb.WatchInboxResponse(heartbeat=pb.InboxHeartbeat())
            case InboxClosed(_, end_reason):
                reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{end_reason.name}")
                return pb.WatchInboxResponse(go_away=pb.InboxGoAway(reason=reason))

    async def _select(
        self, item: pb.InboxItem, entry: InboxEntry, wanted: Selection, principal: Principal
    ) -> None:
        """Adds the legal actions to an item with a decision, and removes what the caller does not want."""
        mask = wanted.mask.part("item")
        if wanted.limit and mask.wants("legal_actions") and isinstance(entry.item, DecisionAsked):
            actions = await self._open_actions(entry, entry.item, Selection(mask, wanted.limit), principal)
            if actions is not None:
                item.legal_actions.CopyFrom(actions)
        mask.trim(item)

    async def _open_actions(
        self, entry: InboxEntry, asked: DecisionAsked, wanted: Selection, principal: Principal
    ) -> pb.LegalActions | None:
        """The legal actions of a decision, if it is still open and the seat still the caller's."""
        # The entry is made of a summary, which has no state and may be older than the table.
        try:
            table = await self._tables.current(entry.table.game_id)
            seat = access.acting_seat(
                table, Caller(principal.id, entry.seat) if isinstance(principal, Caller) else principal
            )
        except (NotFound, NotYourSeat, Unreadable):
            return None
        decision = table.decision_of(seat)
        if decision is None or decision.id != asked.decision_id:
            return None
        rest = pb.ListLegalActionsRequest(game_id=table.game_id, seat=seat)
        return self._legal_actions.selected(wanted, table, seat, rest)

    def _item(self, entry: InboxEntry) -> pb.InboxItem:
        """The message of an inbox entry."""
        table = entry.table
        item = pb.InboxItem(
            game_id=table.game_id, title=table.rules.title, seat=entry.seat, version=table.version
        )
        match entry.item:
            case DecisionAsked(message=decision):  # encoded where the summary was made
                item.decision.CopyFrom(decision)
            case ProposalPending(proposal=proposal):
                item.proposal.CopyFrom(PROPOSAL.encode(proposal))
            case GameOver(outcome):
                item.finished.outcome.CopyFrom(OUTCOME.encode(outcome))
            case SeatReserved():
                item.invited.SetInParent()  # selects the case of the oneof, whose message has no fields
            case GameMatched():
                item.matched.SetInParent()
            case GameBegan():
                item.started.SetInParent()
        return item


def _owner(principal: Principal) -> str:
    """A short digest of the principal, which its cursors contain.

    Positions are numbers on one principal's board. With the cursor of another one a stream would skip items.
    """
    name = principal.id if isinstance(principal, Caller) else repr(principal)
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def _cursor(owner: str, position: int) -> str:
    return base64.urlsafe_b64encode(f"{owner}|{position}".encode()).decode().rstrip("=")


def _position(owner: str, cursor: str) -> int | None:
    """The position in a cursor, None for an empty one. Raises InvalidRequest for a foreign cursor."""
    if not cursor:
        return None
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        named, _, position = text.decode("ascii").partition("|")
    except (binascii.Error, ValueError):
        named, position = "", ""
    if named != owner or not position.isdigit() or len(position) > 16 or int(position) > LARGEST_NUMBER:
        raise InvalidRequest("cursor", "is not a cursor of this inbox")
    return int(position)
