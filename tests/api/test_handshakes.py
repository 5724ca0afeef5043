"""Tests that unfinished TLS handshakes are counted, limited and closed."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
import uvicorn

from gamehost.api.transports.asgi import build_probe_app
from gamehost.api.transports.connections import ConnectionLimits, HttpConnections
from gamehost.api.transports.http_connection import BoundedHttp
from gamehost.https import TlsServer
from gamehost.tls import Files, load
from support.certificates import Pair, authority
from support.waiting import PATIENCE

NEVER = 10 * PATIENCE
REQUEST = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return authority(tmp_path_factory.mktemp("pair"), "ca").issue("server")


@asynccontextmanager
async def port(pair: Pair, handshake_seconds: float = NEVER, **limits: int) -> AsyncIterator[int]:
    """Starts a server with TLS and these limits, and yields its port."""

    async def ready() -> bool:
        return True

    connections = HttpConnections(ConnectionLimits(**limits), "http")
    config = uvicorn.Config(
        build_probe_app(ready),
        http=partial(BoundedHttp, connections=connections),
        log_config=None,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = TlsServer(config, load(Files(*pair_files(pair), None)).http, connections)
    listener = socket.create_server(("127.0.0.1", 0))
    config.load()
    server.lifespan = config.lifespan_class(config)
    with patch("gamehost.https.HANDSHAKE_SECONDS", handshake_seconds):
        await server.startup([listener])
        try:
            yield listener.getsockname()[1]
        finally:
            await server.shutdown([listener])


def pair_files(pair: Pair) -> tuple[Path, Path]:
    return pair.certificate, pair.key


class Silent:
    """A connection that sends nothing."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def closed(self) -> bool:
        """Waits until the server has closed the connection."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self._reader.read() == b""
            except ConnectionResetError:
                return True

    @property
    def open(self) -> bool:
        return not self._reader.at_eof()


@asynccontextmanager
async def silent(port: int, count: int = 1) -> AsyncIterator[list[Silent]]:
    lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    yield [Silent(reader) for reader, _ in lines]
    for _, writer in lines:
        writer.close()


async def ask(port: int) -> bytes:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting)
        writer.write(REQUEST)
        answer = await reader.read()
        writer.close()
        return answer


async def test_handshakes_count_for_the_limit_of_an_address(pair):
    async with port(pair, per_address=3) as number, silent(number, 3) as allowed:
        async with silent(number) as [refused]:
            assert await refused.closed()

        assert [True] * 3 == [each.open for each in allowed]


async def test_a_full_port_closes_the_oldest_handshake_for_a_new_connection(pair):
    async with port(pair, total=3) as number, silent(number, 3) as [first, *others]:
        answer = await ask(number)

        assert answer.endswith(b"alive\n")
        assert await first.closed()
        assert [True] * 2 == [each.open for each in others]


async def test_a_finished_handshake_is_not_counted_twice(pair):
    async with port(pair, per_address=1, total=1) as number:
        answer = await ask(number)

    assert answer.endswith(b"alive\n")


async def test_a_handshake_that_does_not_begin_is_given_up(pair):
    async with port(pair, handshake_seconds=0.05) as number, silent(number) as [line]:
        assert await line.closed()


async def test_handshakes_do_not_hold_up_the_end_of_the_server(pair):
    async with AsyncExitStack() as later:
        async with port(pair) as number:
            [line] = await later.enter_async_context(silent(number))
            await ask(number)  # so that the first connection has been accepted

        assert await line.closed()
