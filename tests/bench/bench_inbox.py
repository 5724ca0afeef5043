"""Measures an inbox with a thousand games: time to open, memory, and latency of a move.

Run with `PYTHONPATH=service:clients/python:tests python tests/bench/bench_inbox.py [--games N] [--json]`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import tempfile
import time
import tracemalloc
from contextlib import aclosing
from pathlib import Path
from typing import Any

from rich.progress import track
from structlog import configure as configure_log
from structlog import make_filtering_bound_logger

from gamehost.stores.redis.store import connect
from support.keyed_service import KeyedService
from support.servers import redis_server

MOVES = 200


async def opened(service: KeyedService, who: str) -> tuple[float, int]:
    """Returns the seconds until the stream has caught up, and the number of items."""
    begin, count = time.perf_counter(), 0
    async with aclosing(service.stream("WatchInbox", who)) as stream:
        async for message in stream:
            if message.HasField("caught_up"):
                break
            count += 1
    return time.perf_counter() - begin, count


async def held(service: KeyedService, who: str) -> float:
    """Returns the megabytes that an open stream keeps."""
    gc.collect()
    tracemalloc.start()
    async with aclosing(service.stream("WatchInbox", who)) as stream:
        async for message in stream:
            if message.HasField("caught_up"):
                break
        gc.collect()
        current, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return current / 1e6


async def latencies(
    there: KeyedService, here: KeyedService, keys: list[str], games: list[str]
) -> list[float]:
    """Returns the seconds from each answered move to its decision in an inbox at another process."""
    asked: asyncio.Queue[tuple[str, float]] = asyncio.Queue()

    async def listen() -> None:
        async with aclosing(here.stream("WatchInbox", keys[1])) as stream:
            async for message in stream:
                if message.HasField("caught_up"):
                    asked.put_nowait(("", 0.0))
                if message.item.HasField("decision"):
                    asked.put_nowait((message.item.game_id, time.perf_counter()))

    listener = asyncio.create_task(listen())
    while (await asked.get())[0]:
        pass
    times = []
    for game in games[:MOVES]:
        for key in keys:
            await there.move(game, key)
        moved = time.perf_counter()
        while (told := await asyncio.wait_for(asked.get(), 30))[0] != game:
            pass
        times.append(max(told[1] - moved, 0.0))
    listener.cancel()
    await asyncio.gather(listener, return_exceptions=True)
    return times


async def measure(url: str, count: int, quiet: bool) -> dict[str, Any]:
    stores = [connect(url), connect(url)]
    there, here = (KeyedService(store) for store in stores)
    keys = [await there.key(name) for name in ("ann", "bob")]
    games = []
    for _ in track(range(count), "opening tables", disable=quiet):
        games.append((await there.shared_table(*keys))[0])
    await asyncio.sleep(1)
    first, items = await opened(here, keys[1])
    again, _ = await opened(here, keys[1])
    times = sorted(await latencies(there, here, keys, games))
    megabytes = await held(here, keys[1])
    for store in stores:
        await store.close()
    return {
        "games": count,
        "items": items,
        "open_ms": round(first * 1000),
        "open_again_ms": round(again * 1000),
        "held_mb": round(megabytes, 2),
        "latency_p50_ms": round(statistics.median(times) * 1000, 2),
        "latency_p99_ms": round(times[len(times) * 99 // 100 - 1] * 1000, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="how many games (default 1000)")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    options = parser.parse_args()
    configure_log(wrapper_class=make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory() as name, redis_server(Path(name), appendfsync="everysec") as server:
        figures = asyncio.run(measure(server.url, options.games, options.json))
    print(json.dumps(figures) if options.json else "\n".join(f"{k:16}{v:>10}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
