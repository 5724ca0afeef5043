"""Tests that every caller of the connection to a single server gets the reply to its own command."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Connection, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.stores.redis import direct
from gamehost.stores.redis.direct import DirectCommands
from support.servers import RedisServer
from support.waiting import PATIENCE, until

Answer = Callable[[bytes], bytes]


@asynccontextmanager
async def commands(port: int, timeout: float = PATIENCE, **options: float) -> AsyncIterator[DirectCommands]:
    pool = ConnectionPool(
        host="127.0.0.1",
        port=port,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
        **options,
    )
    client = Redis.from_pool(pool)
    sender = DirectCommands(client, {})
    try:
        async with asyncio.timeout(PATIENCE):  # a lost reply fails a test and does not block it
            yield sender
    finally:
        await sender.close()
        await client.aclose()


@asynccontextmanager
async def scripted_server(answer: Answer) -> AsyncIterator[tuple[int, list[bytes]]]:
    """Starts a server that answers each chunk of bytes after the handshake with `answer(chunk)`."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if b"CLIENT" in data:
                writer.write(b"+OK\r\n" * data.count(b"CLIENT"))
                continue
            asked.append(data)
            writer.write(answer(data))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], asked


async def test_a_cancelled_caller_does_not_shift_the_replies_of_others(redis: RedisServer) -> None:
    async with commands(redis.port) as sender:
        await sender.ask("SET", "direct:0", "zero")
        calls = [asyncio.ensure_future(sender.ask("ECHO", f"{number}")) for number in range(200)]
        await asyncio.sleep(0)
        for call in calls[::3]:
            call.cancel()

        answers = await asyncio.gather(*calls, return_exceptions=True)

        for number, answered in enumerate(answers):
            assert isinstance(answered, asyncio.CancelledError) or answered == b"%d" % number
        assert b"zero" == await sender.ask("GET", "direct:0")


async def test_a_lost_connection_fails_no_command_that_can_be_repeated(redis: RedisServer) -> None:
    async with commands(redis.port) as sender:
        await sender.ask("SET", "direct:1", "one")
        calls = [asyncio.ensure_future(sender.ask("GET", "direct:1")) for _ in range(20)]
        await asyncio.sleep(0)
        sender.reconnect()

        assert [b"one"] * 20 == await asyncio.gather(*calls)


async def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only commands have a short time: a connection that opens slowly must not count as an attempt."""
    protocol = direct.RedisProtocol
    monkeypatch.setattr(direct, "RedisProtocol", lambda transport, *_: protocol(transport, 0.05))
    monkeypatch.setattr(direct, "PAUSE", 0.0)
    async with scripted_server(lambda _data: b"") as (port, asked), commands(port) as sender:
        with pytest.raises(StoreUnavailable):
            await sender.ask("GET", "a")

        await until(lambda: len(asked) >= direct.ATTEMPTS)  # the server may read the last one later
        assert direct.ATTEMPTS == len(asked)


async def test_a_reply_that_nobody_asked_for_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "PAUSE", 0.0)
    replies = iter([b"$1\r\na\r\n$1\r\nb\r\n", b"$1\r\nc\r\n", b"$1\r\nd\r\n"])
    async with scripted_server(lambda _data: next(replies)) as (port, asked), commands(port) as sender:
        assert b"a" == await sender.ask("GET", "a")

        assert b"c" == await sender.ask("GET", "c")
        assert b"d" == await sender.ask("GET", "d")
        assert 3 == len(asked)


async def test_a_silent_connection_is_checked() -> None:
    """`health_check_interval` of the URL. A check that is not answered is given up like any command."""
    server = scripted_server(lambda data: b"+PONG\r\n" if b"PING" in data else b"$1\r\na\r\n")
    async with server as (port, asked), commands(port, health_check_interval=0.02) as sender:
        assert b"a" == await sender.ask("GET", "a")
        before = len(asked)  # redis-py itself checks a connection that it has opened

        await until(lambda: any(b"PING" in data for data in asked[before:]))
        assert b"a" == await sender.ask("GET", "a")


def test_redis_py_is_a_version_whose_private_parts_are_known() -> None:
    """`direct.py` takes over the transport of a connection by `_writer`, which a new version may rename."""
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    required = next(line for line in project.read_text().splitlines() if "redis[hiredis]" in line)

    assert "<9" in required, "look whether Connection still has `_writer`, and raise this bound"
    assert "self._writer = writer" in inspect.getsource(Connection._connect)


async def test_slow_replies_are_not_late_while_they_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time-out runs from the last reply, so a long batch is not given up while it is answered."""
    monkeypatch.setattr(direct, "PAUSE", 0.0)
    now, closed = [0.0], list[Exception]()

    class Transport:
        written = b""

        def write(self, data: bytes) -> None:
            self.written += data

        def abort(self) -> None:
            closed.append(ConnectionError())

    protocol = direct.RedisProtocol(Transport(), 3600.0)  # type: ignore[arg-type]
    monkeypatch.setattr(protocol, "_loop", Clock(asyncio.get_running_loop(), now))
    first, second = protocol.ask(direct.pack(("GET", "a"))), protocol.ask(direct.pack(("GET", "b")))
    await until(lambda: bool(protocol._sent))
    now[0] = 3000.0
    protocol.data_received(b"+a\r\n")
    now[0] = 4000.0
    protocol._check_time()
    assert (b"a", False, []) == (await first, second.done(), closed)

    now[0] = 7000.0
    protocol._check_time()

    assert closed
    assert isinstance(second.exception(), Exception)


class Clock:
    """An event loop whose time the test sets."""

    def __init__(self, loop: asyncio.AbstractEventLoop, now: list[float]) -> None:
        self._inner, self._now = loop, now
        self.create_future, self.call_soon, self.call_later = (
            loop.create_future,
            loop.call_soon,
            loop.call_later,
        )

    def time(self) -> float:
        return self._now[0]


async def test_a_closed_store_says_so(redis: RedisServer) -> None:
    async with commands(redis.port) as sender:
        await sender.ask("GET", "a")
        await sender.close()

        with pytest.raises(StoreUnavailable):
            await asyncio.wait_for(sender.ask("GET", "a"), PATIENCE)


async def test_a_connection_that_is_lost_as_soon_as_it_is_open_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(direct, "PAUSE", 0.0)
    async with scripted_server(lambda _data: b"$1\r\na\r\n") as (port, _), commands(port) as sender:
        call = asyncio.ensure_future(sender.ask("GET", "a"))
        await asyncio.sleep(0)
        assert sender._connecting is not None
        # Runs before the caller, which waits for the same task, continues.
        sender._connecting.add_done_callback(lambda _: sender.reconnect())

        assert b"a" == await asyncio.wait_for(call, PATIENCE)


async def test_a_caller_that_waits_for_a_connection_is_told_that_the_store_is_closed() -> None:
    def keep_silent(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        return

    server = await asyncio.start_server(keep_silent, "127.0.0.1", 0)
    async with server, commands(server.sockets[0].getsockname()[1], timeout=3600.0) as sender:
        call = asyncio.ensure_future(sender.ask("GET", "a"))
        await asyncio.sleep(0)
        await sender.close()

        with pytest.raises(StoreUnavailable, match="closed"):
            await call
