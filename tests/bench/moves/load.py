"""The load: a process that plays many games at once and says on standard output how fast that went."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from typing import Any

import grpc.aio
import uvloop

from . import cpu
from .player import MOVES, Player, Rote
from .tables import Opener
from .wires import GrpcWire, RestWire, Ticket, Wire

SPARE = 1.3  # games to have ready, as a multiple of what the warm-up suggests
AT_ONCE = 50  # games opened at the same time
CHANNELS = 10


@dataclass(frozen=True)
class Task:
    transport: str
    rules: bool  # whether the server knows them
    games: int
    seconds: float
    port: int
    grpc_port: int
    pids: dict[str, int]


@dataclass
class Tally:
    """What happened in a stretch of time."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    games: int = 0
    opened: int = 0  # while the clock ran, because none was ready
    cpu: dict[str, float] = field(default_factory=dict)


@dataclass
class Game:
    ticket: Ticket
    player: Player | Rote


class Load:
    def __init__(self, task: Task, opener: Opener, wires: list[Wire]) -> None:
        self._task, self._opener, self._wires = task, opener, wires
        self._ready: deque[Game] = deque()
        self._numbers = itertools.count()
        self._coin = random.Random(1)

    async def run(self) -> dict[str, Any]:
        """Warm up, get enough games ready, then measure."""
        await self._prepare(self._task.games)
        warm = await self._play(None)
        began = time.perf_counter()
        expected = len(warm.latencies) / warm.seconds * self._task.seconds
        opened = await self._prepare(self._task.games + int(SPARE * expected / MOVES))
        preparing = (time.perf_counter() - began) / opened
        await self._spread()
        return {**summary(await self._play(self._task.seconds)), "ms_to_open_a_game": preparing * 1000}

    async def _prepare(self, count: int) -> int:
        wanted = iter(range(count))

        async def open_some() -> None:
            for _ in wanted:
                self._ready.append(await self._open())

        await asyncio.gather(*(open_some() for _ in range(AT_ONCE)))
        return count

    async def _open(self) -> Game:
        ticket, views = await self._opener.open()
        player = Player(self._coin, views) if self._task.rules else Rote(views)
        return Game(ticket, player)

    async def _spread(self) -> None:
        """Bring the first games to different stages, as the games of strangers are."""
        games = list(itertools.islice(self._ready, self._task.games))
        await asyncio.gather(
            *(
                self._advance(game, wire, number * MOVES // len(games))
                for number, (game, wire) in enumerate(zip(games, self._wires, strict=True))
            )
        )

    async def _advance(self, game: Game, wire: Wire, moves: int) -> None:
        for _ in range(moves):
            await self._move(game, wire)

    async def _play(self, seconds: float | None) -> Tally:
        """For so long, or until no game is left."""
        tally, began, used = Tally(), time.perf_counter(), cpu.all_seconds(self._task.pids)
        end = began + seconds if seconds else None
        await asyncio.gather(*(self._keep_playing(wire, end, tally) for wire in self._wires))
        tally.seconds = seconds or time.perf_counter() - began
        tally.cpu = {name: now - used[name] for name, now in cpu.all_seconds(self._task.pids).items()}
        return tally

    async def _keep_playing(self, wire: Wire, end: float | None, tally: Tally) -> None:
        while game := await self._next_game(end, tally):
            while (latency := await self._move(game, wire)) is not None:
                if end and time.perf_counter() > end:
                    return
                tally.latencies.append(latency)
            tally.games += 1

    async def _next_game(self, end: float | None, tally: Tally) -> Game | None:
        if self._ready:
            return self._ready.popleft()
        if end is None:
            return None
        tally.opened += 1
        return await self._open()

    async def _move(self, game: Game, wire: Wire) -> float | None:
        move = game.player.next()
        if move is None:
            return None
        request = wire.encode(game.ticket, move, f"bench-{next(self._numbers):016d}")
        began = time.perf_counter()
        response = await wire.exchange(game.ticket, move.question.seat, request)
        latency = time.perf_counter() - began
        game.player.saw(move, wire.decode(response))
        return latency


def summary(tally: Tally) -> dict[str, Any]:
    ordered, moves = sorted(tally.latencies), len(tally.latencies)
    return {
        "moves": moves,
        "moves_per_second": moves / tally.seconds,
        "p50_ms": ordered[moves // 2] * 1000,
        "p99_ms": ordered[moves * 99 // 100] * 1000,
        "games_finished": tally.games,
        "games_opened_meanwhile": tally.opened,
        "busy": {name: used / tally.seconds for name, used in tally.cpu.items()},
        "server_cpu_us_per_move": tally.cpu["server"] / moves * 1e6,
    }


async def measure(task: Task) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(channel(task)) for _ in range(CHANNELS)]
        wires: list[Wire] = [
            GrpcWire(channels[number % CHANNELS]) if task.transport == "grpc" else RestWire(task.port)
            for number in range(task.games)
        ]
        return await Load(task, Opener(channels[0]), wires).run()


def channel(task: Task) -> grpc.aio.Channel:
    """A connection of its own: on a single one, its flow control is what would be measured."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{task.grpc_port}", options=options)


def arguments(task: Task) -> list[str]:
    return ["-m", __spec__.name, json.dumps(asdict(task))]


if __name__ == "__main__":
    given = Task(**json.loads(sys.argv[1]))
    given.pids["client"] = os.getpid()
    print(json.dumps(uvloop.run(measure(given))))
