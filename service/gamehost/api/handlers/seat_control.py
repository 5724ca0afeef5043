"""The calls of GameService about who plays a seat: a bot, its owner, or nobody any more."""

from __future__ import annotations

from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.play.application import Application
from gamehost.play.writer import Change
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope


class SeatControlHandlers:
    def __init__(self, codec: MessageRenderer, house: Application) -> None:
        self._codec, self._games, self._seating = codec, house.create_and_join, house.resign_and_reclaim

    async def add_bot(self, request: pb.AddBotRequest, call: Call) -> pb.AddBotResponse:
        wanted = request.bot_seat if request.HasField("bot_seat") else None
        asked = idempotency_key(seat_scope(call), request)
        change, seat = await self._games.add_bot(
            request.game_id, call.principal, request.bot_level, wanted, asked
        )
        return pb.AddBotResponse(game=self._changed(change, call), bot_seat=seat)

    async def resign(self, request: pb.ResignRequest, call: Call) -> pb.ResignResponse:
        change = await self._seating.resign(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        return pb.ResignResponse(game=self._changed(change, call))

    async def reclaim_seat(self, request: pb.ReclaimSeatRequest, call: Call) -> pb.ReclaimSeatResponse:
        change = await self._seating.reclaim(
            request.game_id, call.principal, idempotency_key(seat_scope(call), request)
        )
        return pb.ReclaimSeatResponse(game=self._changed(change, call))

    def _changed(self, change: Change, call: Call) -> game_pb2.Game:
        call.note(game=change.table.game_id, seat=change.records[0].seat, version=change.table.version)
        return self._codec.game(change.table)
