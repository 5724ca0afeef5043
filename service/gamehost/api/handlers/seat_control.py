"""Handlers of the GameService rpcs that change who plays a seat: add a bot, resign, reclaim."""

from __future__ import annotations

from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.play.application import Application
from gamehost.play.writer import Change
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope


class SeatControlHandlers:
    """Answers AddBot, Resign and ReclaimSeat."""

    def __init__(self, codec: MessageRenderer, application: Application) -> None:
        self._codec, self._create_and_join = codec, application.create_and_join
        self._resign_and_reclaim = application.resign_and_reclaim

    async def add_bot(self, request: pb.AddBotRequest, call: Call) -> pb.AddBotResponse:
        bot_seat = request.bot_seat if request.HasField("bot_seat") else None
        request_key = idempotency_key(seat_scope(call), request)
        change, seat = await self._create_and_join.add_bot(
            request.game_id, call.principal, request.bot_level, bot_seat, request_key
        )
        return pb.AddBotResponse(game=self._game_message(change, call), bot_seat=seat)

    async def resign(self, request: pb.ResignRequest, call: Call) -> pb.ResignResponse:
        change = await self._resign_and_reclaim.resign(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        return pb.ResignResponse(game=self._game_message(change, call))

    async def reclaim_seat(self, request: pb.ReclaimSeatRequest, call: Call) -> pb.ReclaimSeatResponse:
        change = await self._resign_and_reclaim.reclaim(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        return pb.ReclaimSeatResponse(game=self._game_message(change, call))

    def _game_message(self, change: Change, call: Call) -> game_pb2.Game:
        """The game after a change, which the log line of the call is to name."""
        call.note(game=change.table.game_id, seat=change.records[0].seat, version=change.table.version)
        return self._codec.game(change.table)
