"""Measures appends per second with a shared pipelined connection, and with a connection pool.

Run with `PYTHONPATH=service:tests python tests/bench/bench_store.py`.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from redis.asyncio import Redis

from gamehost.stores.embedded import EmbeddedServer
from gamehost.stores.redis.client import close_client, parse_redis_url
from gamehost.stores.redis.commands import Part
from gamehost.stores.redis.keys import game_key
from gamehost.stores.redis.store import APPEND, connect
from support.servers import redis_server

CALLERS = 50
APPENDS = 120
ROUNDS = 3
PAYLOAD = b"x" * 100

Append = Callable[[str, int], Awaitable[object]]


async def measure(append: Append) -> tuple[float, float]:
    """Returns appends per second, and the median time of one in milliseconds."""
    times: list[float] = []

    async def play() -> None:
        game = uuid.uuid4().hex
        for version in range(APPENDS):
            begin = time.perf_counter()
            await append(game, version)
            times.append(time.perf_counter() - begin)

    begin = time.perf_counter()
    await asyncio.gather(*(play() for _ in range(CALLERS)))
    return CALLERS * APPENDS / (time.perf_counter() - begin), statistics.median(times) * 1000


async def pipelined(url: str) -> tuple[float, float]:
    store = connect(url)
    try:
        return max(
            [await measure(lambda g, v: store.append(g, [PAYLOAD], expected=v)) for _ in range(ROUNDS)]
        )
    finally:
        await store.close()


async def pooled(url: str) -> tuple[float, float]:
    client = parse_redis_url(url).client("bench", timeout=5)
    assert isinstance(client, Redis)
    script = client.register_script(APPEND)

    async def append(game: str, version: int) -> object:
        keys = [game_key(game, part) for part in ("events", "requests", "seed", "summary")]
        args: list[Part] = [version, uuid.uuid4().hex, b"", game_key(game, "news"), *(0, b"") * 3, PAYLOAD]
        return await script(keys=keys, args=args)

    try:
        return max([await measure(append) for _ in range(ROUNDS)])
    finally:
        await close_client(client)


@contextmanager
def servers() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            redis_server(folder / "always") as always,
            redis_server(folder / "everysec", appendfsync="everysec") as everysec,
            EmbeddedServer(folder / "embedded") as embedded,
        ):
            yield {
                "redis, TCP, fsync always": always.url,
                "redis, TCP, fsync every second": everysec.url,
                "embedded, unix socket, fsync always": embedded.url,
            }


def main() -> None:
    print(f"{CALLERS} concurrent callers, {APPENDS} appends each, best of {ROUNDS} rounds\n")
    print(f"{'server':38}{'pipelined/s':>12}{'p50 ms':>8}{'pooled/s':>10}{'p50 ms':>8}{'ratio':>7}")
    with servers() as urls:
        for name, url in urls.items():
            (fast, fast_ms), (slow, slow_ms) = asyncio.run(pipelined(url)), asyncio.run(pooled(url))
            print(f"{name:38}{fast:12,.0f}{fast_ms:8.2f}{slow:10,.0f}{slow_ms:8.2f}{fast / slow:7.2f}")


if __name__ == "__main__":
    main()
