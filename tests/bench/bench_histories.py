"""Measures readers of a long log: their cost, and how long calls of another caller take meanwhile.

Run with `PYTHONPATH=service:clients/python:tests python tests/bench/bench_histories.py`, and `--help`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import grpc
import httpx

from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES
from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from gamehost.stores.redis.store import connect
from shedu.v1 import game_service_pb2 as pb
from support.long_logs import lengthen
from support.process import Serve
from support.servers import redis_server

PAUSE = 0.05  # seconds between two pairs of calls of the other caller
RPC = "/shedu.v1.GameService"

Reader = Callable[[Serve, str, str], Awaitable[int]]


def _raw(message: bytes) -> bytes:
    return message


async def watched(server: Serve, game_id: str, _token: str) -> int:
    """Reads the whole log as a stream over gRPC, without parsing messages, to keep the reader cheap."""
    request = pb.WatchGameRequest(game_id=game_id, after_version=0)
    told = 0
    async with grpc.aio.insecure_channel(
        server.address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        call = channel.unary_stream(
            f"{RPC}/WatchGame",
            request_serializer=pb.WatchGameRequest.SerializeToString,
            response_deserializer=_raw,
        )(request)
        async for message in call:
            told += 1
            if len(message) < 32 and pb.WatchGameResponse.FromString(message).HasField("caught_up"):
                return told
    return told


async def sent(server: Serve, game_id: str, _token: str) -> int:
    """Reads the whole log as server-sent events."""
    told, address = 0, f"{server.url}/v1/games/{game_id}:watch"
    async with (
        httpx.AsyncClient(timeout=None, verify=False) as client,
        client.stream("GET", address, params={"after_version": 0}) as answer,
    ):
        async for chunk in answer.aiter_raw():
            told += chunk.count(b"event: happened")
            if b"event: caught_up" in chunk:
                return told
    return told


async def paged(server: Serve, game_id: str, _token: str) -> int:
    """Reads the whole log in pages of a thousand events."""
    told, page = 0, ""
    async with grpc.aio.insecure_channel(
        server.address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        call = channel.unary_unary(
            f"{RPC}/ListEvents",
            request_serializer=pb.ListEventsRequest.SerializeToString,
            response_deserializer=pb.ListEventsResponse.FromString,
        )
        while True:
            answer = await call(pb.ListEventsRequest(game_id=game_id, page_size=1000, page_token=page))
            told, page = told + len(answer.events), answer.next_page_token
            if not page:
                return told


async def looked_back(server: Serve, game_id: str, _token: str) -> int:
    """Reads views at versions all over the log."""
    async with grpc.aio.insecure_channel(
        server.address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        call = channel.unary_unary(
            f"{RPC}/GetView",
            request_serializer=pb.GetViewRequest.SerializeToString,
            response_deserializer=_raw,
        )
        for nth in range(30):
            await call(pb.GetViewRequest(game_id=game_id, version=5900 - 190 * nth))
    return 30


async def took_back(server: Serve, game_id: str, token: str) -> int:
    """Proposes undos that are refused after a search of the log."""
    async with grpc.aio.insecure_channel(
        server.address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        call = channel.unary_unary(
            f"{RPC}/ProposeUndo",
            request_serializer=pb.ProposeUndoRequest.SerializeToString,
            response_deserializer=_raw,
        )
        for _ in range(10):
            try:
                await call(
                    pb.ProposeUndoRequest(game_id=game_id, to_version=3),
                    metadata=[("authorization", f"Bearer {token}")],
                )
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                    raise
    return 10


READERS: dict[str, Reader] = {
    "watch over gRPC": watched,
    "watch over HTTP": sent,
    "pages": paged,
    "old views": looked_back,
    "undo": took_back,
}


def neighbour(server: Serve, game_id: str, pipe: Connection) -> None:
    """Reads another game until it is told to stop, in a separate process; sends the seconds of each call."""
    seconds: list[float] = []
    with grpc.insecure_channel(server.address) as channel, httpx.Client(verify=False, timeout=60) as client:
        call = channel.unary_unary(
            f"{RPC}/GetView",
            request_serializer=pb.GetViewRequest.SerializeToString,
            response_deserializer=_raw,
        )
        address = f"{server.url}/v1/games/{game_id}/view"
        ask: Sequence[Callable[[], Any]] = (
            lambda: call(pb.GetViewRequest(game_id=game_id)),
            lambda: client.get(address).raise_for_status(),
        )
        while not pipe.poll(PAUSE):
            for each in ask:
                begin = time.perf_counter()
                each()
                seconds.append(time.perf_counter() - begin)
    pipe.recv()
    pipe.send(seconds)


def cpu(pid: int) -> float:
    """Returns the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    server: Serve, game_id: str, token: str, other: str, reader: Reader, count: int
) -> dict[str, float]:
    assert server.process is not None
    here, there = multiprocessing.get_context("fork").Pipe()
    asking = multiprocessing.get_context("fork").Process(target=neighbour, args=(server, other, there))
    asking.start()
    await asyncio.sleep(0.5)
    used, begin = cpu(server.process.pid), time.perf_counter()
    told = await asyncio.gather(*(reader(server, game_id, token) for _ in range(count)))
    took = time.perf_counter() - begin
    used = cpu(server.process.pid) - used
    here.send("stop")
    while not here.poll():
        await asyncio.sleep(0.05)
    seconds = sorted(here.recv())
    asking.join()
    return {
        "told": sum(told),
        "seconds": round(took, 2),
        "server_cpu": round(used, 2),
        "neighbour_calls": len(seconds),
        "neighbour_p50_ms": round(1000 * statistics.median(seconds), 1),
        "neighbour_p99_ms": round(1000 * seconds[int(0.99 * len(seconds))], 1),
        "neighbour_max_ms": round(1000 * seconds[-1], 1),
    }


async def prepared(server: Serve, redis: str, title: str, events: int) -> tuple[str, str, str]:
    """Creates a game with a long log and another game; returns its id and token, and the other id."""
    games = []
    for _ in range(2):
        game_id = server.post("/v1/games", {"title": title, "seatCount": 2})["game"]["gameId"]
        tokens = [server.post(f"/v1/games/{game_id}:join", {})["seatToken"] for _ in range(2)]
        games.append((game_id, tokens[0]))
    (game_id, token), (other, _) = games
    store = connect(redis)
    codec = StoreCodec(TITLES)
    await lengthen(TableCache(store, codec, CATALOG), store, codec, game_id, events)
    await store.close()
    return game_id, token, other


async def run(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    found = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_server(Path(folder) / "redis") as redis,
        Serve(Path(folder), "--redis", redis.url, *options.serve) as server,
    ):
        game_id, token, other = await prepared(server, redis.url, options.title, options.events)
        for name in options.only or READERS:
            for count in options.readers:
                row = await measure(server, game_id, token, other, READERS[name], count)
                found[f"{count} x {name}"] = row
                print(f"{count:3} x {name:16}", json.dumps(row), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--title", default="tigris")
    parser.add_argument("--events", type=int, default=6000)
    parser.add_argument("--readers", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--only", choices=READERS, nargs="+")
    parser.add_argument("serve", nargs="*", help="further options of the server, after --")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
