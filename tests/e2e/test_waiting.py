"""Tests of a service that starts before its store, and of one whose store is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from gamehost.durability_watch import DurabilityWatch
from gamehost.settings import Settings
from gamehost.stores.redis.store import connect
from shedu.v1 import game_service_pb2, game_service_pb2_grpc
from support.process import Serve
from support.sentinels import replicated
from support.servers import RedisServer, can_connect, redis_server
from support.waiting import PATIENCE, wait_until

NOT_SERVING, SERVING = HealthCheckResponse.NOT_SERVING, HealthCheckResponse.SERVING
GAME_ID = "a" * 20
WORKERS = pytest.mark.parametrize("workers", ["1", "2"])


@contextmanager
def launched(folder: Path, *arguments: str) -> Iterator[Serve]:
    """Starts a service, waits until its ports are open, and kills it at the end."""
    serve = Serve(folder, *arguments)
    process = serve.launch()
    try:
        wait_until(lambda: can_connect(serve.port) and can_connect(serve.grpc_port), serve.patience)
        yield serve
    finally:
        process.kill()


def health(serve: Serve, service: str) -> int:
    with serve.channel() as channel:
        return HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=PATIENCE).status


def get(url: str) -> httpx.Response:
    return httpx.get(url, timeout=PATIENCE)


@WORKERS
def test_it_lives_before_its_store_does_and_serves_once_that_is_there(tmp_path: Path, workers: str) -> None:
    redis = RedisServer(tmp_path / "redis")
    arguments = ("--redis", redis.url, "--durability", "durable", "--workers", workers)
    with launched(tmp_path, *arguments) as serve:
        assert 200 == get(f"{serve.url}/healthz").status_code
        assert 503 == get(f"{serve.url}/readyz").status_code
        assert (SERVING, NOT_SERVING) == (health(serve, ""), health(serve, "shedu.v1.GameService"))
        refused(serve)
        assert "The service waits for it" in " ".join(serve.log.read_text().split())

        try:
            redis.start()
            serve.wait_until_ready()
            wait_until(lambda: health(serve, "shedu.v1.GameService") == SERVING)
            game_id, (ann, _) = serve.table()
            serve.move(game_id, ann)
            wait_until(lambda: int(workers) == len(openings(serve)))
            assert "fsync always" in openings(serve)[0]["durability"]
            assert 0 == serve.stop()
        finally:
            redis.stop()
    assert "Traceback" not in serve.log.read_text()


def openings(serve: Serve) -> list[dict[str, Any]]:
    return [line for line in serve.lines() if line["event"] == "the store is available"]


def refused(serve: Serve) -> None:
    """Asserts that every kind of call is refused with STORE_UNAVAILABLE."""
    place = f"{serve.url}/v1/games/{GAME_ID}"
    joining = httpx.post(f"{place}:join", json={}, timeout=PATIENCE)
    for answer in (get(place), get(f"{place}:watch"), joining):
        error: dict[str, Any] = answer.json()["error"]
        assert (503, "UNAVAILABLE") == (answer.status_code, error["status"])
        assert "STORE_UNAVAILABLE" == error["details"][0]["reason"]
        assert "retry-after" in answer.headers
    with serve.channel() as channel, pytest.raises(grpc.RpcError) as native:
        game_service_pb2_grpc.GameServiceStub(channel).GetGame(
            game_service_pb2.GetGameRequest(game_id=GAME_ID)
        )
    assert grpc.StatusCode.UNAVAILABLE == native.value.code()


@pytest.mark.parametrize(
    ("workers", "setting", "said"),
    [
        ("1", {"maxmemory-policy": "allkeys-lru"}, "noeviction"),
        ("2", {"appendfsync": "everysec"}, "appendfsync always"),
    ],
)
def test_a_store_that_is_found_too_weak_ends_it(
    tmp_path: Path, workers: str, setting: dict[str, str], said: str
) -> None:
    redis = RedisServer(tmp_path / "redis", **setting)
    arguments = ("--redis", redis.url, "--durability", "durable", "--workers", workers)
    with launched(tmp_path, *arguments) as serve:
        try:
            redis.start()
            code = serve.wait()
        finally:
            redis.stop()

    assert 2 == code
    heard = serve.log.read_text()
    assert "shedu: redis" in heard or "shedu: durability" in heard
    assert said in heard
    assert "Traceback" not in heard


def test_who_waits_can_be_told_to_leave(tmp_path: Path) -> None:
    with launched(tmp_path, "--redis", RedisServer(tmp_path / "redis").url) as serve:
        assert 0 == serve.stop()


async def test_a_server_that_becomes_weaker_is_noticed_and_so_is_its_mending(tmp_path: Path) -> None:
    with redis_server(tmp_path) as redis:
        store = connect(redis.url)
        assurance = DurabilityWatch(store, Settings(durability="durable", redis=redis.url))
        await assurance.require()
        seen = [assurance.good]
        for setting, value in (("appendfsync", "everysec"), ("appendfsync", "always")):
            redis.ask("CONFIG SET", setting, value)
            await assurance.check()
            seen.append(assurance.good)
        for setting, value in (("maxmemory-policy", "allkeys-lru"), ("maxmemory-policy", "noeviction")):
            redis.ask("CONFIG SET", setting, value)
            await assurance.check()
            seen.append(assurance.good)
        await store.close()

    assert [True, False, True, False, True] == seen


async def test_replicas_that_are_away_for_a_while_make_nobody_unready(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path / "one") as one,
        redis_server(tmp_path / "two", replicaof=f"127.0.0.1 {one.port}") as two,
    ):
        await asyncio.to_thread(wait_until, lambda: one.ask("INFO", "replication")["connected_slaves"] == 1)
        store = connect(one.url, replicas=1)
        assurance = DurabilityWatch(store, Settings(durability="replicated", replicas=1, redis=one.url))
        await assurance.require()

        two.stop()
        await asyncio.to_thread(wait_until, lambda: one.ask("INFO", "replication")["connected_slaves"] == 0)
        await assurance.check()
        await store.close()

        assert assurance.good


def test_a_primary_that_promises_less_makes_it_unready_until_it_is_mended(tmp_path: Path) -> None:
    with replicated(tmp_path, sentinels=1) as topology:
        weak = next(server for server in topology.servers if server is not topology.primary)
        weak.ask("CONFIG SET", "appendfsync", "everysec")
        with Serve(tmp_path, "--redis", topology.url, "--durability", "durable") as serve:
            assert weak is topology.fail_over()

            wait_until(lambda: not serve.ready())
            wait_until(lambda: any(line["level"] == "error" for line in serve.lines()))
            assert "appendfsync always" in next(
                line["problem"] for line in serve.lines() if line["level"] == "error"
            )
            assert SERVING == health(serve, "")

            weak.ask("CONFIG SET", "appendfsync", "always")
            serve.wait_until_ready()
