"""Tests a rollout under traffic with the commands, settings, secrets, probes and preStop of the manifests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import grpc.aio
import pytest

from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.servers import RedisServer
from support.waiting import PATIENCE

from .cluster import GRPC, REST, Pod, Rollout, gateway
from .manifests import one
from .store import ComponentRedis
from .traffic import GrpcTrafficClient, RestTrafficClient, Traffic

OVERLAY = "dev"
PODS = 3 if os.environ.get("SHEDU_TEST_FULL") else 1  # three with `python3 tests rehearsal`
QUICK, SLOW = 2, 2  # players of each protocol
CALLS = ("CreateGame", "JoinGame", "PlayAction", "GetView")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = ComponentRedis(OVERLAY, tmp_path / "redis")
    try:
        yield server.start()
    finally:
        server.stop()


async def test_a_rollout_under_traffic_fails_no_call(tmp_path: Path, redis: RedisServer) -> None:
    rollout = Rollout(OVERLAY, tmp_path, {"@redis:6379": f"@127.0.0.1:{redis.port}"})
    try:
        async with gateway(rollout.endpoints) as ports:
            await rollout.scale(PODS)
            both = [Traffic(GrpcTrafficClient(ports[GRPC])), Traffic(RestTrafficClient(ports[REST]))]
            for traffic in both:
                traffic.begin(QUICK, SLOW)
            await rollout.restart()
            await asyncio.gather(*(traffic.end() for traffic in both))
    finally:
        rollout.kill()

    for traffic in both:
        print(f"answered {dict(traffic.answered)}, again {dict(traffic.retried)}, resumed {traffic.resumed}")
        assert [] == traffic.failed
        assert {} == traffic.retried, "calls had to be sent again during the drain"
        assert traffic.resumed, "no stream was open when its pod ended"
        assert min(traffic.answered[name] for name in CALLS) > 5
    assert (PODS, PODS) == (len(rollout.pods), len(rollout.gone))
    assert not any(pod.killed for pod in rollout.gone), "the grace period was too short"
    assert all(pod.probed and not pod.missed for pod in rollout.gone), "a liveness probe failed under load"


async def test_bots_move_in_pods_of_their_own(tmp_path: Path, redis: RedisServer) -> None:
    replaced = {"@redis:6379": f"@127.0.0.1:{redis.port}"}
    pods = [
        Pod(
            OVERLAY,
            one("production", "Deployment", name),
            tmp_path / name,
            replaced,
            SHEDU_BOT_THINK_SECONDS="0",
        )
        for name in ("gamehost", "bots")
    ]
    try:
        for pod in pods:
            pod.folder.mkdir()
            await pod.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{pods[0].grpc_port}") as channel:
            outcome = await game_of_bots(GameServiceStub(channel))
        await pods[1].stop()
    finally:
        for pod in pods:
            pod.kill()

    assert outcome.ranks
    assert not pods[1].killed
    assert '"hosting bots"' in (pods[1].folder / "log").read_text()


async def game_of_bots(stub: GameServiceStub) -> game_pb2.Outcome:
    plan = [game_pb2.SeatPlan(bot_level="random")] * 2
    created = await stub.CreateGame(pb.CreateGameRequest(title="tides", seats=plan))
    async for message in stub.WatchGame(pb.WatchGameRequest(game_id=created.game.game_id), timeout=PATIENCE):
        if message.happened.view.game.HasField("outcome"):
            return message.happened.view.game.outcome
    raise AssertionError("the game never ended")
