"""Real servers with quotas. Tests act as a trusted proxy and name callers with `X-Forwarded-For`."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

import grpc
import httpx
from google.protobuf import json_format
from google.rpc import status_pb2

from api.echo import SERVICES, Echo
from api.echo_servers import serve_http
from gamehost.api.auth.api_keys import ApiKeys
from gamehost.api.auth.identity import PrincipalReader
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.auth.wrong_tokens import WrongTokens
from gamehost.api.pipeline.admission import Admission
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.quotas import Limits, Quotas
from gamehost.api.pipeline.status import reason_of, retry_after_of
from gamehost.api.transports.forwarding import Proxies
from gamehost.api.transports.grpc import STATUS_DETAILS, GrpcServer
from gamehost.stores.memory import MemoryEventStore
from support.clock import ManualClock
from support.waiting import PATIENCE

LIST = "/shedu.v1.GameService/ListGames"
LOOPBACK = Proxies([ip_network("127.0.0.0/8")])
JSON = {"content-type": "application/json"}
PROTO = {"content-type": "application/proto"}


class CountedStore(MemoryEventStore):
    """Counts the look-ups of API keys."""

    looked = 0

    async def registered(self, book: str, name: str) -> bytes | None:
        self.looked += 1
        return await super().registered(book, name)


@dataclass(frozen=True)
class Answer:
    """The reason of an error, empty if there was none, and the seconds to wait before a retry."""

    reason: str
    wait: float | None = None


@dataclass
class LimitedServers:
    echo: Echo
    store: CountedStore
    clock: ManualClock
    channel: grpc.aio.Channel
    http: httpx.AsyncClient
    tokens: SeatTokens

    async def list_games(self, transport: str, **headers: str) -> Answer:
        """Calls ListGames over that transport with these headers."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if transport == "grpc":
            return await self.native(LIST, b"", **headers)
        if transport == "rest":
            return web_answer(await self.http.get("/v1/games", headers=sent))
        kind, body = (JSON, b"{}") if transport == "connect-json" else (PROTO, b"")
        return web_answer(await self.http.post(LIST, content=body, headers=sent | kind))

    async def native(self, path: str, request: bytes, **headers: str) -> Answer:
        metadata = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        try:
            await self.channel.unary_unary(path)(request, metadata=metadata, timeout=PATIENCE)
        except grpc.aio.AioRpcError as error:
            return native_answer(error)
        return Answer("")


TRANSPORTS = ("grpc", "connect-json", "connect-proto", "rest")


@asynccontextmanager
async def running_limited_servers(
    limits: Limits | None = None,
    *,
    keys: bool = False,
    wrong_tokens: int = 0,
    proxies: Proxies = LOOPBACK,
    **options: Any,
) -> AsyncIterator[LimitedServers]:
    echo, store, clock = Echo(), CountedStore(), ManualClock()

    def now() -> float:
        return clock() / 1e6

    tokens = SeatTokens([b"a secret"], now, 1e9)
    identity = PrincipalReader(tokens, ApiKeys(store, now) if keys else None)
    quotas = Quotas(limits or Limits(), store, now)
    dispatch = Dispatch([echo], SERVICES, Admission(identity, quotas, now, WrongTokens(wrong_tokens, now)))
    server = GrpcServer(dispatch, proxies=proxies)
    grpc_port = server.listen("127.0.0.1:0")
    await server.start()
    stopping = AsyncExitStack()
    stopping.push_async_callback(server.stop, 0)
    async with (
        stopping,
        serve_http(dispatch, PATIENCE, proxies=proxies, **options) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}") as channel,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as http,
    ):
        yield LimitedServers(echo, store, clock, channel, http, tokens)


def native_answer(error: grpc.aio.AioRpcError) -> Answer:
    trailers: dict[str, Any] = dict(error.trailing_metadata() or ())
    return answer_of(status_pb2.Status.FromString(trailers[STATUS_DETAILS]))


def web_answer(answer: httpx.Response) -> Answer:
    """Reads the answer of Connect or of REST, which encode error details differently."""
    if answer.status_code == 200:
        return Answer("")
    body, status = answer.json(), status_pb2.Status()
    for detail in body["error"]["details"] if "error" in body else ():
        json_format.ParseDict(detail, status.details.add())
    for detail in body.get("details", ()):
        value = base64.b64decode(detail["value"] + "==")
        status.details.add(type_url=f"type.googleapis.com/{detail['type']}", value=value)
    return answer_of(status)


def answer_of(status: status_pb2.Status) -> Answer:
    return Answer(reason_of(status), retry_after_of(status))
