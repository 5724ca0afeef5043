"""Clients that call the service over gRPC and REST without the SDK, each with its own retries."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Sequence
from typing import Any

import grpc
import grpc.aio
import httpx
from google.protobuf import json_format

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.waiting import PATIENCE

from .history import History

ATTEMPT = 4.0  # seconds, after which another process is asked
PAUSE = 0.1
TRANSIENT = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
# grpcio reports a connection that breaks during a call with these codes and without details; the service
# always sends details with them.
BROKEN = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
DETAILS = "grpc-status-details-bin"
OPTIONS = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
]
PATHS = {
    "CreateGame": ("POST", "/v1/games"),
    "JoinGame": ("POST", "/v1/games/{}:join"),
    "GetView": ("GET", "/v1/games/{}/view"),
    "ListLegalActions": ("GET", "/v1/games/{}/legalActions"),
    "PlayAction": ("POST", "/v1/games/{}:play"),
}


class GaveUp(Exception):
    """No process answered before the time limit of the call."""


class Refusal(Exception):
    """The service refused the call; another attempt would be refused, too."""


class TransientError(Exception):
    """A failure after which the same request may be sent again, to this or to another process."""


class RetryingClient:
    """Sends the same request to one process after the other until one answers."""

    name = ""
    attempt = ATTEMPT

    def __init__(self, history: History, processes: int, coin: random.Random) -> None:
        self._history = history
        self._turn = itertools.cycle(coin.sample(range(processes), processes))
        self._at = next(self._turn)

    async def call(self, name: str, request: Any, token: str = "") -> Any:
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while True:
            try:
                answer = await self.once(self._at, name, request, token)
            except TransientError as trouble:
                if loop.time() > end:
                    raise GaveUp(f"{name}: {trouble}") from trouble
                self._history.retries[self.name] += 1
                self.move_on()
                await asyncio.sleep(PAUSE)
                continue
            self._history.calls[self.name] += 1
            return answer

    async def once(self, process: int, name: str, request: Any, token: str) -> Any:
        raise NotImplementedError

    def move_on(self) -> None:
        self._at = next(self._turn)


class GrpcClient(RetryingClient):
    name = "gRPC"

    def __init__(self, ports: Sequence[int], history: History, coin: random.Random) -> None:
        super().__init__(history, len(ports), coin)
        self.channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", OPTIONS) for port in ports]
        self.stubs: list[Any] = [GameServiceStub(channel) for channel in self.channels]

    async def once(self, process: int, name: str, request: Any, token: str) -> Any:
        method = getattr(self.stubs[process], name)
        try:
            return await method(request, metadata=authorization(token), timeout=self.attempt)
        except grpc.aio.AioRpcError as error:
            raise error_of(error) from error

    async def twice(self, name: str, request: Any, token: str) -> list[Any]:
        """Sends the same request to two processes at once, and returns the answers that came."""
        first, second = self._at, (self._at + 1) % len(self.stubs)
        both = (self.once(process, name, request, token) for process in (first, second))
        answers = await asyncio.gather(*both, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, TransientError):
                raise answer
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    def watch(self, request: pb.WatchGameRequest, token: str) -> Any:
        return self.stubs[self._at].WatchGame(request, metadata=authorization(token))

    async def close(self) -> None:
        await asyncio.gather(*(channel.close() for channel in self.channels))


class RestClient(RetryingClient):
    name = "REST"

    def __init__(self, ports: Sequence[int], history: History, coin: random.Random) -> None:
        super().__init__(history, len(ports), coin)
        self._clients = [
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=self.attempt) for port in ports
        ]

    async def once(self, process: int, name: str, request: Any, token: str) -> Any:
        verb, path = PATHS[name]
        body = json_format.MessageToDict(request)
        place = path.format(body.pop("gameId", ""))
        given = {"json": body} if verb == "POST" else {"params": body}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            response = await self._clients[process].request(verb, place, headers=headers, **given)
        except httpx.TransportError as error:
            raise TransientError(type(error).__name__) from error
        return self._read(name, response)

    def _read(self, name: str, response: httpx.Response) -> Any:
        if response.status_code in (503, 504):
            raise TransientError(response.text[:200])
        if response.status_code != 200:
            raise Refusal(f"{name}: {response.status_code} {response.text[:200]}")
        return json_format.ParseDict(response.json(), getattr(pb, f"{name}Response")())

    async def close(self) -> None:
        await asyncio.gather(*(client.aclose() for client in self._clients))


def authorization(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


def error_of(error: grpc.aio.AioRpcError) -> Exception:
    explained = any(key == DETAILS for key, _ in error.trailing_metadata() or ())
    text = f"{error.code().name} {error.details()}"
    passing = error.code() in TRANSIENT or (error.code() in BROKEN and not explained)
    return TransientError(text) if passing else Refusal(text)
