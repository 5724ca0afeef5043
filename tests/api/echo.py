"""Handlers that answer every rpc with a message derived from the request."""

from __future__ import annotations

import asyncio
import hashlib
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

from gamehost.api.auth.identity import PrincipalReader
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.admission import Admission
from gamehost.api.pipeline.call import Call
from gamehost.api.pipeline.dispatch import snake
from gamehost.api.pipeline.quotas import Limits, Quotas
from gamehost.codec.encoded import Answer, EncodedMessage
from gamehost.play import errors
from gamehost.play.access import Caller, Principal
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import (
    catalog_service_pb2,
    error_reason_pb2,
    game_pb2,
    game_service_pb2,
    match_service_pb2,
    player_service_pb2,
    talk_service_pb2,
    webhook_service_pb2,
)

SERVICES: tuple[ServiceDescriptor, ...] = (
    catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"],
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
    webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"],
    player_service_pb2.DESCRIPTOR.services_by_name["PlayerService"],
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    talk_service_pb2.DESCRIPTOR.services_by_name["TalkService"],
)
# PlayStream has no handler: its items are calls of PlayAction.
METHODS: tuple[MethodDescriptor, ...] = tuple(
    rpc for service in SERVICES for rpc in service.methods if not rpc.client_streaming
)

GAME_ID = "abcdefghij0123456789"

# One valid request for each rpc, as JSON.
REQUESTS: dict[str, dict[str, Any]] = {
    "ListTitles": {"pageSize": 3, "pageToken": "é & ü/?%"},
    "GetTitle": {"title": "tides"},
    "CreateGame": {
        "title": "tides",
        "options": {"tides": {"mazeScoresOnce": False}},
        "seatCount": 2,
        "visibility": "VISIBILITY_PRIVATE",
        "requestId": "0123456789abcdef",
    },
    "GetGame": {"gameId": GAME_ID},
    "ListGames": {"title": "tides", "status": "GAME_STATUS_PLAYING", "pageSize": 7},
    "JoinGame": {"gameId": GAME_ID, "seat": 0, "displayName": "Ünsal 🂡"},
    "LeaveGame": {"gameId": GAME_ID},
    "StartGame": {"gameId": GAME_ID, "requestId": "again-and-again-1"},
    "RefreshSeatToken": {"gameId": GAME_ID},
    "RevokeSeatTokens": {"gameId": GAME_ID, "seat": 1, "requestId": "again-and-again-1"},
    "GetView": {
        "gameId": GAME_ID,
        "version": "18446744073709551615",
        "readMask": "view.decisions,legalActions",
    },
    "ListLegalActions": {"gameId": GAME_ID, "pageSize": 5},
    "PlayAction": {
        "gameId": GAME_ID,
        "decisionId": "d1",
        "action": {"tides": {"chooseCard": {"card": 1}}},
        "expectedVersion": "9007199254740993",
        "validateOnly": True,
        "legalActionsLimit": 7,
        "readMask": "events",
    },
    "ListEvents": {"gameId": GAME_ID, "afterVersion": "12"},
    "WatchGame": {"gameId": GAME_ID, "afterVersion": "0", "legalActionsLimit": 10},
    "GetFairness": {"gameId": GAME_ID},
    "AddBot": {"gameId": GAME_ID, "seat": 1, "requestId": "again-and-again-1"},
    "Resign": {"gameId": GAME_ID, "requestId": "again-and-again-1"},
    "ReclaimSeat": {"gameId": GAME_ID, "seat": 1},
    "ProposeUndo": {"gameId": GAME_ID, "requestId": "again-and-again-1"},
    "ProposeAbandon": {"gameId": GAME_ID},
    "AnswerProposal": {"gameId": GAME_ID, "proposalId": "p1", "accept": True},
    "ForkGame": {"gameId": GAME_ID, "version": "12", "requestId": "0123456789abcdef"},
    "Rematch": {"gameId": GAME_ID, "seat": 0, "requestId": "0123456789abcdef"},
    "WatchInbox": {"cursor": "MTJ8Nw"},
    "CreateWebhook": {
        "url": "https://hooks.example.com/shedu?x=1",
        "eventTypes": ["WEBHOOK_EVENT_TYPE_GAME_STARTED", "WEBHOOK_EVENT_TYPE_DECISION_ASKED"],
        "description": "é & ü",
        "requestId": "0123456789abcdef",
    },
    "ListWebhooks": {"pageSize": 3, "pageToken": "x"},
    "GetWebhook": {"webhookId": GAME_ID},
    "UpdateWebhook": {
        "webhookId": GAME_ID,
        "eventTypes": {"eventTypes": ["WEBHOOK_EVENT_TYPE_GAME_FINISHED"]},
        "enabled": False,
    },
    "DeleteWebhook": {"webhookId": GAME_ID},
    "RotateWebhookSecret": {"webhookId": GAME_ID, "oldSecretSeconds": 3600, "requestId": "0123456789abcdef"},
    "ListFailedDeliveries": {"webhookId": GAME_ID, "pageSize": 5},
    "ReplayDeliveries": {"webhookId": GAME_ID, "deliveryIds": [f"msg_{'a' * 32}"]},
    "TestWebhook": {"webhookId": GAME_ID},
    "GetProfile": {},
    "UpdateProfile": {"handle": "Ann-1", "hideHistory": False},
    "ErasePlayerData": {"handle": "Ann-1"},
    "GetPlayer": {"handle": "Ann-1"},
    "ListPlayerGames": {
        "handle": "me",
        "title": "tides",
        "rated": True,
        "result": "GAME_RESULT_WON",
        "pageSize": 7,
    },
    "GetPlayerStatistics": {"handle": "me"},
    "ListLeaderboard": {"title": "tides", "aroundMe": True, "pageSize": 7},
    "ListGamePlayers": {"gameId": GAME_ID},
    "BlockPlayer": {"handle": "Ann-1"},
    "UnblockPlayer": {"handle": "Ann-1"},
    "ListBlockedPlayers": {},
    "CreateTicket": {
        "title": "tides",
        "options": {"tides": {"mazeScoresOnce": True}},
        "minSeats": 2,
        "maxSeats": 2,
        "clock": {"perDecision": "30s"},
        "rated": True,
        "botsAfter": "60s",
        "botLevel": "random",
        "displayName": "Ünsal",
        "requestId": "0123456789abcdef",
    },
    "GetTicket": {"ticketId": GAME_ID, "ticketToken": "shedu_ticket_x"},
    "CancelTicket": {"ticketId": GAME_ID},
    "WatchTicket": {"ticketId": GAME_ID},
    "ListPhrases": {"title": "tides", "pageSize": 3},
    "Say": {"gameId": GAME_ID, "text": "é & ü 🂡", "seat": 0, "requestId": "0123456789abcdef"},
    "ListTalk": {"gameId": GAME_ID, "pageSize": 5, "seat": 1},
    "WatchTalk": {"gameId": GAME_ID, "cursor": "17"},
    "MuteSeat": {"gameId": GAME_ID, "mutedSeat": 1, "muted": True, "seat": 0},
}

