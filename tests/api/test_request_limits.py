"""Tests of the limits that apply before a request is parsed, the same over every transport."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
import zlib
from typing import Any

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2, status_pb2

from api.echo import GAME_ID, SERVICES, Echo, open_admission
from api.echo_servers import EchoServers, serve_http
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.quotas import Limits
from gamehost.api.transports.grpc import STATUS_DETAILS, GrpcServer, peer_of
from gamehost.api.transports.header_limit import MAX_HEADER_BYTES
from support.waiting import PATIENCE

CREATE = "/shedu.v1.GameService/CreateGame"
LIST = "/shedu.v1.GameService/ListGames"


def bomb() -> bytes:
    """Returns 200 KiB of gzip that decompress to 200 MiB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()


async def test_a_packed_bomb_does_not_go_off_over_connect(servers: EchoServers) -> None:
    packed = bomb()
    headers = {"content-type": "application/proto", "content-encoding": "gzip"}

    tracemalloc.start()
    answer = await servers.http.post(CREATE, content=packed, headers=headers)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (429, "resource_exhausted") == (answer.status_code, answer.json()["code"])
    assert peak < 8 << 20


async def test_a_packed_bomb_does_not_go_off_over_grpc(servers: EchoServers) -> None:
    call = servers.channel.unary_unary(CREATE)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(bytes(32 << 20), compression=grpc.Compression.Gzip, timeout=PATIENCE)

    assert grpc.StatusCode.UNIMPLEMENTED == caught.value.code()  # nothing was decompressed


async def test_a_header_that_is_not_utf8_is_refused_over_connect(servers: EchoServers) -> None:
    headers = {b"authorization": b"Bearer \xff", b"content-type": b"application/json"}
    answer = await servers.http.post(LIST, content=b"{}", headers=headers)

    assert (400, "INVALID_ARGUMENT") == (answer.status_code, answer.json()["error"]["status"])


async def test_rest_unpacks_nothing(servers: EchoServers) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    answer = await servers.http.post("/v1/games", content=bomb()[:1000], headers=headers)

    assert 415 == answer.status_code


async def test_headers_without_measure_are_refused(servers: EchoServers) -> None:
    long = {"x-long": "x" * (MAX_HEADER_BYTES + 1)}

    answers = [
        await servers.http.get("/v1/games", headers=long),
        await servers.http.post(LIST, content=b"{}", headers={"content-type": "application/json", **long}),
        await servers.http.get("/v1/games?pageToken=" + "x" * (MAX_HEADER_BYTES + 1)),
    ]

    assert [431, 431, 431] == [answer.status_code for answer in answers]
    assert "HEADERS_TOO_LARGE" == answers[0].json()["error"]["details"][0]["reason"]


async def test_metadata_without_measure_is_refused(servers: EchoServers) -> None:
    call = servers.channel.unary_unary(LIST)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=(("x-long", "x" * 9000),), timeout=PATIENCE)

    assert grpc.StatusCode.RESOURCE_EXHAUSTED == caught.value.code()


async def test_headers_that_never_end_are_cut_off() -> None:
    async with serve_http(Dispatch([Echo()], SERVICES, open_admission()), 0.5) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /v1/games HTTP/1.1\r\nhost: x\r\nx-long: ")
        sent = 0
        try:
            while sent < 64 << 20:
                writer.write(b"x" * 65536)
                await writer.drain()
                sent += 65536
        except ConnectionError:
            pass
        answer = await asyncio.wait_for(read_all(reader), PATIENCE)
        writer.close()

    assert sent < 8 << 20
    assert answer == b"" or answer.startswith(b"HTTP/1.1 431 ")


async def read_all(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def test_a_long_body_is_no_long_head(servers: EchoServers) -> None:
    body = json.dumps({"title": "tides", "requestId": "x" * 16, "options": {}}) + " " * 60_000

    headers = {"content-type": "application/json"}
    answers = [await servers.http.post("/v1/games", content=body, headers=headers) for _ in range(3)]

    assert [200, 200, 200] == [answer.status_code for answer in answers]


async def test_too_many_calls_are_answered_the_same_over_every_transport() -> None:
    dispatch = Dispatch([Echo()], SERVICES, open_admission(Limits(calls_per_second=0.01)))
    server = GrpcServer(dispatch)
    grpc_port = server.listen("127.0.0.1:0")
    await server.start()
    async with (
        serve_http(dispatch, 0.5) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}") as channel,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE) as http,
    ):
        rest = await http.get("/v1/games")
        connect = await http.post(LIST, content=b"{}", headers={"content-type": "application/json"})
        watch = await http.get(f"/v1/games/{GAME_ID}:watch")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await channel.unary_unary(LIST)(b"", timeout=PATIENCE)
    await server.stop(0)

    native = status_of(caught.value)
    names = [detail.type_url.rpartition("/")[2] for detail in native.details]
    assert [429, 429, 429] == [answer.status_code for answer in (rest, connect, watch)]
    assert grpc.StatusCode.RESOURCE_EXHAUSTED == caught.value.code()
    assert ["google.rpc.ErrorInfo", "google.rpc.RetryInfo", "google.rpc.QuotaFailure"] == names
    assert names == [types(detail) for detail in rest.json()["error"]["details"]]
    assert names == [types(detail) for detail in watch.json()["error"]["details"]]
    assert names == [detail["type"] for detail in connect.json()["details"]]
    assert int(rest.headers["retry-after"]) > 0
    quota = error_details_pb2.QuotaFailure()
    native.details[2].Unpack(quota)
    assert "caller" == quota.violations[0].subject


def status_of(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    trailers: dict[str, Any] = dict(error.trailing_metadata() or ())
    return status_pb2.Status.FromString(trailers[STATUS_DETAILS])


def types(detail: dict[str, Any]) -> str:
    return str(detail["@type"]).rpartition("/")[2]


@pytest.mark.parametrize(
    ("told", "peer"),
    [("ipv4:10.1.2.3:4567", "10.1.2.3:4567"), ("ipv6:%5B::1%5D:80", "::1:80"), ("unix:", "unix:")],
)
def test_a_peer_is_called_the_same_whatever_the_transport(told: str, peer: str) -> None:
    assert peer == peer_of(told)


@pytest.mark.parametrize("name", ["access_token", "authorization", "token", "shedu_seat_abc"])
async def test_a_token_in_a_url_is_refused(servers: EchoServers, name: str) -> None:
    view = await servers.http.get(f"/v1/games/{GAME_ID}/view", params={name: "shedu_seat_secret"})
    move = await servers.http.post(f"/v1/games/{GAME_ID}:leave", params={name: "shedu_seat_secret"}, json={})

    assert [400, 400] == [view.status_code, move.status_code]
    assert "shedu_seat_secret" not in view.text + move.text
