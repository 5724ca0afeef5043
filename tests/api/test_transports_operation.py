"""Tests of health, reflection, probes, metrics, and one log line for each call."""

from __future__ import annotations

import json
from typing import Any

import grpc
import httpx
import pytest
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from api.echo import GAME_ID, SERVICES, Echo, open_admission
from api.echo_servers import EchoServers
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.transports.asgi import build_app

VIEW = f"/v1/games/{GAME_ID}/view"
GAME_SERVICE = "shedu.v1.GameService"


async def test_health_is_what_it_was_told(servers: EchoServers) -> None:
    stub = health_pb2_grpc.HealthStub(servers.channel)
    request = health_pb2.HealthCheckRequest(service=GAME_SERVICE)

    before = await stub.Check(request)
    await servers.server.set_serving(False)
    after = await stub.Check(request)
    await servers.server.set_serving(True)

    state = health_pb2.HealthCheckResponse
    assert [state.SERVING, state.NOT_SERVING] == [before.status, after.status]


@pytest.mark.parametrize("name", ["grpc.reflection.v1alpha", "grpc.reflection.v1"])
async def test_reflection_lists_the_services(servers: EchoServers, name: str) -> None:
    call = servers.channel.stream_stream(f"/{name}.ServerReflection/ServerReflectionInfo")

    request = reflection_pb2.ServerReflectionRequest(list_services="")
    stream = call(iter([request.SerializeToString()]))
    answer = reflection_pb2.ServerReflectionResponse.FromString(await stream.read())

    names = {service.name for service in answer.list_services_response.service}
    assert {service.full_name for service in SERVICES} <= names


async def test_probes(servers: EchoServers) -> None:
    answers = [await servers.http.get(path) for path in ("/healthz", "/readyz")]

    assert [200, 200] == [answer.status_code for answer in answers]


async def test_a_store_that_is_away_makes_the_process_alive_but_not_ready() -> None:
    async def away() -> bool:
        return False

    app = build_app(Dispatch([Echo()], SERVICES, open_admission()), ready=away)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as http:
        answers = [await http.get(path) for path in ("/healthz", "/readyz")]

    assert [200, 503] == [answer.status_code for answer in answers]


async def test_metrics_count_calls_by_method_transport_and_code(servers: EchoServers) -> None:
    await servers.http.get(VIEW, headers={"authorization": "Bearer not-found"})

    text = (await servers.http.get("/metrics")).text

    assert 'shedu_calls_total{code="NOT_FOUND",method="GetView",transport="rest"}' in text
    assert 'shedu_call_seconds_bucket{le="0.001",method="GetView",transport="rest"}' in text


async def logged(servers: EchoServers, path: str, token: str) -> list[dict[str, Any]]:
    with structlog.testing.capture_logs() as lines:
        await servers.http.get(path, headers={"authorization": f"Bearer {token}"})
    return [dict(line) for line in lines]


async def test_a_call_leaves_one_line_without_secrets(servers: EchoServers) -> None:
    [line] = await logged(servers, VIEW, "not-found")

    assert line.pop("ms") >= 0
    expected = {"event": "call", "log_level": "info", "method": "GetView", "transport": "rest"}
    assert expected | {"code": "NOT_FOUND", "reason": "GAME_NOT_FOUND", "game": GAME_ID, "version": 7} == line


async def test_a_stream_leaves_one_line_with_its_messages(servers: EchoServers) -> None:
    [line] = await logged(servers, f"/v1/games/{GAME_ID}:watch", "none")

    assert ("WatchGame", "OK", 5) == (line["method"], line["code"], line["messages"])


async def test_a_fault_of_the_service_is_logged_with_its_traceback_but_not_told(servers: EchoServers) -> None:
    [line] = await logged(servers, VIEW, "bug")
    answer = await servers.http.get(VIEW, headers={"authorization": "Bearer bug"})

    assert "secret" in str(line["exc_info"])
    assert "secret" not in json.dumps(answer.json())


async def test_an_undecodable_request_is_logged_too(servers: EchoServers) -> None:
    [line] = await logged(servers, f"{VIEW}?version=x", "none")

    assert "INVALID_ARGUMENT" == line["code"]


def test_the_status_codes_are_those_of_grpc() -> None:
    from gamehost.api.pipeline.status import HTTP_CODES

    assert {code.value[0] for code in grpc.StatusCode} == HTTP_CODES.keys()
