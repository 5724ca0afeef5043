"""A service that is told to leave while its store hangs: every caller hears something it can act on."""

from __future__ import annotations

import signal
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2, status_pb2

from gamehost import worker
from gamehost.settings import Settings
from shedu.v1 import game_service_pb2, game_service_pb2_grpc
from support.process import Serve
from support.servers import RedisServer, redis_server
from support.waiting import wait_until


def under_way(redis: RedisServer, serve: Serve, calls: list[Any]) -> list[Future[Any]]:
    """Calls that have reached a store that does not answer."""
    pool = ThreadPoolExecutor(len(calls))
    futures = [pool.submit(call) for call in calls]
    pool.shutdown(wait=False)
    time.sleep(0.5)
    assert not any(future.done() for future in futures)
    return futures


def reasons(error: grpc.RpcError) -> set[str]:
    trailers = dict(error.trailing_metadata() or ())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    found = set()
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        found.add(info.reason if detail.Unpack(info) else detail.TypeName())
    return found


@pytest.mark.parametrize("workers", ["1", "2"])
def test_calls_under_way_end_typed_and_the_process_in_time(tmp_path, workers):
    with (
        redis_server(tmp_path / "redis") as redis,
        Serve(tmp_path, "--redis", redis.url, "--workers", workers) as serve,
    ):
        game_id, (ann, _) = serve.table()
        place, signed = f"{serve.url}/v1/games/{game_id}", {"Authorization": f"Bearer {ann}"}
        stub = game_service_pb2_grpc.GameServiceStub(serve.channel())
        request = game_service_pb2.GetGameRequest(game_id=game_id)

        with redis.hanging():
            rest, joining, watch, native = under_way(
                redis,
                serve,
                [
                    lambda: httpx.get(f"{place}/view", headers=signed, timeout=40),
                    lambda: httpx.post(f"{place}:join", json={}, timeout=40),
                    lambda: httpx.get(f"{place}:watch", headers=signed, timeout=40),
                    lambda: stub.GetGame.with_call(request, timeout=40),
                ],
            )
            began = time.monotonic()
            code = serve.stop()
            took = time.monotonic() - began

        for answer in (rest.result(), joining.result(), watch.result()):
            assert 503 == answer.status_code, answer.text
            assert "UNAVAILABLE" == answer.json()["error"]["status"]
            assert "retry-after" in answer.headers
        with pytest.raises(grpc.RpcError) as refused:
            native.result()
        assert grpc.StatusCode.UNAVAILABLE == refused.value.code()
        assert {"DRAINING", "google.rpc.RetryInfo"} == reasons(refused.value)
        assert 0 == code
        assert took < Settings().drain_seconds + worker.LONGEST_END
        assert "Traceback" not in serve.log.read_text()


def test_a_body_that_never_comes_is_not_waited_for(tmp_path):
    with redis_server(tmp_path / "redis") as redis, Serve(tmp_path, "--redis", redis.url) as serve:
        with socket.create_connection(("127.0.0.1", serve.port)) as slow:
            slow.sendall(b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
            slow.sendall(b'Content-Length: 100\r\n\r\n{"title":')
            wait_until(lambda: httpx.get(f"{serve.url}/healthz").status_code == 200)
            serve.signal(signal.SIGTERM)
            slow.settimeout(40)
            answer = slow.recv(4096)

        assert answer.startswith(b"HTTP/1.1 503"), answer
        assert 0 == serve.wait()
        assert "Traceback" not in serve.log.read_text()
