"""Handlers of the GameService rpcs for undo, abandoning by agreement, and forks."""

from __future__ import annotations

from typing import Any

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.table_events import SEAT_PLAN
from gamehost.play import access
from gamehost.play.application import Application
from gamehost.play.writer import Change
from gamehost.rules.kit import Seat
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope


class ProposalHandlers:
    """Answers ProposeUndo, ProposeAbandon, AnswerProposal and ForkGame."""

    def __init__(self, codec: MessageRenderer, application: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens = codec, tokens
        self._proposals, self._fork_game = application.proposals, application.fork_game

    async def propose_undo(self, request: pb.ProposeUndoRequest, call: Call) -> pb.ProposeUndoResponse:
        to_version = request.to_version if request.HasField("to_version") else None
        request_key = idempotency_key(seat_scope(call), request)
        change = await self._proposals.propose_undo(request.game_id, call.principal, to_version, request_key)
        return pb.ProposeUndoResponse(**self._events_and_view(change, call))

    async def propose_abandon(
        self, request: pb.ProposeAbandonRequest, call: Call
    ) -> pb.ProposeAbandonResponse:
        request_key = idempotency_key(seat_scope(call), request)
        change = await self._proposals.propose_abandon(request.game_id, call.principal, request_key)
        return pb.ProposeAbandonResponse(**self._events_and_view(change, call))

    async def answer_proposal(
        self, request: pb.AnswerProposalRequest, call: Call
    ) -> pb.AnswerProposalResponse:
        change = await self._proposals.answer(
            request.game_id,
            call.principal,
            request.proposal_id,
            accept=request.accept,
            request=idempotency_key(seat_scope(call), request),
        )
        return pb.AnswerProposalResponse(**self._events_and_view(change, call))

    async def fork_game(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        version = request.version if request.HasField("version") else None
        # A scope of its own: the id of the new game is derived from this key, as in CreateGame.
        request_key = idempotency_key(f"fork:{seat_scope(call)}", request)
        plans = tuple(map(SEAT_PLAN.decode, request.seats))
        table = await self._fork_game.fork(
            request.game_id, call.principal, version, plans, request_key, call.payer
        )
        call.note(game=table.game_id, version=table.version)
        # The caller gets all seats of a fork, to try moves for every side and to see what a bot chose.
        tokens = (
            self._tokens.of_seat(table, Seat(seat), since=table.created_at / 1e6)
            for seat in range(len(table.chairs))
        )
        return pb.ForkGameResponse(game=self._codec.game(table), seat_tokens=tokens)

    def _events_and_view(self, change: Change, call: Call) -> dict[str, Any]:
        """The response fields for a change: its events and the new view, as the calling seat may see them."""
        table, seat = change.table, change.records[0].seat
        call.note(game=table.game_id, seat=seat, version=table.version)
        everything = access.is_revealed(table, seat)
        events = [self._codec.event(table, record, seat, everything=everything) for record in change.records]
        return {"events": events, "view": self._codec.view(table, seat)}
