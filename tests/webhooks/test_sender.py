"""Tests the requests of deliveries, against real servers on loopback that behave badly."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop

from gamehost.api.webhooks.sender import HttpSender
from gamehost.play.ports.webhooks import DeliveryResult
from gamehost.play.webhooks.addresses import AddressPolicy
from support.servers import certificate, free_port
from support.waiting import PATIENCE, until

LOOPBACK = AddressPolicy((ipaddress.ip_network("127.0.0.0/8"),), http=True)
HEADERS = {"webhook-id": "msg_1", "webhook-signature": "v1,x"}
BODY = b'{"type": "game.started"}'
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class BadServer:
    """An HTTP server that reads a request, records it, and then does what `respond` does."""

    def __init__(self, respond: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
        self._respond = respond
        self.requests: list[bytes] = []
        self.port = 0
        self._tasks = set[asyncio.Task[None]]()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection in a task of its own, which `close` can end."""
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(head + await reader.readexactly(len(BODY)))
        try:
            await self._respond(writer)
            await reader.read()  # until the sender has closed the connection
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(
    respond: Callable[[asyncio.StreamWriter], Awaitable[None]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[BadServer]:
    bad = BadServer(respond)
    server = await asyncio.start_server(bad.serve, "127.0.0.1", 0, ssl=tls)
    bad.port = server.sockets[0].getsockname()[1]
    async with server:
        yield bad
        await bad.close()


def answering(response: bytes) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
    async def respond(writer: asyncio.StreamWriter) -> None:
        writer.write(response)
        await writer.drain()

    return respond


def sender(policy: AddressPolicy = LOOPBACK, seconds: float = PATIENCE, **more: object) -> HttpSender:
    return HttpSender(policy, seconds=seconds, **more)  # type: ignore[arg-type]


def resolving(*addresses: str) -> Callable[[str, int], Awaitable[Sequence[str]]]:
    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return resolve


async def result_of(response: bytes) -> DeliveryResult:
    async with serving(answering(response)) as server:
        return await sender().send(f"http://127.0.0.1:{server.port}/", HEADERS, BODY)


async def test_a_delivery_is_one_post_request() -> None:
    async with serving(answering(OK)) as server:
        url = f"http://127.0.0.1:{server.port}/hooks?a=b"
        result = await sender().send(url, HEADERS, BODY)

    [request] = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert (DeliveryResult(200), BODY) == (result, body)
    assert "POST /hooks?a=b HTTP/1.1" == lines[0]
    assert {
        f"host: 127.0.0.1:{server.port}",
        "content-type: application/json",
        f"content-length: {len(BODY)}",
        "webhook-id: msg_1",
        "webhook-signature: v1,x",
    } <= {*lines}


@pytest.mark.parametrize("status", [201, 204, 299, 400, 410, 429, 500, 503])
async def test_the_status_is_the_result(status: int) -> None:
    result = await result_of(b"HTTP/1.1 %d Whatever\r\ncontent-length: 0\r\n\r\n" % status)

    assert (status, status < 300) == (result.status, result.delivered)


async def test_an_interim_response_is_skipped() -> None:
    assert DeliveryResult(200) == await result_of(b"HTTP/1.1 100 Continue\r\n\r\n" + OK)


async def test_redirects_are_not_followed() -> None:
    async with serving(answering(OK)) as target:
        to = b"HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:%d/\r\ncontent-length: 0\r\n\r\n" % target.port
        result = await result_of(to)

    assert DeliveryResult(307, "the status was 307") == result
    assert [] == target.requests


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (b"SSH-2.0-OpenSSH_9\r\n" * 10, "the response was not HTTP"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"a" * 20_000, "the connection failed"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 2000, "the connection failed"),
    ],
)
async def test_nonsense_is_a_failure(response: bytes, error: str) -> None:
    assert DeliveryResult(0, error) == await result_of(response)


async def test_a_huge_body_is_not_read() -> None:
    async def endless(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"a" * 65536)
            await writer.drain()

    async with serving(endless) as server:
        assert DeliveryResult(200) == await sender().send(f"http://127.0.0.1:{server.port}/", HEADERS, BODY)


