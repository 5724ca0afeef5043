"""Streams end when the caller goes away, does not read, or something fails midway."""

from __future__ import annotations

import asyncio
import json
import socket

import grpc
import pytest
from google.protobuf import json_format
from prometheus_client import REGISTRY

from api.echo import GAME_ID, QUIET, REQUESTS
from api.echo_servers import Edge, running_edge
from shedu.v1 import game_service_pb2
from support.waiting import PATIENCE, until

WATCH = f"/v1/games/{GAME_ID}:watch"
METHOD = "/shedu.v1.GameService/WatchGame"
REQUEST = json_format.ParseDict(REQUESTS["WatchGame"], game_service_pb2.WatchGameRequest())


def http_request(transport: str, token: str) -> bytes:
    if transport == "rest":
        return f"GET {WATCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    text = json.dumps(REQUESTS["WatchGame"]).encode()
    head = f"POST {METHOD} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    head += f"Content-Type: application/connect+json\r\nContent-Length: {len(text) + 5}\r\n\r\n"
    return head.encode() + b"\0" + len(text).to_bytes(4, "big") + text


def open_streams(transport: str) -> float:
    labels = {"method": "WatchGame", "transport": transport}
    return REGISTRY.get_sample_value("shedu_open_streams", labels) or 0.0


async def closed(edge: Edge) -> None:
    """Until the handler's generator is closed, which goes on for ever by itself."""
    await asyncio.wait_for(edge.echo.closed.wait(), PATIENCE)


@pytest.mark.parametrize("transport", ["rest", "connect"])
async def test_an_http_stream_is_closed_when_the_caller_leaves(edge: Edge, transport: str) -> None:
    edge.echo.closed.clear()
    reader, writer = await asyncio.open_connection("127.0.0.1", edge.http_port)
    writer.write(http_request(transport, "endless"))
    await reader.readuntil(b"snapshot")
    assert 1 == open_streams(transport)

    writer.close()

    await closed(edge)
    await until(lambda: not open_streams(transport))


async def test_a_grpc_stream_is_closed_when_the_caller_leaves(edge: Edge) -> None:
    edge.echo.closed.clear()
    call = edge.channel.unary_stream(METHOD)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer endless"),)
    )
    await call.read()

    call.cancel()

    await closed(edge)
    await until(lambda: not open_streams("grpc"))


def letters(edge: Edge) -> list[bool]:
    """Which of the last messages of a quiet stream are still held by somebody."""
    return [letter() is not None for letter in edge.echo.letters]


@pytest.mark.parametrize(
    ("transport", "kept"), [("rest", [False, False]), ("connect", [False, True])], ids=["rest", "connect"]
)
async def test_a_quiet_http_stream_does_not_hold_its_last_message(
    edge: Edge, transport: str, kept: list[bool]
) -> None:
    """Over REST only its text is kept for others; connectrpc has the last one until the next."""
    edge.echo.letters.clear()
    reader, writer = await asyncio.open_connection("127.0.0.1", edge.http_port)
    writer.write(http_request(transport, "quiet"))

    await reader.readuntil(str(QUIET[-1]).encode())

    await until(lambda: letters(edge) == kept)
    writer.close()


async def test_a_quiet_grpc_stream_does_not_hold_its_last_message(edge: Edge) -> None:
    edge.echo.letters.clear()
    call = edge.channel.unary_stream(METHOD, None, game_service_pb2.WatchGameResponse.FromString)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer quiet"),)
    )

    while (await call.read()).go_away.version != QUIET[-1]:
        pass

    await until(lambda: letters(edge) == [False, False])
    call.cancel()


@pytest.mark.parametrize("transport", ["rest", "connect"])
async def test_an_http_caller_that_never_reads_is_given_up(edge: Edge, transport: str) -> None:
    edge.echo.closed.clear()
    reader = socket.create_connection(("127.0.0.1", edge.http_port))

    reader.sendall(http_request(transport, "flood"))

    await closed(edge)
    reader.close()


async def test_a_grpc_caller_that_never_reads_is_given_up() -> None:
    async with running_edge(write_seconds=0.3) as edge:
        call = edge.channel.unary_stream(METHOD)(
            REQUEST.SerializeToString(), metadata=(("authorization", "Bearer flood"),)
        )
        await call.wait_for_connection()

        await closed(edge)
        await until(lambda: not open_streams("grpc"))
        await asyncio.wait_for(edge.server.stop(0.1), PATIENCE)
        call.cancel()


async def test_an_error_midway_is_the_last_message(edge: Edge) -> None:
    headers = {"authorization": "Bearer error-midway"}

    events = (await edge.http.get(WATCH, headers=headers)).text.strip().split("\n\n")
    lines = (
        await edge.http.get(WATCH, headers={**headers, "accept": "application/x-ndjson"})
    ).text.splitlines()

    name, data = events[-1].splitlines()
    assert "event: error" == name
    error = json.loads(data.removeprefix("data: "))["error"]
    assert (503, "UNAVAILABLE") == (error["code"], error["status"])
    assert {"error": error} == json.loads(lines[-1])
    assert (
        len(game_service_pb2.WatchGameResponse.DESCRIPTOR.oneofs[0].fields) + 1 == len(events) == len(lines)
    )


async def test_an_error_midway_ends_a_grpc_stream(edge: Edge) -> None:
    call = edge.channel.unary_stream(METHOD)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer error-midway"),)
    )

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        _ = [message async for message in call]

    assert grpc.StatusCode.UNAVAILABLE == caught.value.code()


async def test_events_carry_their_case_and_the_version_to_resume_after(edge: Edge) -> None:
    answer = await edge.http.get(WATCH)

    events = [
        dict(line.split(": ", 1) for line in event.splitlines())
        for event in answer.text.strip().split("\n\n")
    ]
    expected = ["snapshot", "happened", "caught_up", "heartbeat", "go_away"]
    assert expected == [event["event"] for event in events]
    first, second = json.loads(events[0]["data"]), json.loads(events[1]["data"])
    assert first["snapshot"]["version"] == events[0]["id"]
    assert second["happened"]["view"]["version"] == events[1]["id"]
    assert "text/event-stream; charset=utf-8" == answer.headers["content-type"]


async def test_a_browser_that_reconnects_resumes_after_what_it_saw(edge: Edge) -> None:
    edge.echo.asked.clear()

    await edge.http.get(f"{WATCH}?afterVersion=3", headers={"last-event-id": "9"})

    assert [9] == [request.after_version for request in edge.echo.asked]


async def test_a_garbled_last_event_id_is_refused(edge: Edge) -> None:
    answer = await edge.http.get(WATCH, headers={"last-event-id": "nine"})

    violation = answer.json()["error"]["details"][1]["fieldViolations"][0]
    assert (400, "Last-Event-ID") == (answer.status_code, violation["field"])
