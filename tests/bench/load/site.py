"""The measured system: a redis-server, service processes and drivers, all on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.moves import cpu
from support.process import Serve
from support.servers import RedisServer, redis_server
from support.waiting import PATIENCE

from . import driver

MODES = {"durable": {"appendfsync": "always"}, "memory": {"appendonly": "no"}}
PAGE = os.sysconf("SC_PAGE_SIZE")


class Crew:
    """Driver processes that share the load."""

    def __init__(self, sites: Iterable[driver.Site]) -> None:
        path = os.pathsep.join(sys.path)
        self.processes = [
            subprocess.Popen(
                [sys.executable, *driver.arguments(site)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": path},
            )
            for site in sites
        ]

    def open(self, games: int, spare: float = 0) -> list[dict[str, Any]]:
        each = len(self.processes)
        return self._all("open", count=-(-games // each), spare=int(spare / each))

    def run(self, rate: float, seconds: float) -> list[dict[str, Any]]:
        return self._all("run", rate=rate / len(self.processes), seconds=seconds)

    def race(self, at_once: int, seconds: float) -> list[dict[str, Any]]:
        return self._all("race", at_once=-(-at_once // len(self.processes)), seconds=seconds)

    def play(self, moves: int) -> list[dict[str, Any]]:
        return self._all("play", moves=moves)

    def watch(self, count: int) -> list[dict[str, Any]]:
        return self._all("watch", count=-(-count // len(self.processes)))

    def _all(self, do: str, **order: Any) -> list[dict[str, Any]]:
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"do": do, **order}) + "\n")
            process.stdin.flush()
        answers = [process.stdout.readline() for process in self.processes if process.stdout]
        if not all(answers):
            raise RuntimeError("a driver ended")
        return [json.loads(answer) for answer in answers]

    def close(self) -> None:
        for process in self.processes:
            process.communicate(timeout=PATIENCE)


@dataclass(frozen=True)
class Reading:
    """CPU seconds and resident bytes of the processes at a time."""

    at: float
    cpu: dict[str, float]
    held: dict[str, int]


@dataclass
class Place:
    redis: RedisServer
    serve: Serve
    crew: Crew

    def reading(self) -> Reading:
        pids = {
            "service": family(self.serve.process.pid),
            "redis": [int(self.redis.ask("INFO", "server")["process_id"])],
            "driver": [process.pid for process in self.crew.processes],
        }
        used = {who: sum(map(cpu.seconds, found)) for who, found in pids.items()}
        held = {who: sum(map(resident, found)) for who, found in pids.items()}
        held["store"] = int(self.redis.ask("INFO", "memory")["used_memory_dataset"])
        return Reading(time.perf_counter(), used, held)

    def weight(self) -> int:
        """Returns the bytes of the keys of all games, by MEMORY USAGE."""
        with self.redis.client() as client:
            keys = list(client.scan_iter("shedu:{*}:*", count=1000))
            return sum(client.memory_usage(name, samples=0) or 0 for name in keys)


@contextmanager
def place(
    folder: Path,
    *,
    mode: str = "durable",
    workers: int = 1,
    transport: str = "grpc",
    title: str = "tides",
    drivers: int = 1,
    **settings: str,
) -> Iterator[Place]:
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(folder / "redis", **MODES[mode]))
        named = {"SHEDU_BOTS": "false", **settings}
        arguments = ("--redis", redis.url, "--workers", str(workers))
        serve = stack.enter_context(Serve(folder, *arguments, **named))
        sites = [
            driver.Site(serve.port, serve.grpc_port, redis.url, transport, title, number)
            for number in range(drivers)
        ]
        crew = Crew(sites)
        stack.callback(crew.close)
        yield Place(redis, serve, crew)


def family(pid: int) -> list[int]:
    """Returns the process and all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
