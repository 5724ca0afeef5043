"""Tests of a drain while the store hangs: every caller gets an error that it can act on."""

from __future__ import annotations

import socket
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Semaphore
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2, status_pb2

from shedu.v1 import game_service_pb2, game_service_pb2_grpc
from support.process import Serve
from support.servers import redis_server
from support.waiting import PATIENCE

HALF_A_REQUEST = (
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b'Content-Length: 100\r\n\r\n{"title":'
)


class Callers:
    """Makes calls in threads."""

    def __init__(self) -> None:
        self._pool, self._sent = ThreadPoolExecutor(), Semaphore(0)

    def send(self, method: str, url: str, **given: Any) -> Future[httpx.Response]:
        """Sends a request in a thread, and returns when it was sent."""

        def note(event: str, _facts: object) -> None:
            if event == "http11.send_request_body.complete":
                self._sent.release()

        def ask() -> httpx.Response:
            with httpx.Client(timeout=PATIENCE) as client:
                return client.request(method, url, extensions={"trace": note}, **given)

        answer = self._pool.submit(ask)
        assert self._sent.acquire(timeout=PATIENCE)
        return answer

    def call(self, channel: grpc.Channel, request: game_service_pb2.GetGameRequest) -> Future[Any]:
        grpc.channel_ready_future(channel).result(PATIENCE)
        stub = game_service_pb2_grpc.GameServiceStub(channel)
        return self._pool.submit(stub.GetGame, request, timeout=PATIENCE)


def reasons(error: grpc.RpcError) -> set[str]:
    trailers = dict(error.trailing_metadata() or ())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    found = set()
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        found.add(info.reason if detail.Unpack(info) else detail.TypeName())
    return found


@pytest.mark.parametrize("workers", ["1", "2"])
def test_calls_under_way_end_typed_and_the_process_does_not_wait_for_its_store(tmp_path, workers):
    """The store timeout is longer than the drain, so that only the drain can end a call."""
    with (
        redis_server(tmp_path / "redis") as redis,
        Serve(tmp_path, "--redis", f"{redis.url}?socket_timeout=3600", "--workers", workers) as serve,
        socket.create_connection(("127.0.0.1", serve.port)) as slow,
        serve.channel() as channel,
    ):
        callers = Callers()
        game_id, (ann, _) = serve.table()
        place, signed = f"{serve.url}/v1/games/{game_id}", {"Authorization": f"Bearer {ann}"}
        slow.settimeout(PATIENCE)
        slow.sendall(HALF_A_REQUEST)

        with redis.hanging():
            native = callers.call(channel, game_service_pb2.GetGameRequest(game_id=game_id))
            answers = [
                callers.send("GET", f"{place}/view", headers=signed),
                callers.send("POST", f"{place}:join", json={}),
                callers.send("GET", f"{place}:watch", headers=signed),
            ]
            code = serve.stop()
            heard = slow.recv(4096)

        for answer in (each.result(PATIENCE) for each in answers):
            assert 503 == answer.status_code, answer.text
            assert "UNAVAILABLE" == answer.json()["error"]["status"]
            assert "retry-after" in answer.headers
        with pytest.raises(grpc.RpcError) as refused:
            native.result(PATIENCE)
        assert grpc.StatusCode.UNAVAILABLE == refused.value.code()
        assert {"DRAINING", "google.rpc.RetryInfo"} == reasons(refused.value)
        assert heard.startswith(b"HTTP/1.1 503"), heard
        assert 0 == code
        assert "Traceback" not in serve.log.read_text()
