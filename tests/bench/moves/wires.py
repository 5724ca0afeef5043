"""The leanest clients there are: bytes in, bytes out, so that the server is what gets measured."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import grpc.aio

from shedu.tides.v1 import tides_pb2
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .player import Move, Question, Seen

SERVICE = "/shedu.v1.GameService/"
CARD_NAMES = tides_pb2.Card.keys()
CARD_NUMBERS = dict(tides_pb2.Card.items())


@dataclass(frozen=True, slots=True)
class Ticket:
    """A game with the tokens of both seats."""

    game_id: str
    tokens: Sequence[str]


class Wire(Protocol):
    """`exchange` is what is timed."""

    def encode(self, ticket: Ticket, move: Move, request_id: str) -> bytes: ...

    async def exchange(self, ticket: Ticket, seat: int, request: bytes) -> bytes: ...

    def decode(self, response: bytes) -> Seen: ...


class GrpcWire:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._play: Any = channel.unary_unary(SERVICE + "PlayAction", None, None)

    def encode(self, ticket: Ticket, move: Move, request_id: str) -> bytes:
        return pb.PlayActionRequest(
            game_id=ticket.game_id,
            decision_id=move.question.id,
            action=game_pb2.Action(tides=action(move)),
            request_id=request_id,
        ).SerializeToString()

    async def exchange(self, ticket: Ticket, seat: int, request: bytes) -> bytes:
        metadata = (("authorization", f"Bearer {ticket.tokens[seat]}"),)
        response: bytes = await self._play(request, metadata=metadata)
        return response

    def decode(self, response: bytes) -> Seen:
        return seen(pb.PlayActionResponse.FromString(response).view)


class RestWire:
    """One connection, kept alive, for one call at a time; one that was closed for idleness is replaced."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line: Line | None = None

    def encode(self, ticket: Ticket, move: Move, request_id: str) -> bytes:
        names = [CARD_NAMES[card] for card in move.cards]
        kind = (
            {"chooseCard": {"card": names[0]}}
            if len(names) == 1
            else {"chooseRelic": {"relic": names[0], "removed": names[1]}}
        )
        return json.dumps(
            {"decisionId": move.question.id, "action": {"tides": kind}, "requestId": request_id}
        ).encode()

    async def exchange(self, ticket: Ticket, seat: int, request: bytes) -> bytes:
        head = (
            f"POST /v1/games/{ticket.game_id}:play HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {ticket.tokens[seat]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(request)}\r\n\r\n"
        )
        return await (await self._open_line()).ask(head.encode() + request)

    async def _open_line(self) -> Line:
        if self._line is None or self._line.closed:
            loop = asyncio.get_running_loop()
            _, self._line = await loop.create_connection(Line, "127.0.0.1", self._port)
        return self._line

    def decode(self, response: bytes) -> Seen:
        view = json.loads(response).get("view") or {}
        tides = view.get("tides") or {"round": 0, "hand": [], "seats": []}
        asked = view.get("decisions")
        return Seen(
            tides["round"],
            [CARD_NUMBERS[card] for card in tides["hand"]],
            [[CARD_NUMBERS[card] for card in seat["played"]] for seat in tides["seats"]],
            Question(asked[0]["decisionId"], asked[0]["seat"]) if asked else None,
        )


class Line(asyncio.Protocol):
    """HTTP/1.1 as far as answers with a length need it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._heard = b""
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    @property
    def closed(self) -> bool:
        return bool(self._transport.is_closing())

    async def ask(self, request: bytes) -> bytes:
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, _, body = self._heard.partition(b"\r\n\r\n")
        length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"-1")
        if len(body) != length:
            return
        self._heard = b""
        if head.startswith(b"HTTP/1.1 200"):
            self._answer.set_result(body)
        else:
            self._answer.set_exception(ValueError(body.decode()))

    def connection_lost(self, _problem: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(ConnectionError("the server hung up"))


def action(move: Move) -> tides_pb2.Action:
    if len(move.cards) == 1:
        return tides_pb2.Action(choose_card=tides_pb2.ChooseCard(card=any_card(move.cards[0])))
    relic, removed = map(any_card, move.cards)
    return tides_pb2.Action(choose_relic=tides_pb2.ChooseRelic(relic=relic, removed=removed))


def any_card(number: int) -> Any:
    return number


def seen(view: game_pb2.View) -> Seen:
    tides, asked = view.tides, view.decisions
    return Seen(
        tides.round,
        tides.hand,
        [seat.played for seat in tides.seats],
        Question(asked[0].decision_id, asked[0].seat) if asked else None,
    )
