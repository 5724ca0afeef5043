"""The calls of GameService about who plays a seat: a bot, its owner, or nobody any more."""

from __future__ import annotations

from shedu.v1 import game_service_pb2 as pb

from .call import Call


class SeatingCalls:
    async def add_bot(self, request: pb.AddBotRequest, call: Call) -> pb.AddBotResponse:
        raise NotImplementedError

    async def resign(self, request: pb.ResignRequest, call: Call) -> pb.ResignResponse:
        raise NotImplementedError

    async def reclaim_seat(self, request: pb.ReclaimSeatRequest, call: Call) -> pb.ReclaimSeatResponse:
        raise NotImplementedError
