"""Tests that every request, also one that is no call, counts against the limits of its address."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from api.limited_servers import LIST, LimitedServers, native_answer, running_limited_servers, web_answer
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES
from gamehost.api.pipeline.quotas import Limits
from gamehost.api.transports.grpc import GrpcSettings, channel_arguments
from gamehost.settings import LIMITS
from support.waiting import PATIENCE

ONE_REQUEST = Limits(calls_per_second=0.5)
PREFLIGHT = {"origin": "https://example.org", "access-control-request-method": "POST"}
PLACES = {
    "docs": ("GET", "/docs", 200),
    "description": ("GET", "/openapi.json", 200),
    "metrics": ("GET", "/metrics", 200),
    "page": ("GET", "/", 200),
    "asset": ("GET", "/assets/icon.svg", 200),
    "no asset": ("GET", "/assets/none", 404),
    "unknown path": ("GET", "/none", 404),
    "unknown REST path": ("GET", "/v1/none", 404),
    "wrong verb": ("DELETE", "/v1/games", 405),
    "preflight": ("OPTIONS", "/v1/games", 200),
}


@pytest.mark.parametrize(("verb", "path", "code"), PLACES.values(), ids=PLACES)
async def test_a_request_that_is_no_call_is_counted(verb: str, path: str, code: int) -> None:
    headers = {"x-forwarded-for": "198.51.100.7", **(PREFLIGHT if verb == "OPTIONS" else {})}
    async with running_limited_servers(ONE_REQUEST) as servers:
        first = await servers.http.request(verb, path, headers=headers)
        second = await servers.http.request(verb, path, headers=headers)
        servers.clock.advance(web_answer(second).wait or 0.0)
        third = await servers.http.request(verb, path, headers=headers)

    assert [code, 429, code] == [first.status_code, second.status_code, third.status_code]
    assert "TOO_MUCH" == web_answer(second).reason
    assert 2 == int(second.headers["retry-after"])


async def test_pages_and_calls_of_an_address_count_together() -> None:
    async with running_limited_servers(ONE_REQUEST) as servers:
        page = await servers.http.get("/docs")
        call = await servers.list_games("rest")

    assert (200, "TOO_MUCH") == (page.status_code, call.reason)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_probes_are_answered_whatever_else_their_address_asks(path: str) -> None:
    async with running_limited_servers(ONE_REQUEST) as servers:
        await servers.http.get("/docs")
        codes = [(await servers.http.get(path)).status_code for _ in range(5)]

    assert [200] * 5 == codes


async def test_a_page_is_counted_by_connection_too() -> None:
    async with running_limited_servers(Limits(connection_calls_per_second=0.5)) as servers:
        codes = [(await servers.http.get("/docs")).status_code for _ in range(2)]

    assert [200, 429] == codes


JSON = {"content-type": "application/json"}
LARGE = b" " * (5 * MAX_REQUEST_BYTES)
REFUSED = {
    "gRPC": ("POST", LIST, {"content-type": "application/grpc"}, b"", 415),
    "unknown type": ("POST", LIST, {"content-type": "text/plain"}, b"", 415),
    "wrong verb": ("PUT", LIST, JSON, b"{}", 405),
    "header": ("POST", LIST, JSON | {"x-name": b"\xff"}, b"{}", 400),
    "bad gzip": ("POST", LIST, JSON | {"content-encoding": "gzip"}, b"{}", 400),
    "large": ("POST", LIST, JSON, LARGE, 429),  # Connect maps RESOURCE_EXHAUSTED to 429
    "large over REST": ("POST", "/v1/games", JSON, LARGE, 413),
    "options": ("OPTIONS", LIST, JSON, b"", 405),
}


@pytest.mark.parametrize(("verb", "path", "headers", "body", "code"), REFUSED.values(), ids=REFUSED)
async def test_a_call_that_is_refused_before_it_is_read_is_counted_once(
    verb: str, path: str, headers: dict[str, str | bytes], body: bytes, code: int
) -> None:
    async with running_limited_servers(Limits(calls_per_second=1.0)) as servers:
        answers = [await servers.http.request(verb, path, headers=headers, content=body) for _ in range(3)]

    assert [code, code, 429] == [answer.status_code for answer in answers]
    assert 1 == len({answer.headers.get("connection") for answer in answers})
    assert [False, False, True] == [web_answer(answer).reason == "TOO_MUCH" for answer in answers]


async def test_a_call_without_a_message_is_counted_over_grpc() -> None:
    async with running_limited_servers(ONE_REQUEST) as servers:
        reasons = []
        for _ in range(2):
            call = servers.channel.stream_unary(LIST)(iter(()), timeout=PATIENCE)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            reasons.append(native_answer(caught.value).reason)

    assert ["INVALID_REQUEST", "TOO_MUCH"] == reasons


async def test_an_unknown_method_is_counted_over_grpc() -> None:
    async with running_limited_servers(ONE_REQUEST) as servers:
        answers = [await servers.native("/shedu.v1.GameService/None", b"") for _ in range(2)]

    assert ["METHOD_NOT_FOUND", "TOO_MUCH"] == [answer.reason for answer in answers]
    assert answers[1].wait


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_every_question_of_reflection_is_counted(version: str) -> None:
    async with running_limited_servers(Limits(calls_per_second=1.0)) as servers:
        # Not more than three: a request after the refusal could not be written.
        stream = reflection(servers, version, questions=3, stays=True)
        answers = [await anext(stream) for _ in range(2)]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await anext(stream)

    assert all(answer.HasField("list_services_response") for answer in answers)
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == caught.value.code()
    assert 1.0 == native_answer(caught.value).wait


async def test_a_stream_of_reflection_takes_a_place_of_its_address() -> None:
    async with running_limited_servers(Limits(streams_per_caller=1)) as servers:
        stream = reflection(servers, "v1", questions=1, stays=True)
        await anext(stream)

        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await anext(reflection(servers, "v1", questions=1))

        await stream.aclose()
    assert "TOO_MUCH" == native_answer(caught.value).reason


async def test_a_watch_of_health_takes_a_place_of_its_address_and_a_check_takes_none() -> None:
    async with running_limited_servers(Limits(calls_per_second=0.5, streams_per_caller=1)) as servers:
        stub = HealthStub(servers.channel)
        watch = stub.Watch(HealthCheckRequest(), timeout=PATIENCE)
        await watch.read()

        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.Watch(HealthCheckRequest(), timeout=PATIENCE).read()
        checks = [await stub.Check(HealthCheckRequest(), timeout=PATIENCE) for _ in range(5)]

        watch.cancel()
    assert "TOO_MUCH" == native_answer(caught.value).reason
    assert 5 == len(checks)


def test_a_grpc_connection_has_room_for_more_calls_than_its_caller_has_streams() -> None:
    calls = dict(channel_arguments(GrpcSettings()))["grpc.max_concurrent_streams"]

    assert LIMITS["streams_per_caller"] < calls < LIMITS["streams"]


async def reflection(
    servers: LimitedServers, version: str, questions: int, *, stays: bool = False
) -> AsyncIterator[ServerReflectionResponse]:
    call = servers.channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )(timeout=PATIENCE)
    for _ in range(questions):
        await call.write(ServerReflectionRequest(list_services=""))
    if not stays:
        await call.done_writing()
    try:
        async for answer in call:
            yield answer
    finally:
        call.cancel()


async def test_a_call_is_counted_once() -> None:
    async with running_limited_servers(Limits(calls_per_second=1.0)) as servers:
        reasons = [(await servers.list_games("connect-json")).reason for _ in range(3)]

    assert ["", "", "TOO_MUCH"] == reasons
    assert LIST.endswith(type(servers.echo.asked[0]).__name__.removesuffix("Request"))
