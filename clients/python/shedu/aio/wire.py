"""Calls and streams that survive broken connections and restarted servers."""

from __future__ import annotations

from typing import Any, TypeVar

import grpc

from ..addresses import Address, bearer
from ..async_io import Plays, Stream, Streaming, Unary, close, open_channel, sleep
from ..connection_monitor import ConnectionMonitor, Tell
from ..errors import SheduError, Unavailable, error_of
from ..resuming import Resume
from ..retry import Attempts
from ..tracing import traced
from ..v1 import game_service_pb2 as pb
from ..v1.catalog_service_pb2_grpc import CatalogServiceStub
from ..v1.game_service_pb2_grpc import GameServiceStub
from ..v1.match_service_pb2_grpc import MatchServiceStub
from ..v1.player_service_pb2_grpc import PlayerServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")
Item = TypeVar("Item")


class Wire:
    """`patience` is for how many seconds a call, or a stream that broke, is tried again."""

    def __init__(self, address: Address, patience: float, tell: Tell | None = None) -> None:
        self.address, self.patience = address, patience
        self._monitor = ConnectionMonitor(address.target, tell)
        self._channel = open_channel(address)
        self.games = GameServiceStub(self._channel)
        self.catalog = CatalogServiceStub(self._channel)
        self.matches, self.players = MatchServiceStub(self._channel), PlayerServiceStub(self._channel)
        self.plays: Plays | None = None

    async def close(self) -> None:
        await close(self._channel)

    async def play(self, request: pb.PlayActionRequest, token: str) -> pb.PlayActionResponse:
        """Plays an action, with `plays` if that is set."""
        if self.plays is not None:
            return await self.plays(request, token)
        return await self.call(self.games.PlayAction, request, token)

    async def call(self, method: Unary[Request, Response], request: Request, token: str) -> Response:
        attempts = Attempts(self.patience)
        with traced(request) as headers:
            metadata = bearer(token) + headers
            while True:
                try:
                    answer = await method(request, metadata=metadata, timeout=attempts.timeout)
                except grpc.RpcError as failure:
                    error = error_of(failure)
                else:
                    self._monitor.answered()
                    return answer
                self._monitor.failed(error)
                await sleep(attempts.pause(error))

    async def follow(
        self, method: Streaming[Request, Response], resume: Resume[Request, Response, Item], token: str
    ) -> Stream[Item]:
        attempts = Attempts(self.patience)
        attempts.succeeded()  # nothing has failed yet, however long it takes until something does
        while not resume.over:
            request = resume.request()
            with traced(request) as headers:
                call = method(request, metadata=bearer(token) + headers)
            error: SheduError = Unavailable("the stream ended")
            try:
                async for message in call:
                    attempts.succeeded()
                    self._monitor.answered()
                    item = resume.take(message)
                    if item is not None:
                        yield item
                    resume.dealt(message)
                    attempts.succeeded()
            except grpc.RpcError as failure:
                error = error_of(failure)
            finally:
                _hang_up(call)
            if not resume.over:
                self._monitor.failed(error)
                await sleep(attempts.pause(error))


def _hang_up(call: Any) -> None:
    call.cancel()
