"""What a run is played in: a store, processes of the service on it, and the traffic."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gamehost.stores.embedded import EmbeddedServer
from gamehost.stores.redis.client import close_client, parse_redis_url
from support.clusters import Cluster
from support.sentinels import Replicated
from support.servers import RedisServer

from .history import History
from .proxy import ProxyProcess
from .services import STARTS, Process
from .traffic import Crowd
from .traffic_mix import Mix

PROCESSES = 3
SMALL_DISK = "512m"


@dataclass(frozen=True)
class Wishes:
    """How a world is to be; the faults that are planned say what they need."""

    seed: int
    topology: str = "standalone"
    plant: str = ""
    mix: Mix = field(default_factory=Mix)
    processes: int = PROCESSES
    small_disk: bool = False
    own_clock: bool = False
    proxied: bool = False
    redis: dict[str, str] = field(
        default_factory=dict
    )  # settings, for a store that keeps less than it should
    forked: bool = False  # processes of the service start without imports


class Standalone:
    """One Redis, on a disk of its own if that is to be small."""

    def __init__(self, folder: Path, wishes: Wishes) -> None:
        self.disk = folder / "redis"
        self.disk.mkdir(parents=True)
        self._mounted = wishes.small_disk and mount(self.disk)
        self.server = RedisServer(self.disk, **wishes.redis)
        self._folder, self._weak, self._last = folder, bool(wishes.redis), wishes.processes - 1
        self.proxy: ProxyProcess | None = None

    @property
    def small(self) -> bool:
        return self._mounted

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def durability(self) -> tuple[str, ...]:
        """What the service is told to ask of it."""
        return ("--durability", "memory" if self._weak else "durable")

    def url_for(self, number: int) -> str:
        """The last process has a line of its own, which nobody disturbs."""
        if self.proxy is None or number == self._last:
            return self.url
        return f"redis://127.0.0.1:{self.proxy.port}"

    def start(self, proxied: bool) -> None:
        self.server.start()
        if proxied:
            self.proxy = ProxyProcess(self.server.port, self._folder / "proxy")

    def stop(self) -> None:
        if self.proxy is not None:
            self.proxy.stop()
        self.server.stop()
        if self._mounted:
            subprocess.run(["umount", "--lazy", str(self.disk)], check=False)


class Embedded:
    """The store that the first process of the service runs and supervises; the others use it, too."""

    durability = ("--durability", "durable")

    def __init__(self, folder: Path) -> None:
        self._data = folder / "service-0" / "data"

    @property
    def url(self) -> str:
        return EmbeddedServer(self._data).running(STARTS)

    def url_for(self, number: int) -> str:
        return f"unix://{self._data / 'server.sock'}" if number else ""

    def start(self, _proxied: bool) -> None:
        """With the first process."""

    @property
    def pid(self) -> int:
        """Of the server that runs now; 0 while there is none."""
        try:
            return int(json.loads((self._data / "server.json").read_text())["pid"])
        except (OSError, ValueError):
            return 0

    def kill(self) -> None:
        if pid := self.pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """It has outlived the process that ran it."""
        self.kill()


class Several:
    """Sentinels over a primary and its replicas, or a cluster: whoever was acknowledged is on a replica."""

    def __init__(self, topology: Replicated | Cluster, replicas: int) -> None:
        self.servers = topology
        self.durability = ("--durability", "replicated", "--replicas", str(replicas))

    @property
    def url(self) -> str:
        return self.servers.url

    def url_for(self, _number: int) -> str:
        return self.url

    def start(self, _proxied: bool) -> None:
        self.servers.start()

    def stop(self) -> None:
        self.servers.stop()


class World:
    """Everything that faults can reach."""

    def __init__(self, folder: Path, wishes: Wishes) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.wishes = folder, wishes
        self.coin = random.Random(f"{wishes.seed} world")
        self.history = History()
        self.store: Any = store(folder, wishes)
        self.clocks = [folder / f"clock-{number}" for number in range(wishes.processes)]
        self.services: list[Process] = []

    async def __aenter__(self) -> World:
        try:
            await asyncio.to_thread(self.store.start, self.wishes.proxied)
            self.services = [self._service(number) for number in range(self.wishes.processes)]
            await asyncio.gather(*(service.come() for service in self.services))
        except BaseException:
            self.stop()
            raise
        ports = [service.grpc_port for service in self.services]
        rest_ports = [service.port for service in self.services]
        self.crowd = Crowd(ports, rest_ports, self.history, self.wishes.seed, self.wishes.mix)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        with ExitStack() as stack:
            stack.callback(self.store.stop)
            for service in self.services:
                stack.callback(service.kill)

    def _service(self, number: int) -> Process:
        settings = self._own_clock(self.clocks[number]) if self.wishes.own_clock else {}
        folder, url = self.folder / f"service-{number}", self.store.url_for(number)
        arguments = self.store.durability
        return Process(folder, url, self.wishes.plant, *arguments, forked=self.wishes.forked, **settings)

    def _own_clock(self, clock: Path) -> dict[str, str]:
        """A clock that can be set; what measures stretches of time is left alone."""
        clock.write_text("+0\n")
        return {
            "LD_PRELOAD": str(library("libfaketimeMT.so.1")),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": "1",
            "NO_FAKE_STAT": "1",  # or Python would compile every module again
        }

    def running(self) -> list[Process]:
        return [service for service in self.services if service.running and not service.paused]

    async def logs(self) -> dict[str, tuple[list[tuple[int, bytes]], dict[str, tuple[int, int]]]]:
        """By game: what the store has in the end, and which request it took for the cause of what."""
        client = parse_redis_url(self.store.url).client("robustness", timeout=30)
        try:
            return {game: await _log(client, game) for game in self.history.games}
        finally:
            await close_client(client)


async def _log(client: Any, game: str) -> tuple[list[tuple[int, bytes]], dict[str, tuple[int, int]]]:
    entries = await client.execute_command("XRANGE", f"shedu:{{{game}}}:events", "-", "+")
    requests = await client.execute_command("HGETALL", f"shedu:{{{game}}}:requests")
    events = [(int(entry.partition(b"-")[0]), fields[b"p"]) for entry, fields in entries]
    ranges = {name.decode(): value.split(b" ", 2)[:2] for name, value in requests.items()}
    return events, {name: (int(first), int(last)) for name, (first, last) in ranges.items()}


def store(folder: Path, wishes: Wishes) -> Standalone | Several | Embedded:
    if wishes.topology == "embedded":
        return Embedded(folder)
    if wishes.topology == "sentinel":
        return Several(Replicated(folder / "redis", replicas=2, **wishes.redis), 2)
    if wishes.topology == "cluster":
        return Several(Cluster(folder / "redis", replicas=1, **wishes.redis), 1)
    return Standalone(folder, wishes)


def mount(folder: Path) -> bool:
    """Whether a small disk could be put there."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def library(name: str) -> Path | None:
    """Where Debian puts it, on any kind of machine."""
    return next(Path("/usr/lib").glob(f"*/faketime/{name}"), None)
