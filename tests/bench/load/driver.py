"""A process that plays many games by a schedule; it reads commands from standard input, one JSON line each.

Moves start by the schedule, whether earlier ones have been answered or not, and are timed from their
scheduled start, so that a stall of the server counts for all moves that were due meanwhile.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import grpc.aio
import redis.asyncio
import uvloop

from bench.moves.wires import SERVICE, Line
from shedu.v1 import game_service_pb2 as pb

from .rehearsal import Step, moves_of_a_game, seats_of, steps

CHANNELS = 32
OPENING = 40  # games opened at the same time
AT_ONCE = 8  # moves in flight while each game is played
PATIENCE = 30.0  # seconds until a move counts as lost


@dataclass(frozen=True)
class Site:
    """Addresses of a server; seeds are read from the store, so that moves are computed in advance."""

    port: int
    grpc_port: int
    redis: str
    transport: str
    title: str = "tides"
    number: int = 0


@dataclass
class Game:
    game_id: str
    tokens: list[str]
    ahead: Iterator[Step]
    ready: deque[Step] = field(default_factory=deque)
    number: int = 0

    def prepare(self, count: int) -> None:
        self.ready.extend(itertools.islice(self.ahead, max(0, count - len(self.ready))))

    def next(self) -> Step | None:
        self.prepare(1)
        return self.ready.popleft() if self.ready else None


class Driver:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._coin = random.Random(site.number)
        self._channels = [channel(site.grpc_port) for _ in range(CHANNELS)]
        self._plays = [each.unary_unary(SERVICE + "PlayAction", None, None) for each in self._channels]
        self._seeds = redis.asyncio.Redis.from_url(site.redis)
        self._lines: list[Line] = []
        self._idle: asyncio.Queue[Game] = asyncio.Queue()
        self._opened = 0
        self._length = moves_of_a_game(site.title, 1)
        self._watchers: list[asyncio.Task[None]] = []
        self._watched = 0

    async def open(self, count: int, spare: int = 0) -> dict[str, Any]:
        """Creates games until so many are open, and enough more for `spare` moves."""
        began = time.perf_counter()
        wanted = count + -(-spare // self._length) - self._idle.qsize()
        numbers = iter(range(max(0, wanted)))

        async def open_some() -> None:
            for _ in numbers:
                self._idle.put_nowait(await self._open())

        await asyncio.gather(*(open_some() for _ in range(OPENING)))
        each = -(-spare // max(1, self._idle.qsize()))
        for game in list(self._idle._queue):  # type: ignore[attr-defined]
            game.prepare(each)
        return {"open": self._idle.qsize(), "opened": max(0, wanted), "seconds": time.perf_counter() - began}

    async def _open(self) -> Game:
        number = self._opened = self._opened + 1
        title, channel = self._site.title, self._channels[number % CHANNELS]
        seats = seats_of(title)
        created = await ask(
            channel, "CreateGame", pb.CreateGameRequest(title=title, seat_count=seats), pb.CreateGameResponse
        )
        game_id = created.game.game_id
        joins = [
            await ask(channel, "JoinGame", pb.JoinGameRequest(game_id=game_id), pb.JoinGameResponse)
            for _ in range(seats)
        ]
        seed = await self._seeds.get(f"shedu:{{{game_id}}}:seed")
        ahead = steps(title, game_id, seed, self._coin, rest=self._site.transport == "rest")
        return Game(game_id, [join.seat_token for join in joins], ahead, number=number)

    async def run(self, rate: float, seconds: float) -> dict[str, Any]:
        """Plays moves at that average rate, at random times, for so many seconds."""
        tally = Tally()
        began = time.perf_counter() + 0.01
        cpu, watched = time.process_time(), self._watched
        flying: set[asyncio.Task[None]] = set()
        for due in self._schedule(rate, seconds):
            if (wait := began + due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            task = asyncio.create_task(self._move(began + due, tally))
            flying.add(task)
            task.add_done_callback(flying.discard)
        tally.late = time.perf_counter() - began - seconds
        await asyncio.gather(*flying)
        took = time.perf_counter() - began
        return {
            **asdict(tally),
            "seconds": took,
            "driver_cpu": time.process_time() - cpu,
            "heard": self._watched - watched,
        }

    def _schedule(self, rate: float, seconds: float) -> Iterator[float]:
        due = self._coin.expovariate(rate)
        while due < seconds:
            yield due
            due += self._coin.expovariate(rate)

    async def race(self, at_once: int, seconds: float) -> dict[str, Any]:
        """Plays as fast as answers come, with so many moves in flight: the highest throughput."""
        tally, began = Tally(), time.perf_counter()

        async def keep_on() -> None:
            while time.perf_counter() < began + seconds:
                await self._move(time.perf_counter(), tally)

        await asyncio.gather(*(keep_on() for _ in range(at_once)))
        return {**asdict(tally), "seconds": time.perf_counter() - began}

    async def play(self, moves: int) -> dict[str, Any]:
        """Plays so many moves in each open game, and waits a second for the watchers to read them."""
        tally, left = Tally(), iter(range(moves * self._idle.qsize()))

        async def keep_on() -> None:
            for _ in left:
                await self._move(time.perf_counter(), tally)

        await asyncio.gather(*(keep_on() for _ in range(min(AT_ONCE, self._idle.qsize()))))
        await asyncio.sleep(1)
        return asdict(tally)

    async def _move(self, intended: float, tally: Tally) -> None:
        game, step = await self._next_step(tally)
        try:
            async with asyncio.timeout(PATIENCE):
                await self._exchange(game, step)
        except (grpc.aio.AioRpcError, TimeoutError, ConnectionError, ValueError) as error:
            tally.failed.append(repr(error)[:300])
            self._idle.put_nowait(await self._open())
            return
        tally.microseconds.append(int((time.perf_counter() - intended) * 1e6))
        self._idle.put_nowait(game)

    async def _next_step(self, tally: Tally) -> tuple[Game, Step]:
        while True:
            game = await self._idle.get()
            if step := game.next():
                return game, step
            tally.finished += 1
            if self._idle.empty():
                self._idle.put_nowait(await self._open())

    async def _exchange(self, game: Game, step: Step) -> None:
        """Sends a move. Every seat has its own connection, so seats of a game may use different processes."""
        token = game.tokens[step.seat]
        if self._site.transport == "grpc":
            play = self._plays[(game.number * len(game.tokens) + step.seat) % CHANNELS]
            await play(step.request, metadata=(("authorization", f"Bearer {token}"),))
            return
        line = self._lines.pop() if self._lines else None
        if line is None or line.closed:
            loop = asyncio.get_running_loop()
            _, line = await loop.create_connection(Line, "127.0.0.1", self._site.port)
        await line.ask(posted(game.game_id, token, step.request))
        self._lines.insert(0, line)

    async def watch(self, count: int) -> dict[str, Any]:
        """Adds watchers until there are so many, spread evenly over the open games; they read all messages.

        In each game a spectator comes first, then its seats, then spectators.
        """
        games = list(self._idle._queue)  # type: ignore[attr-defined]
        ready = asyncio.Semaphore(0)
        added = range(len(self._watchers), count)
        for number in added:
            game = games[number % len(games)]
            seats = dict(enumerate(game.tokens, start=1))
            token = seats.get(number // len(games), "")
            watching = self._watch_grpc if self._site.transport == "grpc" else self._watch_rest
            self._watchers.append(asyncio.create_task(watching(number, game, token, ready)))
            if number % 50 == 0:
                await asyncio.sleep(0.02)
        for _ in added:
            await ready.acquire()
        return {"watchers": len(self._watchers)}

    async def _watch_grpc(self, number: int, game: Game, token: str, ready: asyncio.Semaphore) -> None:
        watch = self._channels[number % CHANNELS].unary_stream(SERVICE + "WatchGame", None, None)
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        told = watch(pb.WatchGameRequest(game_id=game.game_id).SerializeToString(), metadata=metadata)
        await told.read()
        ready.release()
        while await told.read() is not grpc.aio.EOF:
            self._watched += 1

    async def _watch_rest(self, _number: int, game: Game, token: str, ready: asyncio.Semaphore) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._site.port)
        whose = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"GET /v1/games/{game.game_id}:watch HTTP/1.1\r\nHost: localhost\r\n{whose}\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"event: caught_up")
        ready.release()
        while line := await reader.readline():
            self._watched += line.startswith(b"event:")

    async def close(self) -> None:
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        await asyncio.gather(*(each.close() for each in self._channels))
        await self._seeds.aclose()


@dataclass
class Tally:
    """Durations of moves since their scheduled start, and failures."""

    microseconds: list[int] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    finished: int = 0
    late: float = 0.0  # how far behind its own schedule the driver was at the end


async def ask(channel: grpc.aio.Channel, name: str, request: Any, response: Any) -> Any:
    call = channel.unary_unary(SERVICE + name, None, response.FromString)
    return await call(request.SerializeToString())


def channel(port: int) -> grpc.aio.Channel:
    """Returns a channel with a connection of its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)


def posted(game_id: str, token: str, body: bytes) -> bytes:
    head = (
        f"POST /v1/games/{game_id}:play HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def obey(site: Site) -> None:
    """Runs the commands from standard input until it ends."""
    driver, loop = Driver(site), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        order = json.loads(line)
        answer = await getattr(driver, order.pop("do"))(**order)
        print(json.dumps(answer), flush=True)
    await driver.close()


def arguments(site: Site) -> list[str]:
    return ["-m", __spec__.name, json.dumps(asdict(site))]


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
        uvloop.run(obey(Site(**json.loads(sys.argv[1]))))