async def never(_writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def trickling(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("respond", [never, trickling])
async def test_a_slow_server_is_given_up(respond: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
    async with serving(respond) as server:
        result = await sender(seconds=0.2).send(f"http://127.0.0.1:{server.port}/", HEADERS, BODY)

    assert DeliveryResult(0, "there was no response within 0.2 seconds") == result


async def test_requests_at_the_same_time_are_bounded() -> None:
    open_now = most = 0
    opened = asyncio.Event()

    async def counting(writer: asyncio.StreamWriter) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        if open_now == 2:
            opened.set()
        await opened.wait()
        open_now -= 1
        writer.write(OK)

    async with serving(counting) as server:
        http, url = sender(most_at_once=2), f"http://127.0.0.1:{server.port}/"
        results = await asyncio.gather(*(http.send(url, HEADERS, BODY) for _ in range(6)))

    assert ([DeliveryResult(200)] * 6, 2) == (results, most)


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(answering(OK)) as proxy, serving(answering(OK)) as server:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
            monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        http = sender(resolve=resolving("127.0.0.1"))
        result = await http.send(f"http://hooks.example.com:{server.port}/", HEADERS, BODY)

    assert (DeliveryResult(200), 0, 1) == (result, len(proxy.requests), len(server.requests))


def test_a_connection_that_is_lost_before_the_request_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the event loop of the service, which raises RuntimeError where asyncio drops what is written."""
    connect = asyncio.open_connection

    async def lost(*where: Any, **options: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await connect(*where, **options)
        writer.transport.abort()
        await until(lambda: writer.transport.get_extra_info("socket").fileno() == -1)
        return reader, writer

    monkeypatch.setattr(asyncio, "open_connection", lost)

    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        result = uvloop.run(sender().send(url, HEADERS, BODY))

    assert DeliveryResult(0, "the connection failed") == result


async def test_nobody_at_the_port_is_a_failure() -> None:
    result = await sender().send(f"http://127.0.0.1:{free_port()}/", HEADERS, BODY)

    assert DeliveryResult(0, "the connection failed") == result


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",),
        ("8.8.8.8", "10.0.0.1"),
        ("169.254.169.254",),
        ("::1",),
        ("::ffff:127.0.0.1",),
        ("fe80::1%eth0",),
        ("fd00:ec2::254",),
        ("0.0.0.0",),
        (),
    ],
)
async def test_a_host_with_a_private_address_gets_no_connection(addresses: tuple[str, ...]) -> None:
    async with serving(answering(OK)) as server:
        http = sender(AddressPolicy(http=True), resolve=resolving(*addresses))
        result = await http.send(f"http://hooks.example.com:{server.port}/", HEADERS, BODY)

    assert DeliveryResult(0, "deliveries to this address are not allowed") == result
    assert [] == server.requests


async def test_the_host_is_resolved_once_and_the_connection_goes_to_that_address() -> None:
    """So a name that resolves to another address the second time (DNS rebinding) changes nothing."""
    asked = list[str]()

    async def rebinding(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    async with serving(answering(OK)) as server:
        http = sender(resolve=rebinding)
        result = await http.send(f"http://hooks.example.com:{server.port}/", HEADERS, BODY)

    assert (DeliveryResult(200), ["hooks.example.com"]) == (result, asked)
    assert b"host: hooks.example.com" in server.requests[0]


async def test_slow_name_servers_hold_up_nothing_but_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answered = threading.Barrier(41), threading.Event()

    def slow(*_arguments: object, **_options: object) -> list[object]:
        asked.wait(PATIENCE)
        answered.wait(PATIENCE)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    http = sender(AddressPolicy(http=True), seconds=PATIENCE)
    sending = [asyncio.create_task(http.send("http://hooks.example.com/", HEADERS, BODY)) for _ in range(40)]
    try:
        async with asyncio.timeout(PATIENCE):
            # In the executor of the event loop, which also reads files of the archive.
            await asyncio.to_thread(asked.wait, PATIENCE)
    finally:
        answered.set()
        await asyncio.gather(*sending)


async def test_a_stored_url_is_checked_again_before_each_delivery() -> None:
    """The operator may have allowed less since it was stored."""
    for url in ("http://127.0.0.1/", "https://user@127.0.0.1/"):
        result = await sender(AddressPolicy()).send(url, HEADERS, BODY)
        assert "deliveries to this address are not allowed" == result.error


async def test_certificates_are_verified_for_the_name_of_the_host(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["tls-cert-file"], files["tls-key-file"])
    trusting = ssl.create_default_context(cafile=files["tls-ca-cert-file"])
    async with serving(answering(OK), context) as server:
        port = server.port
        known = sender(tls=trusting, resolve=resolving("127.0.0.1"))
        results = [
            await known.send(f"https://localhost:{port}/", HEADERS, BODY),
            await known.send(f"https://hooks.example.com:{port}/", HEADERS, BODY),
            await sender().send(f"https://localhost:{port}/", HEADERS, BODY),
        ]

    failed = DeliveryResult(0, "the TLS handshake failed")
    assert [DeliveryResult(200), failed, failed] == results
    assert 1 == len(server.requests)