# Fields whose messages are validated as requests, too, so that not every value is allowed.
BOUNDED: dict[str, Callable[[bytes], Any]] = {
    "delay": lambda seed: seed[0],
    "days": lambda seed: 1 + seed[0] % 30,
    "bot_level": lambda seed: f"b{seed.hex()[:6]}",
}

QUIET = 4710, 4711  # versions of the last messages of a stream that then sends nothing

# The error to raise, by the token of the caller.
FAULTS: dict[str, Exception] = {
    "invalid": errors.InvalidRequest("options.tides", "cannot be"),
    "wrong-title": errors.WrongTitle("action", "is of another title"),
    "not-found": errors.NotFound("no such game"),
    "no-token": errors.Unauthenticated("a seat token is needed"),
    "not-yours": errors.NotYourSeat("the token is for another seat"),
    "joined": errors.AlreadyJoined("already here"),
    "full": errors.NotNow("every seat is taken", reason="GAME_FULL"),
    "refused": errors.Refused("not in the hand", reason="NOT_IN_HAND", rule="TT-2", title="tides"),
    "stale": errors.Stale("too late", reason="STALE_VERSION", seen=3, actual=5),
    "early": errors.VersionInFuture("not yet"),
    "too-much": errors.TooMuch("slow down", retry_after=1.5),
    "away": errors.Unavailable("the store is away"),
    "unreadable": errors.Unreadable("cannot be read"),
    "bug": RuntimeError("a secret that no caller may see"),
}

UNWRITABLE = "unwritable"  # the token of a caller whose response cannot be encoded


def missed(count: int) -> error_reason_pb2.MissedEvents:
    events = [
        game_pb2.Event(version=n, seat_taken=game_pb2.SeatTaken(display_name="x" * 40)) for n in range(count)
    ]
    return error_reason_pb2.MissedEvents(events=events, version=5)


class AnyToken(PrincipalReader):
    """Accepts every token; the echo uses it to select the error to raise."""

    def __init__(self) -> None:
        super().__init__(SeatTokens([b"unused"], time.time, 1.0))

    async def read(self, authorization: str | None) -> Principal:
        return Caller(authorization or "nobody")


