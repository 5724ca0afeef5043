"""A process that plays many games at once, and prints the cost of each kind of call on the server.

Calls of one kind are made together for all games, then those of the next kind. So the CPU time of the server
can be read between them, although moves depend on earlier answers.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Iterable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any

import grpc.aio
import uvloop

from shedu.v1 import game_service_pb2 as pb

from . import cpu
from .open_games import measure_open_games, measure_watchers
from .wires import (
    SERVICE,
    ConnectWire,
    GrpcWire,
    HttpConnection,
    Legal,
    PlayStream,
    RestWire,
    StreamWire,
    Ticket,
    Wire,
)

CHANNELS = 10
LONGEST_WARM_UP = 20  # moves that a game may be ahead of another when measuring begins
TYPICAL = bytes(200)  # the request of an echo


@dataclass(frozen=True)
class Task:
    """`what` is echo, moves, watchers or open_games; `calls` is how many of each kind are made.

    For open_games it is the greatest number of open games.
    """

    what: str
    transport: str
    title: str
    games: int
    calls: int
    port: int
    grpc_port: int
    pids: dict[str, int]


class Phases:
    """Sums calls, CPU time and time for each kind of call."""

    def __init__(self, pids: dict[str, int]) -> None:
        self._pids, self._cpu = pids, Counter[str]()
        self._calls, self._seconds = Counter[str](), Counter[str]()

    async def run(self, kind: str, calls: Iterable[Awaitable[Any]]) -> list[Any]:
        """Makes calls at once and waits for all of them."""
        pending = list(calls)
        began, used = time.perf_counter(), cpu.all_seconds(self._pids)
        answers = await asyncio.gather(*pending)
        self._seconds[kind] += time.perf_counter() - began
        for name, now in cpu.all_seconds(self._pids).items():
            self._cpu[f"{kind} {name}"] += now - used[name]
        self._calls[kind] += len(pending)
        return answers

    def result(self) -> dict[str, Any]:
        return {
            kind: {
                "calls": calls,
                "calls_per_second": calls / self._seconds[kind],
                **{f"{name}_cpu_us": self._cpu[f"{kind} {name}"] / calls * 1e6 for name in self._pids},
            }
            for kind, calls in self._calls.items()
        }


@dataclass
class Game:
    ticket: Ticket
    wire: Wire
    seat: int | None  # that has to decide; None when the game is over


class Load:
    """Plays games of one title over one transport."""

    def __init__(self, task: Task, channel: grpc.aio.Channel, wires: list[Wire]) -> None:
        self._task, self._channel, self._wires, self.wire = task, channel, wires, wires[0]
        self._numbers, self._coin = itertools.count(), random.Random(1)

    async def run(self) -> dict[str, Any]:
        games = [await self.open_game(wire) for wire in self._wires]
        # Real games are at different stages.
        warm_up = Phases({})
        for turn in range(LONGEST_WARM_UP):
            behind = [game for number, game in enumerate(games) if number % LONGEST_WARM_UP > turn]
            await self.turn(warm_up, [game for game in behind if game.seat is not None])
        phases, rounds = Phases(self._task.pids), max(1, self._task.calls // len(games))
        for _ in range(rounds):
            games = [game if game.seat is not None else await self.open_game(game.wire) for game in games]
            await self.turn(phases, games)
        return phases.result()

    async def turn(self, phases: Phases, games: list[Game]) -> None:
        legal = await phases.run("legal", (game.wire.legal(game.ticket, game.seat or 0) for game in games))
        seats = await phases.run("play", map(self.play, games, legal))
        for game, seat in zip(games, seats, strict=True):
            game.seat = seat

    def play(self, game: Game, legal: Legal) -> Awaitable[int | None]:
        action, request_id = self._coin.choice(legal.actions), f"bench-{next(self._numbers):016d}"
        return game.wire.play(game.ticket, game.seat or 0, legal.decision_id, action, request_id)

    async def open_game(self, wire: Wire) -> Game:
        ask = partial_rpc(self._channel)
        created = await ask("CreateGame", pb.CreateGameRequest(title=self._task.title), pb.CreateGameResponse)
        game_id, tokens = created.game.game_id, []
        for _ in created.game.seats:
            joined = await ask("JoinGame", pb.JoinGameRequest(game_id=game_id), pb.JoinGameResponse)
            tokens.append(joined.seat_token)
        view = await ask("GetView", pb.GetViewRequest(game_id=game_id), pb.GetViewResponse)
        return Game(Ticket(game_id, tokens), wire, view.view.decisions[0].seat)

    async def watched(self, watchers: int) -> dict[str, Any]:
        """Measures moves of one game, first alone and then with watchers that receive all of them."""
        phases, game = Phases(self._task.pids), await self.open_game(self._wires[0])
        stack = AsyncExitStack()
        told: list[Any] = []
        for kind in ("alone", "watched"):
            for _ in range(self._task.calls):
                game = game if game.seat is not None else await self._replaced(game, told, watchers)
                legal = await game.wire.legal(game.ticket, game.seat or 0)
                [game.seat] = await phases.run(kind, [self.told(self.play(game, legal), told)])
            told += [] if told else await self.watch(game, watchers)
        await stack.aclose()
        return phases.result()

    async def _replaced(self, game: Game, told: list[Any], watchers: int) -> Game:
        opened = await self.open_game(game.wire)
        if told:
            for stream in told:
                stream.cancel()
            told[:] = await self.watch(opened, watchers)
        return opened

    async def watch(self, game: Game, watchers: int) -> list[Any]:
        watch: Any = self._channel.unary_stream(SERVICE + "WatchGame", None, None)
        request = pb.WatchGameRequest(game_id=game.ticket.game_id).SerializeToString()
        streams = [watch(request) for _ in range(watchers)]
        for stream in streams:
            while not pb.WatchGameResponse.FromString(await stream.read()).HasField("caught_up"):
                pass
        return streams

    async def told(self, move: Awaitable[int | None], told: list[Any]) -> int | None:
        seat, *_ = await asyncio.gather(move, *(stream.read() for stream in told))
        return seat


def partial_rpc(channel: grpc.aio.Channel) -> Any:
    async def ask(name: str, request: Any, response: Any) -> Any:
        return response.FromString(
            await channel.unary_unary(SERVICE + name, None, None)(request.SerializeToString())
        )

    return ask


async def measure(task: Task) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(channel(task)) for _ in range(CHANNELS)]
        if task.what == "echo":
            return await measure_echo(task, channels)
        wires = [wire(task, channels, number) for number in range(task.games)]
        if task.transport == "stream":
            stream = PlayStream(channels[0])
            stack.callback(stream.close)
            wires = [StreamWire(channels[0], stream) for _ in range(task.games)]
        load = Load(task, channels[0], wires)
        if task.what == "open_games":
            server = task.pids["server"]
            found = await measure_open_games(load, lambda: Phases(task.pids), server, task.calls)
            return found | {"watching": await measure_watchers(load, server)}
        return await (load.watched(100) if task.what == "watchers" else load.run())


async def measure_echo(task: Task, channels: list[grpc.aio.Channel]) -> dict[str, Any]:
    connections = [HttpConnection(task.port) for _ in range(task.games)]
    rpcs: list[Any] = [each.unary_unary("/echo/Echo", None, None) for each in channels]
    token = "x" * 180
    headers = (("authorization", f"Bearer {token}"),)
    phases = Phases(task.pids)
    for number in range(1 + max(1, task.calls // task.games)):
        if number == 1:  # connections are open now
            phases = Phases(task.pids)
        if task.transport in ("grpc", "stream"):
            calls = [rpcs[i % CHANNELS](TYPICAL, metadata=headers) for i in range(task.games)]
        else:
            calls = [each.ask("POST", "/echo", token, "application/json", TYPICAL) for each in connections]
        await phases.run("echo", calls)
    return phases.result()


def wire(task: Task, channels: list[grpc.aio.Channel], number: int) -> Wire:
    if task.transport in ("grpc", "stream"):
        return GrpcWire(channels[number % CHANNELS])
    return ConnectWire(task.port) if task.transport == "connect" else RestWire(task.port)


def channel(task: Task) -> grpc.aio.Channel:
    """Returns a separate connection: on a shared one, flow control would be measured."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{task.grpc_port}", options=options)


def arguments(task: Task) -> list[str]:
    return ["-m", __spec__.name, json.dumps(asdict(task))]


if __name__ == "__main__":
    given = Task(**json.loads(sys.argv[1]))
    given.pids["client"] = os.getpid()
    print(json.dumps(uvloop.run(measure(given))))
