"""PlayStream over real servers: frames of gRPC, its limits, and the transports that do not have it."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import status_pb2
from prometheus_client import REGISTRY

from api.echo_servers import serve_http
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES
from gamehost.api.pipeline.status import reason_of
from gamehost.api.transports.grpc import GrpcServer, GrpcSettings
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.service import Service
from support.waiting import PATIENCE, until

PATH = "/shedu.v1.GameService/PlayStream"


@asynccontextmanager
async def served(service: Service, write_seconds: float = 10.0) -> AsyncIterator[grpc.aio.Channel]:
    server = GrpcServer(service.dispatch, GrpcSettings(write_seconds=write_seconds))
    port = server.listen("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield channel
    finally:
        await server.stop(0)


async def items(service: Service, count: int, **fields: Any) -> list[pb.PlayStreamItem]:
    found = []
    for number in range(count):
        game_id, (ann, _) = await service.table("Ann", "Bob")
        play = {**await service.request(game_id, ann), **fields}
        found.append(pb.PlayStreamItem(correlation_id=number, token=ann, play=play))
    return found


async def sent(requests: Iterable[bytes]) -> AsyncIterator[bytes]:
    for request in requests:
        yield request


def raw(channel: grpc.aio.Channel, *requests: bytes) -> Any:
    return channel.stream_stream(PATH)(sent(requests), timeout=PATIENCE)


async def gather_into(answers: list[bytes], call: Any) -> None:
    async for answer in call:
        answers.append(answer)


async def refused(call: Any) -> tuple[list[bytes], grpc.StatusCode, str]:
    """Reads a call until it fails; returns the messages before, the code and the reason."""
    answers = list[bytes]()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await gather_into(answers, call)
    trailers = dict(caught.value.trailing_metadata() or ())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    return answers, caught.value.code(), reason_of(status)


def open_streams() -> float:
    labels = {"method": "PlayStream", "transport": "grpc"}
    return REGISTRY.get_sample_value("shedu_open_streams", labels) or 0.0


async def test_items_are_answered_over_grpc_until_the_client_closes():
    service = Service()
    sending = await items(service, 6)

    async with served(service) as channel:
        call = GameServiceStub(channel).PlayStream(timeout=PATIENCE)
        await call.write(pb.PlayStreamRequest(items=sending[:1]))
        first = await call.read()
        await call.write(pb.PlayStreamRequest(items=sending[1:]))
        await call.done_writing()
        rest = list[pb.PlayStreamResult]()
        while (message := await call.read()) is not grpc.aio.EOF:
            rest += message.results
        code = await call.code()

    assert [0] == [result.correlation_id for result in first.results]
    assert {1, 2, 3, 4, 5} == {result.correlation_id for result in rest}
    assert all(result.response.view.version for result in (*first.results, *rest))
    assert grpc.StatusCode.OK == code


async def test_a_malformed_message_ends_the_stream_after_what_came_before():
    service = Service()
    [good] = await items(service, 1)

    async with served(service) as channel:
        call = raw(channel, pb.PlayStreamRequest(items=[good]).SerializeToString(), b"\xff\xff")
        answers, code, reason = await refused(call)

    [result] = [result for answer in answers for result in pb.PlayStreamResponse.FromString(answer).results]
    assert result.HasField("response")
    assert (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST") == (code, reason)


async def test_a_message_that_is_too_large_ends_the_stream():
    service = Service()
    large = pb.PlayStreamRequest(items=[{"token": "x" * MAX_REQUEST_BYTES}])

    async with served(service) as channel:
        _, code, reason = await refused(raw(channel, large.SerializeToString()))

    assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE") == (code, reason)


async def test_a_client_that_does_not_read_is_disconnected():
    service = Service()
    [good] = await items(service, 1, request_id="once", legal_actions_limit=1000)
    request = pb.PlayStreamRequest(items=[good] * 50)

    async with served(service, write_seconds=0.2) as channel:
        call = GameServiceStub(channel).PlayStream()
        await until(lambda: open_streams() == 0)

        async def write_for_ever() -> None:
            while not call.done():
                await call.write(request)

        writing = asyncio.create_task(write_for_ever())
        await until(lambda: open_streams() == 1)
        await until(lambda: open_streams() == 0)
        call.cancel()
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)


async def test_a_drain_says_go_away_over_grpc():
    service = Service()
    [good] = await items(service, 1)

    async with served(service) as channel:
        call = GameServiceStub(channel).PlayStream(timeout=PATIENCE)
        await call.write(pb.PlayStreamRequest(items=[good]))
        await call.read()
        service.dispatch.drain()
        last = await call.read()
        code = await call.code()

    assert pb.GO_AWAY_REASON_DRAINING == last.go_away.reason
    assert grpc.StatusCode.OK == code


@pytest.mark.parametrize("kind", ["connect+proto", "connect+json", "grpc-web+proto"])
async def test_other_transports_refuse_it_with_a_typed_error(kind: str):
    service = Service()
    data = b"{}" if kind.endswith("json") else b""
    headers = {"content-type": f"application/{kind}", "connect-protocol-version": "1"}

    async with served_http(service) as http:
        answer = await http.post(PATH, content=struct.pack(">BI", 0, len(data)) + data, headers=headers)

    said = (answer.headers.get("grpc-message", "") + answer.text).replace("%20", " ")
    assert "PlayStream is available over gRPC only" in said
    assert "unimplemented" in said or "grpc-status: 12" in said


async def test_rest_does_not_have_it():
    async with served_http(Service()) as http:
        answer = await http.post("/v1/games:playStream", json={})

    assert (404, "METHOD_NOT_FOUND") == (answer.status_code, answer.json()["error"]["details"][0]["reason"])


@asynccontextmanager
async def served_http(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        serve_http(service.dispatch, 0.5) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as http,
    ):
        yield http