def open_admission(limits: Limits | None = None) -> Admission:
    return Admission(AnyToken(), Quotas(limits or Limits(), MemoryEventStore(), time.time), time.time)


class TrackedMessage:
    """Wraps a message so that a test can hold a weak reference to it; messages do not support them."""

    def __init__(self, version: int) -> None:
        self._message = game_service_pb2.WatchGameResponse(go_away=game_service_pb2.GoAway(version=version))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._message, name)


class Echo:
    """Handlers of all rpcs. Records requests and calls, and sets `closed` when a stream is closed."""

    def __init__(self, without: Iterable[str] = ()) -> None:
        self.asked: list[Message] = []
        self.calls: list[Call] = []
        self.closed = asyncio.Event()
        self.tracked: list[weakref.ref[TrackedMessage]] = []
        for rpc in METHODS:
            if rpc.name not in without:
                setattr(
                    self, snake(rpc.name), self._stream(rpc) if rpc.server_streaming else self._unary(rpc)
                )

    def _unary(self, rpc: MethodDescriptor) -> Any:
        kind = message_factory.GetMessageClass(rpc.output_type)

        async def answer(request: Message, call: Call) -> Answer:
            self._record(request, call)
            if token_of(call) == UNWRITABLE:
                return EncodedMessage(kind, fail_to_write, fail_to_write)
            return filled(kind(), seed_of(request))

        return answer

    def _stream(self, rpc: MethodDescriptor) -> Any:
        async def answers(request: Message, call: Call) -> AsyncIterator[Message]:
            try:
                self._record(request, call)
                for message in one_of_each(rpc, seed_of(request)):
                    yield message
                token = token_of(call)
                if token == "error-midway":
                    raise errors.Unavailable("the store is away")
                if token == "quiet":
                    for version in QUIET:
                        message = TrackedMessage(version)
                        self.tracked.append(weakref.ref(message))
                        yield message
                        del message
                    await asyncio.Event().wait()
                while token in ("endless", "flood"):
                    yield game_service_pb2.WatchGameResponse(snapshot=flood() if token == "flood" else None)
                    await asyncio.sleep(0 if token == "flood" else 0.02)
            finally:
                self.closed.set()

        return answers

    def _record(self, request: Message, call: Call) -> None:
        self.asked.append(request)
        self.calls.append(call)
        call.note(game=getattr(request, "game_id", None), version=7)
        fault = FAULTS.get(token_of(call))
        if isinstance(fault, errors.Stale):
            fault.details = [missed(2)]  # type: ignore[attr-defined]
        if fault is not None:
            raise fault


def fail_to_write() -> Any:
    raise FAULTS["bug"]


def token_of(call: Call) -> str:
    return (call.authorization or "").removeprefix("Bearer ")


def flood() -> game_pb2.View:
    return game_pb2.View(version=1, decisions=[game_pb2.Decision(decision_id="x" * 60_000)])


def seed_of(request: Message) -> bytes:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()


def one_of_each(rpc: MethodDescriptor, seed: bytes) -> Iterable[Message]:
    kind = message_factory.GetMessageClass(rpc.output_type)
    for field in rpc.output_type.oneofs[0].fields:
        message = kind()
        filled(getattr(message, field.name), seed).SetInParent()
        yield message


def filled(message: Message, seed: bytes, depth: int = 0) -> Message:
    """Sets every field (the last case of a oneof) to a value that depends on the seed and its name."""
    for field in message.DESCRIPTOR.fields:
        here = hashlib.sha256(seed + field.name.encode()).digest()
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            getattr(message, field.name)["key"] = here.hex()[:4]
        elif field.message_type is not None and depth < 6:
            target = getattr(message, field.name)
            part = target.add() if field.is_repeated else target
            part.SetInParent()
            filled(part, here, depth + 1)
        elif field.message_type is None:
            value = scalar(field, here)
            if field.is_repeated:
                getattr(message, field.name).append(value)
            else:
                setattr(message, field.name, value)
    return message


def scalar(field: FieldDescriptor, seed: bytes) -> Any:
    if field.name in BOUNDED:
        return BOUNDED[field.name](seed)
    if field.message_type is None and field.enum_type is not None:
        return field.enum_type.values[seed[0] % len(field.enum_type.values)].number
    if field.type == FieldDescriptor.TYPE_BYTES:
        return seed
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return f'{seed.hex()[:6]} é🂡"\\\n'
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return seed[0] % 2 == 0
    if field.name == "nanos":
        return 123_000_000
    return (
        int.from_bytes(seed[: 8 if field.cpp_type == FieldDescriptor.CPPTYPE_UINT64 else 3])
        if field.name != "seconds"
        else 1_700_000_000
    )
