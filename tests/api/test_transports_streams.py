"""Tests that streams end when the caller disconnects, does not read, or an error occurs."""

from __future__ import annotations

import asyncio
import json
import socket

import grpc
import pytest
from google.protobuf import json_format
from prometheus_client import REGISTRY

from api.echo import GAME_ID, QUIET, REQUESTS
from api.echo_servers import EchoServers, running_echo_servers
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


async def closed(servers: EchoServers) -> None:
    """Waits until the generator of the handler, which is endless, was closed."""
    await asyncio.wait_for(servers.echo.closed.wait(), PATIENCE)


@pytest.mark.parametrize("transport", ["rest", "connect"])
async def test_an_http_stream_is_closed_when_the_caller_leaves(servers: EchoServers, transport: str) -> None:
    servers.echo.closed.clear()
    reader, writer = await asyncio.open_connection("127.0.0.1", servers.http_port)
    writer.write(http_request(transport, "endless"))
    await reader.readuntil(b"snapshot")
    assert 1 == open_streams(transport)

    writer.close()

    await closed(servers)
    await until(lambda: not open_streams(transport))


async def test_a_grpc_stream_is_closed_when_the_caller_leaves(servers: EchoServers) -> None:
    servers.echo.closed.clear()
    call = servers.channel.unary_stream(METHOD)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer endless"),)
    )
    await call.read()

    call.cancel()

    await closed(servers)
    await until(lambda: not open_streams("grpc"))


def unreleased(servers: EchoServers) -> list[bool]:
    """Returns for each of the last messages of a quiet stream whether it is still referenced."""
    return [message() is not None for message in servers.echo.tracked]


@pytest.mark.parametrize(
    ("transport", "kept"), [("rest", [False, False]), ("connect", [False, True])], ids=["rest", "connect"]
)
async def test_a_quiet_http_stream_does_not_hold_its_last_message(
    servers: EchoServers, transport: str, kept: list[bool]
) -> None:
    """REST keeps only the encoded text, for other watchers; connectrpc holds a message until the next one."""
    servers.echo.tracked.clear()
    reader, writer = await asyncio.open_connection("127.0.0.1", servers.http_port)
    writer.write(http_request(transport, "quiet"))

    await reader.readuntil(str(QUIET[-1]).encode())

    await until(lambda: unreleased(servers) == kept)
    writer.close()


async def test_a_quiet_grpc_stream_does_not_hold_its_last_message(servers: EchoServers) -> None:
    servers.echo.tracked.clear()
    call = servers.channel.unary_stream(METHOD, None, game_service_pb2.WatchGameResponse.FromString)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer quiet"),)
    )

    while (await call.read()).go_away.version != QUIET[-1]:
        pass

    await until(lambda: unreleased(servers) == [False, False])
    call.cancel()


@pytest.mark.parametrize("transport", ["rest", "connect"])
async def test_an_http_caller_that_never_reads_is_given_up(servers: EchoServers, transport: str) -> None:
    servers.echo.closed.clear()
    reader = socket.create_connection(("127.0.0.1", servers.http_port))

    reader.sendall(http_request(transport, "flood"))

    await closed(servers)
    reader.close()


async def test_a_grpc_caller_that_never_reads_is_given_up() -> None:
    async with running_echo_servers(write_seconds=0.3) as servers:
        call = servers.channel.unary_stream(METHOD)(
            REQUEST.SerializeToString(), metadata=(("authorization", "Bearer flood"),)
        )
        await call.wait_for_connection()

        await closed(servers)
        await until(lambda: not open_streams("grpc"))
        await asyncio.wait_for(servers.server.stop(0.1), PATIENCE)
        call.cancel()


async def test_an_error_midway_is_the_last_message(servers: EchoServers) -> None:
    headers = {"authorization": "Bearer error-midway"}

    events = (await servers.http.get(WATCH, headers=headers)).text.strip().split("\n\n")
    lines = (
        await servers.http.get(WATCH, headers={**headers, "accept": "application/x-ndjson"})
    ).text.splitlines()

    name, data = events[-1].splitlines()
    assert "event: error" == name
    error = json.loads(data.removeprefix("data: "))["error"]
    assert (503, "UNAVAILABLE") == (error["code"], error["status"])
    assert {"error": error} == json.loads(lines[-1])
    assert (
        len(game_service_pb2.WatchGameResponse.DESCRIPTOR.oneofs[0].fields) + 1 == len(events) == len(lines)
    )


async def test_an_error_midway_ends_a_grpc_stream(servers: EchoServers) -> None:
    call = servers.channel.unary_stream(METHOD)(
        REQUEST.SerializeToString(), metadata=(("authorization", "Bearer error-midway"),)
    )

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        _ = [message async for message in call]

    assert grpc.StatusCode.UNAVAILABLE == caught.value.code()


async def test_events_carry_their_case_and_the_version_to_resume_after(servers: EchoServers) -> None:
    answer = await servers.http.get(WATCH)

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


async def test_a_browser_that_reconnects_resumes_after_what_it_saw(servers: EchoServers) -> None:
    servers.echo.asked.clear()

    await servers.http.get(f"{WATCH}?afterVersion=3", headers={"last-event-id": "9"})

    assert [9] == [request.after_version for request in servers.echo.asked]


async def test_a_garbled_last_event_id_is_refused(servers: EchoServers) -> None:
    answer = await servers.http.get(WATCH, headers={"last-event-id": "nine"})

    violation = answer.json()["error"]["details"][1]["fieldViolations"][0]
    assert (400, "Last-Event-ID") == (answer.status_code, violation["field"])
