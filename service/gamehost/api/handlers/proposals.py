"""The calls of GameService about going back, stopping early, and trying things out."""

from __future__ import annotations

from typing import Any

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.play import access
from gamehost.play.application import Application
from gamehost.play.writer import Change
from gamehost.rules.kit import Seat
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope


class ProposalHandlers:
    def __init__(self, codec: MessageRenderer, house: Application, tokens: SeatTokens) -> None:
        self._codec, self._tokens = codec, tokens
        self._undoing, self._forking = house.proposals, house.fork_game

    async def propose_undo(self, request: pb.ProposeUndoRequest, call: Call) -> pb.ProposeUndoResponse:
        to_version = request.to_version if request.HasField("to_version") else None
        asked = idempotency_key(seat_scope(call), request)
        change = await self._undoing.propose_undo(request.game_id, call.principal, to_version, asked)
        return pb.ProposeUndoResponse(**self._happened(change, call))

    async def propose_abandon(
        self, request: pb.ProposeAbandonRequest, call: Call
    ) -> pb.ProposeAbandonResponse:
        asked = idempotency_key(seat_scope(call), request)
        change = await self._undoing.propose_abandon(request.game_id, call.principal, asked)
        return pb.ProposeAbandonResponse(**self._happened(change, call))

    async def answer_proposal(
        self, request: pb.AnswerProposalRequest, call: Call
    ) -> pb.AnswerProposalResponse:
        change = await self._undoing.answer(
            request.game_id,
            call.principal,
            request.proposal_id,
            accept=request.accept,
            request=idempotency_key(seat_scope(call), request),
        )
        return pb.AnswerProposalResponse(**self._happened(change, call))

    async def fork_game(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        version = request.version if request.HasField("version") else None
        asked = idempotency_key(f"fork:{seat_scope(call)}", request)
        table = await self._forking.fork(request.game_id, call.principal, version, asked, call.payer)
        call.note(game=table.game_id, version=table.version)
        tokens = (
            self._tokens.of_seat(table, Seat(seat), since=table.created_at / 1e6)
            for seat in range(len(table.chairs))
        )
        return pb.ForkGameResponse(game=self._codec.game(table), seat_tokens=tokens)

    def _happened(self, change: Change, call: Call) -> dict[str, Any]:
        """What a call led to, as the seat that made it may know it."""
        table, seat = change.table, change.records[0].seat
        call.note(game=table.game_id, seat=seat, version=table.version)
        everything = access.is_revealed(table, seat)
        events = [self._codec.event(table, record, seat, everything=everything) for record in change.records]
        return {"events": events, "view": self._codec.view(table, seat)}
