"""Handlers of the GameService rpcs that renew and revoke the tokens of a seat."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.play.application import Application
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope


class SeatTokenHandlers:
    """Answers RefreshSeatToken and RevokeSeatTokens. `now` returns Unix time."""

    def __init__(
        self, codec: MessageRenderer, application: Application, tokens: SeatTokens, now: Callable[[], float]
    ) -> None:
        self._codec, self._seat_tokens, self._tokens, self._now = codec, application.seat_tokens, tokens, now

    async def refresh_seat_token(
        self, request: pb.RefreshSeatTokenRequest, call: Call
    ) -> pb.RefreshSeatTokenResponse:
        table, seat = await self._seat_tokens.refresh(request.game_id, call.principal)
        call.note(game=table.game_id, seat=seat, version=table.version)
        # Writes nothing and has no request id; a repeated call gets a token that lasts longer.
        token = self._tokens.of_seat(table, seat, since=self._now())
        return pb.RefreshSeatTokenResponse(seat=seat, seat_token=token)

    async def revoke_seat_tokens(
        self, request: pb.RevokeSeatTokensRequest, call: Call
    ) -> pb.RevokeSeatTokensResponse:
        change, seat = await self._seat_tokens.revoke(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        table = change.table
        call.note(game=table.game_id, seat=seat, version=table.version)
        # From the time of the event, not from now: a repeated request must get the same token.
        token = self._tokens.of_seat(table, seat, since=change.records[0].at / 1e6)
        return pb.RevokeSeatTokensResponse(game=self._codec.game(table), seat=seat, seat_token=token)
