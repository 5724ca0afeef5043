"""Tests that a response written at once is the one that goes through ASGI."""

from __future__ import annotations

import asyncio

import pytest

from api.echo_servers import EchoServers
from support.waiting import PATIENCE

REST = "GET /v1/games HTTP/1.1\r\nHost: localhost\r\n"
CONNECT = (
    "POST /shedu.v1.GameService/ListGames HTTP/1.1\r\nHost: localhost\r\n"
    "Content-Type: application/json\r\nContent-Length: 2\r\n"
)
CALLS = pytest.mark.parametrize(("head", "body"), [(REST, ""), (CONNECT, "{}")], ids=["rest", "connect"])
ORIGIN = "Origin: https://elsewhere.example\r\n"  # needs the middleware, and with it the way through ASGI
CLOSE = "Connection: close\r\n"


async def sent_back(port: int, request: str, parts: int = 1) -> list[tuple[dict[str, str], bytes]]:
    """Sends bytes and returns the headers and the body of so many responses."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request.encode())
        found = [await one_response(reader) for _ in range(parts)]
        if CLOSE in request:
            assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
    return found


async def one_response(reader: asyncio.StreamReader) -> tuple[dict[str, str], bytes]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    assert first == "HTTP/1.1 200 OK"
    headers: dict[str, str] = {}
    for name, value in (line.split(": ", 1) for line in lines):
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers, await reader.readexactly(int(headers["content-length"]))


def without_cors(headers: dict[str, str]) -> dict[str, set[str]]:
    return {
        name: set(value.split(", "))
        for name, value in headers.items()
        if not name.startswith("access-control-") and name != "date"
    }


@CALLS
async def test_the_response_has_the_headers_and_the_body_that_asgi_sends(
    servers: EchoServers, head: str, body: str
) -> None:
    [(at_once, content)] = await sent_back(servers.http_port, f"{head}\r\n{body}")
    [(by_asgi, same_content)] = await sent_back(servers.http_port, f"{head}{ORIGIN}\r\n{body}")

    assert without_cors(by_asgi) == without_cors(at_once)
    assert same_content == content
    assert "access-control-allow-origin" in by_asgi


@CALLS
async def test_the_connection_is_closed_if_the_caller_asks_for_it(
    servers: EchoServers, head: str, body: str
) -> None:
    [(headers, _)] = await sent_back(servers.http_port, f"{head}{CLOSE}\r\n{body}")

    assert headers["connection"] == "close"


@CALLS
async def test_requests_that_are_sent_without_waiting_are_answered_in_order(
    servers: EchoServers, head: str, body: str
) -> None:
    alone = await sent_back(servers.http_port, f"{head}\r\n{body}")
    missing = "GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
    call = f"{head}\r\n{body}"

    together = await sent_back(servers.http_port, f"{call}{call}{call}{missing}", 3)

    assert [content for _, content in together] == [alone[0][1]] * 3
