"""Opens games and takes both seats, before anything is timed."""

from __future__ import annotations

from typing import Any

import grpc.aio

from shedu.v1 import game_service_pb2 as pb

from .player import Seen
from .wires import SERVICE, Ticket, seen


class Opener:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._create = rpc(channel, "CreateGame", pb.CreateGameResponse)
        self._join = rpc(channel, "JoinGame", pb.JoinGameResponse)
        self._view = rpc(channel, "GetView", pb.GetViewResponse)

    async def open(self) -> tuple[Ticket, list[Seen]]:
        """A started game, and what each seat sees of it."""
        game_id = (await self._create(pb.CreateGameRequest(title="tides"))).game.game_id
        tokens = [(await self._join(pb.JoinGameRequest(game_id=game_id))).seat_token for _ in range(2)]
        return Ticket(game_id, tokens), [await self._look(game_id, token) for token in tokens]

    async def _look(self, game_id: str, token: str) -> Seen:
        metadata = (("authorization", f"Bearer {token}"),)
        return seen((await self._view(pb.GetViewRequest(game_id=game_id), metadata=metadata)).view)


def rpc(channel: grpc.aio.Channel, name: str, response: Any) -> Any:
    return channel.unary_unary(
        SERVICE + name,
        request_serializer=lambda request: request.SerializeToString(),
        response_deserializer=response.FromString,
    )
