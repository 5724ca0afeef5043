"""The leanest clients there are, so that the server is what takes the time."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import grpc.aio

from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

SERVICE = "/shedu.v1.GameService/"
LONGEST_IDLE = 2.0  # seconds
EOF: Any = cast(Any, grpc.aio).EOF


@dataclass(frozen=True, slots=True)
class Ticket:
    """A game with the tokens of its seats."""

    game_id: str
    tokens: Sequence[str]


@dataclass(frozen=True, slots=True)
class Legal:
    """The open decision of a seat and its legal actions, in the form of the transport."""

    decision_id: str
    actions: Sequence[Any]


class Wire(Protocol):
    async def legal(self, ticket: Ticket, seat: int) -> Legal: ...

    async def play(
        self, ticket: Ticket, seat: int, decision_id: str, action: Any, request_id: str
    ) -> int | None:
        """Plays an action; returns the seat that has to decide next, None when the game is over."""
        ...


class GrpcWire:
    """Protobuf over native gRPC."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel
        self._rpcs: dict[str, Any] = {}

    async def _ask(self, rpc: str, token: str, request: bytes) -> bytes:
        call = self._rpcs.get(rpc) or self._rpcs.setdefault(
            rpc, self._channel.unary_unary(SERVICE + rpc, None, None)
        )
        response: bytes = await call(request, metadata=(("authorization", f"Bearer {token}"),))
        return response

    async def legal(self, ticket: Ticket, seat: int) -> Legal:
        request = pb.ListLegalActionsRequest(game_id=ticket.game_id)
        data = await self._ask("ListLegalActions", ticket.tokens[seat], request.SerializeToString())
        found = pb.ListLegalActionsResponse.FromString(data)
        return Legal(found.decision.decision_id, [each.action for each in found.actions])

    async def play(
        self, ticket: Ticket, seat: int, decision_id: str, action: game_pb2.Action, request_id: str
    ) -> int | None:
        request = pb.PlayActionRequest(
            game_id=ticket.game_id, decision_id=decision_id, action=action, request_id=request_id
        )
        data = await self._ask("PlayAction", ticket.tokens[seat], request.SerializeToString())
        asked = pb.PlayActionResponse.FromString(data).view.decisions
        return asked[0].seat if asked else None


class StreamWire(GrpcWire):
    """PlayAction as items of one PlayStream, which all games on a channel share."""

    def __init__(self, channel: grpc.aio.Channel, stream: PlayStream) -> None:
        super().__init__(channel)
        self._stream = stream

    async def play(
        self, ticket: Ticket, seat: int, decision_id: str, action: game_pb2.Action, request_id: str
    ) -> int | None:
        request = pb.PlayActionRequest(
            game_id=ticket.game_id, decision_id=decision_id, action=action, request_id=request_id
        )
        asked = (await self._stream.play(request, ticket.tokens[seat])).view.decisions
        return asked[0].seat if asked else None


class PlayStream:
    """One PlayStream. Items that are given in the same turn of the event loop travel in one message."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        rpc: Any = channel.stream_stream(SERVICE + "PlayStream", None, None)
        self._call, self._numbers = rpc(), itertools.count(1)
        self._items: list[pb.PlayStreamItem] = []
        self._answers: dict[int, asyncio.Future[pb.PlayActionResponse]] = {}
        self._tasks = [asyncio.create_task(self._read())]

    async def play(self, request: pb.PlayActionRequest, token: str) -> pb.PlayActionResponse:
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._items.append(pb.PlayStreamItem(correlation_id=number, token=token, play=request))
        if len(self._items) == 1:
            self._tasks[1:] = [asyncio.create_task(self._send())]
        return await answer

    async def _send(self) -> None:
        items, self._items = self._items, []
        await self._call.write(pb.PlayStreamRequest(items=items).SerializeToString())

    async def _read(self) -> None:
        while (data := await self._call.read()) is not EOF:
            for result in pb.PlayStreamResponse.FromString(data).results:
                answer = self._answers.pop(result.correlation_id)
                if result.HasField("error"):
                    answer.set_exception(ValueError(result.error.message))
                else:
                    answer.set_result(result.response)

    def close(self) -> None:
        self._call.cancel()
        for task in self._tasks:
            task.cancel()


class ConnectWire(GrpcWire):
    """Protobuf over Connect: the same messages as bodies of HTTP requests."""

    def __init__(self, port: int) -> None:
        self._connection = HttpConnection(port)

    async def _ask(self, rpc: str, token: str, request: bytes) -> bytes:
        return await self._connection.ask("POST", SERVICE + rpc, token, "application/proto", request)


class RestWire:
    """JSON over REST."""

    def __init__(self, port: int) -> None:
        self._connection = HttpConnection(port)

    async def legal(self, ticket: Ticket, seat: int) -> Legal:
        path = f"/v1/games/{ticket.game_id}/legalActions"
        found = json.loads(await self._connection.ask("GET", path, ticket.tokens[seat]))
        return Legal(found["decision"]["decisionId"], [each["action"] for each in found["actions"]])

    async def play(
        self, ticket: Ticket, seat: int, decision_id: str, action: Any, request_id: str
    ) -> int | None:
        body = json.dumps({"decisionId": decision_id, "action": action, "requestId": request_id}).encode()
        path = f"/v1/games/{ticket.game_id}:play"
        answer = await self._connection.ask("POST", path, ticket.tokens[seat], "application/json", body)
        asked = json.loads(answer)["view"]["decisions"]
        return int(asked[0]["seat"]) if asked else None


class HttpConnection:
    """One connection, kept alive, for one call at a time; an idle one, which may be closed, is replaced."""

    def __init__(self, port: int) -> None:
        self._port, self._used = port, 0.0
        self._line: Line | None = None

    async def ask(self, verb: str, path: str, token: str, kind: str = "", body: bytes = b"") -> bytes:
        loop = asyncio.get_running_loop()
        if self._line is None or self._line.closed or loop.time() - self._used > LONGEST_IDLE:
            if self._line is not None:
                self._line.close()
            _, self._line = await loop.create_connection(Line, "127.0.0.1", self._port)
        content = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if kind else ""
        head = f"{verb} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{content}\r\n"
        answer = await self._line.ask(head.encode() + body)
        self._used = loop.time()
        return answer


class Line(asyncio.Protocol):
    """HTTP/1.1 as far as the answers of the service need it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._heard = b""
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    @property
    def closed(self) -> bool:
        return bool(self._transport.is_closing())

    def close(self) -> None:
        self._transport.close()

    async def ask(self, request: bytes) -> bytes:
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, _, rest = self._heard.partition(b"\r\n\r\n")
        body = whole_body(head.lower(), rest)
        if body is None:
            return
        self._heard = b""
        if head.startswith(b"HTTP/1.1 200"):
            self._answer.set_result(body)
        else:
            self._answer.set_exception(ValueError(body.decode()))

    def connection_lost(self, _problem: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(ConnectionError("the server hung up"))


def whole_body(head: bytes, rest: bytes) -> bytes | None:
    """The body of an answer with a length or in chunks; None while some of it is missing."""
    if b"transfer-encoding: chunked" in head:
        if not rest.endswith(b"0\r\n\r\n"):
            return None
        body = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            body, rest = body + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
        return body
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"-1")
    return rest if len(rest) == length else None
