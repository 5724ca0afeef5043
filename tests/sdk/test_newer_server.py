"""Tests that the client passes on what only a newer server says, and that calls in vain are made once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager

import grpc
import pytest
from google.rpc import code_pb2

import shedu
from gamehost.api.pipeline.status import status
from shedu.tides.v1 import tides_pb2
from shedu.v1 import game_pb2, game_service_pb2
from support.process import Serve
from support.waiting import PATIENCE, wait_until

GAME = "a" * 20
UNKNOWN_FIELD = bytes([0xF8, 0x7D, 1])  # field 2015, a number
UNKNOWN_STATUS = 99


class Answering(grpc.GenericRpcHandler):
    """Answers unary calls with an error, and streams with these messages; counts what it is asked."""

    def __init__(self, code: grpc.StatusCode = grpc.StatusCode.OK, messages: tuple[bytes, ...] = ()) -> None:
        self.code, self.messages, self.asked = code, messages, 0

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        self.asked += 1
        if details.method.endswith("/WatchGame"):
            return grpc.unary_stream_rpc_method_handler(lambda _request, _context: iter(self.messages))
        return grpc.unary_unary_rpc_method_handler(self._fail)

    def _fail(self, _request: bytes, context: grpc.ServicerContext) -> bytes:
        answer = status(code_pb2.Code.Value(self.code.name), "NEW_REASON", "of a newer server")
        context.set_trailing_metadata((("grpc-status-details-bin", answer.SerializeToString()),))
        context.abort(self.code, "of a newer server")


@contextmanager
def connected(answering: Answering) -> Iterator[shedu.Server]:
    server = grpc.server(futures.ThreadPoolExecutor(2), handlers=(answering,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with shedu.connect(f"127.0.0.1:{port}", patience=PATIENCE) as client:
            yield client
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, shedu.InvalidRequest),
        (grpc.StatusCode.NOT_FOUND, shedu.NotFound),
        (grpc.StatusCode.UNAUTHENTICATED, shedu.Unauthenticated),
        (grpc.StatusCode.PERMISSION_DENIED, shedu.Forbidden),
        (grpc.StatusCode.FAILED_PRECONDITION, shedu.NotNow),
        (grpc.StatusCode.ABORTED, shedu.Stale),
        (grpc.StatusCode.ALREADY_EXISTS, shedu.AlreadyJoined),
        (grpc.StatusCode.INTERNAL, shedu.Fault),
    ],
)
def test_an_unknown_reason_is_passed_on_and_asked_for_once(
    code: grpc.StatusCode, kind: type[shedu.SheduError]
) -> None:
    answering = Answering(code)

    with connected(answering) as client, pytest.raises(kind) as raised:
        client.player(GAME, 0, "token").play(tides_pb2.Action(), "draft.1.1.0")

    assert ("NEW_REASON", 1) == (raised.value.reason, answering.asked)


def happened(version: int) -> bytes:
    """A message with an event of an unknown kind, and a status that this client has no name for."""
    view = game_pb2.View(version=version)
    view.game.status = UNKNOWN_STATUS  # type: ignore[assignment]
    event = game_pb2.Event.FromString(game_pb2.Event(version=version).SerializeToString() + UNKNOWN_FIELD)
    news = game_service_pb2.Happened(events=[event], view=view)
    return game_service_pb2.WatchGameResponse(happened=news).SerializeToString()


def test_unknown_enums_events_and_messages_of_a_stream_break_nothing() -> None:
    end = game_service_pb2.GoAway(version=3, reason=game_service_pb2.GO_AWAY_REASON_FINISHED)
    last = game_service_pb2.WatchGameResponse(go_away=end).SerializeToString()
    answering = Answering(messages=(happened(2), UNKNOWN_FIELD, happened(3), last))

    with connected(answering) as client:
        moments = list(client.game(GAME).watch(after=1))

    assert [(2, None, UNKNOWN_STATUS), (3, None, UNKNOWN_STATUS)] == [
        (event.version, event.WhichOneof("kind"), moment.view.game.status)
        for moment in moments
        for event in moment.events
    ]
    assert 1 == answering.asked


def test_an_expired_token_is_an_exception_of_its_own(tmp_path) -> None:
    with (
        Serve(tmp_path, SHEDU_SEAT_TOKEN_DAYS=str(1 / 86400)) as expiring,
        shedu.connect(expiring.address) as server,
    ):
        ann = server.create("tides").join("Ann")

        wait_until(lambda: fails(ann.view))
        with pytest.raises(shedu.Unauthenticated) as raised:
            ann.view()

    assert "TOKEN_EXPIRED" == raised.value.reason


def fails(call: Callable[[], object]) -> bool:
    try:
        call()
    except shedu.Unauthenticated:
        return True
    time.sleep(0.05)
    return False
