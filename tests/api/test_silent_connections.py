"""Tests that connections which send nothing, or too little, are closed, and that their number is limited."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from prometheus_client import REGISTRY

from api.echo import GAME_ID, SERVICES, Echo, open_admission
from api.echo_servers import serve_http
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.transports.connections import SILENT_SECONDS, ConnectionLimits, HttpConnections
from gamehost.api.transports.grpc import STATUS_DETAILS, GrpcServer, GrpcSettings
from support.clock import ManualClock
from support.waiting import PATIENCE

# Only the time limit under test is short, so that a slow machine does not change the result.
LONG = 10 * PATIENCE
PATIENT = ConnectionLimits(idle_seconds=LONG, head_seconds=LONG, body_seconds=LONG)
SHORT = 0.2
REQUEST = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
WATCH = f"GET /v1/games/{GAME_ID}:watch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer quiet\r\n\r\n".encode()
HALF_HEAD = b"GET /healthz HTTP/1.1\r\nhost: "
HALF_BODY = (
    b"POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
)
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
LIST = "/shedu.v1.GameService/ListGames"

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def closed(port: str, why: str) -> float:
    labels = {"port": port, "why": why}
    return REGISTRY.get_sample_value("shedu_closed_connections_total", labels) or 0.0


async def connect(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> Stream:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(sent)
    return reader, writer


async def rest_of(stream: Stream) -> bytes:
    """Reads until the other end closes the connection."""
    try:
        return await asyncio.wait_for(stream[0].read(), PATIENCE)
    except ConnectionError:
        return b""
    finally:
        stream[1].close()


async def first_of(tasks: list[asyncio.Task[bytes]]) -> bytes:
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    return done.pop().result()


@asynccontextmanager
async def http(limits: ConnectionLimits, now: Callable[[], float] = time.monotonic) -> AsyncIterator[int]:
    async with serve_http(Dispatch([Echo()], SERVICES, open_admission()), 0.5, limits, now) as port:
        yield port


@asynccontextmanager
async def native(limits: ConnectionLimits) -> AsyncIterator[int]:
    server = GrpcServer(Dispatch([Echo()], SERVICES, open_admission()), GrpcSettings(connections=limits))
    port = server.listen("127.0.0.1:0")
    await server.start()
    try:
        yield port
    finally:
        await server.stop(0)


@pytest.mark.parametrize("sent", [b"", HALF_HEAD, b"\r\n"])
async def test_a_head_that_does_not_come_over_http(sent: bytes) -> None:
    before = closed("http", "head_timeout")

    async with http(replace(PATIENT, head_seconds=SHORT)) as port:
        told = await rest_of(await connect(port, sent))

    assert b"" == told
    assert before + 1 == closed("http", "head_timeout")


async def test_single_bytes_do_not_extend_the_time_for_a_head() -> None:
    async with http(replace(PATIENT, head_seconds=SHORT)) as port:
        reader, writer = await connect(port, HALF_HEAD)
        async with asyncio.timeout(PATIENCE):
            # A byte that arrives after the close is answered by a reset: an exception instead of end of file.
            while not (reader.at_eof() or reader.exception()):
                writer.write(b"x")
                await asyncio.sleep(SHORT / 10)
        writer.close()


async def test_a_body_that_does_not_come_over_http_is_answered_408() -> None:
    async with http(replace(PATIENT, body_seconds=SHORT)) as port:
        head, _, body = (await rest_of(await connect(port, HALF_BODY))).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 408 ")
    assert "body" == json.loads(body)["error"]["details"][1]["fieldViolations"][0]["field"]


async def test_an_idle_connection_is_closed_and_a_stream_is_not() -> None:
    before = closed("http", "idle")

    async with http(replace(PATIENT, idle_seconds=SHORT, body_seconds=SHORT)) as port:
        stream = await connect(port, WATCH)
        await stream[0].readuntil(b"4711")
        answer = await rest_of(await connect(port, REQUEST))
        after = await rest_of(await connect(port, REQUEST))

        assert not stream[0].at_eof()
        stream[1].close()

    assert answer.endswith(b"alive\n")
    assert after.endswith(b"alive\n")
    assert before + 2 == closed("http", "idle")


async def test_one_connection_too_many_of_an_address_is_refused_over_http() -> None:
    before = closed("http", "address_limit")

    async with http(replace(PATIENT, per_address=2)) as port:
        first = [await connect(port, WATCH) for _ in range(2)]
        await asyncio.gather(*(stream[0].readuntil(b"4711") for stream in first))
        head, _, body = (await rest_of(await connect(port))).partition(b"\r\n\r\n")
        other = await connect(port, REQUEST, source="127.0.0.2")

        assert b"alive\n" == (await other[0].readuntil(b"alive\n"))[-6:]
        assert before + 1 == closed("http", "address_limit")
        for _, writer in (*first, other):
            writer.close()

    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in head
    assert "TOO_MUCH" == json.loads(body)["error"]["details"][0]["reason"]


async def test_a_newcomer_takes_the_place_of_the_silent_and_never_of_a_stream() -> None:
    ages = count(0.0, SILENT_SECONDS)  # every call of the clock is that much later
    async with http(replace(PATIENT, total=3), lambda: next(ages)) as port:
        stream = await connect(port, WATCH)
        await stream[0].readuntil(b"4711")
        idle = await connect(port, REQUEST)
        await idle[0].readuntil(b"alive\n")
        silent = await connect(port, HALF_BODY)

        newcomers = [await connect(port, WATCH)]
        assert b"" == await rest_of(silent)
        assert not idle[0].at_eof()

        await newcomers[0][0].readuntil(b"4711")
        newcomers.append(await connect(port, WATCH))
        assert b"" == await rest_of(idle)

        await newcomers[1][0].readuntil(b"4711")
        assert (await rest_of(await connect(port))).startswith(b"HTTP/1.1 503 ")
        assert not stream[0].at_eof()
        for _, writer in (stream, *newcomers):
            writer.close()


class Line:
    """A connection that records whether it was evicted."""

    evicted = False

    def evict(self) -> None:
        self.evicted = True


def full_port(*states: str) -> tuple[HttpConnections, list[Line], ManualClock]:
    clock, lines = ManualClock(), [Line() for _ in states]
    connections = HttpConnections(ConnectionLimits(total=len(lines)), "http", now=lambda: clock() / 1e6)
    for line, state in zip(lines, states, strict=True):
        assert connections.opened(line, "127.0.0.1") is None
        if state != "silent":
            connections.mark_busy(line)
        if state == "idle":
            connections.mark_idle(line)
    return connections, lines, clock


@pytest.mark.parametrize(
    ("states", "age", "evicted"),
    [
        (("idle", "silent", "silent", "idle"), 0.0, 0),
        (("idle", "silent", "silent", "idle"), 0.9, 0),
        (("idle", "silent", "silent", "idle"), 1.0, 1),
        (("busy", "silent", "silent", "busy"), 0.0, 1),
        (("busy", "idle", "idle", "busy"), 9.0, 1),
    ],
)
def test_newcomers_do_not_evict_each_other_while_idle_connections_fill_the_port(
    states: tuple[str, ...], age: float, evicted: int
) -> None:
    connections, lines, clock = full_port(*states)
    clock.advance(age)

    assert connections.opened(Line(), "127.0.0.1") is None

    assert [evicted] == [number for number, line in enumerate(lines) if line.evicted]


@pytest.mark.parametrize("sent", [b"", PREFACE[:9], PREFACE])
async def test_a_greeting_that_does_not_come_over_grpc(sent: bytes) -> None:
    async with native(replace(PATIENT, head_seconds=SHORT)) as port:
        await rest_of(await connect(port, sent))


async def test_a_connection_without_a_call_over_grpc() -> None:
    async with native(replace(PATIENT, idle_seconds=SHORT)) as port:
        await rest_of(await connect(port, PREFACE + SETTINGS))


async def test_a_request_that_does_not_come_over_grpc() -> None:
    async with (
        native(replace(PATIENT, body_seconds=SHORT)) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await channel.stream_unary(LIST)(timeout=PATIENCE)

    trailers = dict(caught.value.trailing_metadata() or ())
    found = error_details_pb2.BadRequest()
    status_pb2.Status.FromString(trailers[STATUS_DETAILS]).details[1].Unpack(found)  # type: ignore[arg-type]
    assert grpc.StatusCode.INVALID_ARGUMENT == caught.value.code()
    assert "body" == found.field_violations[0].field


async def test_one_connection_too_many_of_an_address_is_closed_over_grpc() -> None:
    before = closed("grpc", "address_limit")

    async with native(replace(PATIENT, per_address=2)) as port:
        crowd = [await connect(port, source="127.0.0.2") for _ in range(3)]
        gone = [asyncio.create_task(rest_of(each)) for each in crowd]
        await first_of(gone)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            await channel.unary_unary(LIST)(b"", timeout=PATIENCE)

        assert 1 == sum(task.done() for task in gone)
        assert before + 1 == closed("grpc", "address_limit")
        for _, writer in crowd:
            writer.close()
        await asyncio.gather(*gone)


async def test_where_the_grpc_port_is_nearly_full_silent_connections_go_first() -> None:
    async with (
        native(replace(PATIENT, total=16)) as port,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        metadata = (("authorization", "Bearer quiet"),)
        stream = channel.unary_stream("/shedu.v1.GameService/WatchGame")(
            game_request(), metadata=metadata, timeout=PATIENCE
        )
        for _ in range(7):
            await stream.read()
        silent = [await connect(port) for _ in range(14)]

        gone = [asyncio.create_task(rest_of(each)) for each in silent]
        await first_of(gone)

        assert 1 == sum(task.done() for task in gone)
        assert not stream.done()
        stream.cancel()
        for _, writer in silent:
            writer.close()
        await asyncio.gather(*gone)


def game_request() -> bytes:
    from shedu.v1 import game_service_pb2

    return game_service_pb2.WatchGameRequest(game_id=GAME_ID).SerializeToString()
