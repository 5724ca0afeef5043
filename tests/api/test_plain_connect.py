"""Tests that a Connect call gets the same response with and without the Connect library."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from api.echo_servers import EchoServers
from shedu.v1 import game_service_pb2 as pb
from support.waiting import PATIENCE

GET, LIST, WATCH = (f"/shedu.v1.GameService/{name}" for name in ("GetGame", "ListGames", "WatchGame"))
JSON, PROTO = ({"content-type": f"application/{name}"} for name in ("json", "proto"))
BY_LIBRARY = {"accept-encoding": "identity"}  # a call that negotiates compression is left to the library
MISSING = pb.GetGameRequest(game_id="a" * 20).SerializeToString()


@pytest.fixture
async def plain(servers: EchoServers) -> AsyncIterator[httpx.AsyncClient]:
    """A client that sends no header on its own that needs the library."""
    async with httpx.AsyncClient(base_url=servers.http.base_url, timeout=PATIENCE) as client:
        del client.headers["accept-encoding"]
        yield client


def content(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    headers = dict(answer.headers)
    for name in ("date", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    return answer.status_code, headers, answer.content


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        (LIST, JSON, b"{}"),
        (LIST, PROTO, b""),
        (GET, JSON, b'{"gameId": "wrong"}'),
        (GET, PROTO, MISSING),
        (LIST, JSON, b"{"),
        (LIST, PROTO, b"\xff"),
        (LIST, JSON, b'{"pageToken": "' + b"x" * 70_000 + b'"}'),
        (LIST, JSON, b'{"pageToken": "' + b"x" * 300_000 + b'"}'),
        (WATCH, JSON, b"{}"),
        (LIST, {"content-type": "application/thrift"}, b""),
    ],
)
async def test_the_response_is_the_same_without_the_library(
    plain: httpx.AsyncClient, path: str, kind: dict[str, str], body: bytes
) -> None:
    without = await plain.post(path, content=body, headers=kind)
    by_library = await plain.post(path, content=body, headers=kind | BY_LIBRARY)

    assert content(by_library) == content(without)


async def test_the_response_of_a_plain_call_has_a_length(plain: httpx.AsyncClient) -> None:
    without = await plain.post(LIST, content=b"{}", headers=JSON)
    by_library = await plain.post(LIST, content=b"{}", headers=JSON | BY_LIBRARY)

    assert (str(len(without.content)), 200) == (without.headers["content-length"], without.status_code)
    assert "content-length" not in by_library.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"content-encoding": "br"},
        {"connect-timeout-ms": "many"},
        {"connect-protocol-version": "2"},
        {"accept-encoding": "gzip"},
    ],
)
async def test_a_call_that_needs_the_library_gets_it(
    plain: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await plain.post(LIST, content=b"{}", headers=JSON | headers)

    assert answer.status_code != 200 or answer.headers["content-encoding"] == "gzip"


async def test_a_body_in_pieces_is_read_as_a_whole(plain: httpx.AsyncClient) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"gameId": '
        yield b'"wrong"}'

    answer = await plain.post(GET, content=pieces(), headers=JSON)

    assert answer.json()["code"] == "invalid_argument"
    assert "gameId" in answer.text or "game_id" in answer.text
