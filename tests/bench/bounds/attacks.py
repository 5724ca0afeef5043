"""Attacks of careless or hostile clients against a real server."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import grpc.aio
import httpx

from bench.load.driver import channel
from bench.moves.wires import SERVICE
from shedu.v1 import game_service_pb2 as pb
from support.waiting import PATIENCE

from .frames import CALM_DOWN, Rude

BIG = 1 << 20
__all__ = ["CALM_DOWN", "Rude"]
LITTLE = 4096  # receive buffer in bytes of a client that never reads


@dataclass(frozen=True)
class Target:
    port: int
    grpc_port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Unread:
    """Watchers that request the whole log and never read, half over HTTP, half over gRPC."""

    def __init__(self, target: Target, games: Sequence[str]) -> None:
        self._target, self._games = target, games
        self._sockets: list[socket.socket] = []
        self._channels = [unread_channel(target.grpc_port) for _ in range(8)]
        self._calls: list[grpc.aio.UnaryStreamCall[bytes, bytes]] = []

    async def come(self, count: int) -> None:
        for number in range(count):
            game = self._games[number % len(self._games)]
            if number % 2:
                path = f"/v1/games/{game}:watch?afterVersion=0"
                self._sockets.append(await unread_socket(self._target.port, path))
            else:
                self._calls.append(self._by_grpc(number, game))
            if number % 20 == 0:
                await asyncio.sleep(0.02)
        await asyncio.gather(*(call.wait_for_connection() for call in self._calls))

    def _by_grpc(self, number: int, game: str) -> grpc.aio.UnaryStreamCall[bytes, bytes]:
        watch = self._channels[number % len(self._channels)].unary_stream(SERVICE + "WatchGame", None, None)
        return watch(pb.WatchGameRequest(game_id=game, after_version=0).SerializeToString())

    async def leave(self) -> None:
        for client in self._sockets:
            client.close()
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*(each.close() for each in self._channels))


async def unread_socket(port: int, path: str) -> socket.socket:
    """Sends a request from a socket with a small receive buffer."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, ("127.0.0.1", port))
    await loop.sock_sendall(client, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


def unread_channel(port: int) -> grpc.aio.Channel:
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.http2.bdp_probe", 0)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)


class Storm:
    """Watchers that are all disconnected at once, and all reconnect at once."""

    def __init__(self, target: Target, games: Sequence[str]) -> None:
        self._target, self._games = target, games
        self._channels: list[grpc.aio.Channel] = []

    async def come(self, count: int, after: int | None = None) -> float:
        """Connects so many watchers; returns the seconds until all have caught up."""
        began = time.perf_counter()
        self._channels = [channel(self._target.grpc_port) for _ in range(20)]
        self._calls = [self._watch(number, after) for number in range(count)]
        await asyncio.gather(*map(caught_up, self._calls))
        return time.perf_counter() - began

    def _watch(self, number: int, after: int | None) -> grpc.aio.UnaryStreamCall[bytes, bytes]:
        watch = self._channels[number % len(self._channels)].unary_stream(SERVICE + "WatchGame", None, None)
        game = self._games[number % len(self._games)]
        return watch(pb.WatchGameRequest(game_id=game, after_version=after).SerializeToString())

    async def cut(self) -> None:
        await asyncio.gather(*(each.close() for each in self._channels))


async def caught_up(call: grpc.aio.UnaryStreamCall[bytes, bytes]) -> None:
    while (message := await call.read()) is not grpc.aio.EOF:
        if pb.WatchGameResponse.FromString(message).WhichOneof("kind") == "caught_up":
            return
    raise AssertionError("the stream ended before it had caught up")


async def big_bodies(target: Target, count: int) -> Counter[str]:
    """Sends bodies of a megabyte over each transport; counts the answers."""
    answers: Counter[str] = Counter()
    own = channel(target.grpc_port)
    async with httpx.AsyncClient(base_url=target.url, timeout=PATIENCE, trust_env=False) as http:
        for _ in range(count):
            answers[f"rest {await posted(http, '/v1/games', 'application/json')}"] += 1
            answers[f"connect {await posted(http, SERVICE + 'CreateGame', 'application/proto')}"] += 1
            answers[f"grpc {await asked(own)}"] += 1
    await own.close()
    return answers


async def posted(http: httpx.AsyncClient, path: str, kind: str) -> int | str:
    """Posts a large body. A server may answer and close early; some clients see only the close."""
    try:
        answer = await http.post(path, content=b" " * BIG, headers={"content-type": kind})
    except httpx.TransportError:
        return "cut off"
    return answer.status_code


async def asked(own: grpc.aio.Channel) -> str:
    try:
        await own.unary_unary(SERVICE + "CreateGame", None, None)(bytes(BIG), timeout=PATIENCE)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


async def ping_flood(target: Target, most: int) -> Rude:
    """Sends only pings on one connection, until it is closed or `most` were sent."""
    rude = await Rude.connect(target.grpc_port)
    while not rude.over and rude.sent < most:
        await rude.ping()
        await asyncio.sleep(0)
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(rude.listening or asyncio.sleep(0)), PATIENCE)
    await rude.close()
    return rude


async def rapid_reset(target: Target, most: int, per_second: float) -> Rude:
    """Opens and resets streams repeatedly on one connection."""
    rude, began = await Rude.connect(target.grpc_port), time.perf_counter()
    while not rude.over and rude.sent < most:
        await rude.reset(SERVICE + "ListGames")
        await asyncio.sleep(max(0.0, began + rude.sent / per_second - time.perf_counter()))
    await asyncio.sleep(0.2)
    await rude.close()
    return rude
