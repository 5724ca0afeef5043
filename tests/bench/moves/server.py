"""The service as it is, or with another PlayAction: one that does nothing, or one that only appends."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from gamehost import worker
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.handlers.games import GameHandlers
from gamehost.api.handlers.groups import handler_groups
from gamehost.api.handlers.idempotency import idempotency_key, seat_scope
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.titles import TITLES
from gamehost.play.application import Application
from gamehost.play.ports.event_store import EventStore
from gamehost.settings import LogFormat, Settings
from shedu.v1 import game_service_pb2 as pb

from .sample import Sample, sample


@dataclass(frozen=True)
class Variant:
    name: str
    redis: str
    port: int
    grpc_port: int


class Empty(GameHandlers):
    """Answers nothing; the door has read the seat token."""

    async def play_action(self, request: pb.PlayActionRequest, call: Call) -> pb.PlayActionResponse:
        call.note(game=request.game_id)
        return pb.PlayActionResponse()


class Append(GameHandlers):
    """Appends one event with the caller's request id, whatever the rules say."""

    def __init__(self, typical: Sample, store: EventStore, *rest: Any) -> None:
        super().__init__(*rest)
        self._typical, self._store = typical, store
        self._versions: dict[str, int] = {}

    async def play_action(self, request: pb.PlayActionRequest, call: Call) -> pb.PlayActionResponse:
        game = request.game_id
        call.note(game=game)
        expected = self._versions.get(game) or (await self._tables.cached(game)).version
        asked = idempotency_key(seat_scope(call), request)
        appended = await self._store.append(game, [self._typical.event], expected=expected, request=asked)
        self._versions[game] = appended.last
        call.note(version=appended.last)
        return self._typical.response


def serve(variant: Variant) -> None:
    typical = asyncio.run(sample())

    def handlers(house: Application, tokens: SeatTokens) -> list[object]:
        codec = MessageRenderer(TITLES)
        groups = handler_groups(codec, house, tokens, time.time)
        store = house.tables._store
        empty = variant.name == "empty"
        own = Empty(codec, house, tokens) if empty else Append(typical, store, codec, house, tokens)
        return [own if isinstance(group, GameHandlers) else group for group in groups]

    if variant.name != "real":
        vars(worker)["handlers"] = handlers
    settings = Settings(port=variant.port, grpc_port=variant.grpc_port, log_format=LogFormat.JSON)
    worker.run(settings, variant.redis)


def arguments(variant: Variant) -> list[str]:
    return ["-m", __spec__.name, json.dumps(asdict(variant))]


if __name__ == "__main__":
    serve(Variant(**json.loads(sys.argv[1])))
