"""The environment of a run: a store, processes of the service that use it, and the traffic."""

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
from .traffic import Traffic
from .traffic_mix import TrafficMix

PROCESSES = 3
SMALL_DISK = "512m"


@dataclass(frozen=True)
class EnvironmentOptions:
    """Options of an environment; the planned faults set what they need."""

    seed: int
    topology: str = "standalone"
    plant: str = ""
    mix: TrafficMix = field(default_factory=TrafficMix)
    processes: int = PROCESSES
    small_disk: bool = False
    own_clock: bool = False
    proxied: bool = False
    redis: dict[str, str] = field(default_factory=dict)  # settings of Redis that weaken its durability
    forked: bool = False  # fork the processes of the service, which saves their imports


class StandaloneStore:
    """One Redis server, with its data on a small tmpfs if a fault needs that."""

    def __init__(self, folder: Path, options: EnvironmentOptions) -> None:
        self.disk = folder / "redis"
        self.disk.mkdir(parents=True)
        self._mounted = options.small_disk and mount(self.disk)
        self.server = RedisServer(self.disk, **options.redis)
        self._folder, self._weak, self._last = folder, bool(options.redis), options.processes - 1
        self.proxy: ProxyProcess | None = None

    @property
    def small(self) -> bool:
        return self._mounted

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def durability(self) -> tuple[str, ...]:
        """The durability options of `shedu serve`."""
        return ("--durability", "memory" if self._weak else "durable")

    def url_for(self, number: int) -> str:
        """Returns the address for a process; the last one connects without the proxy."""
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


class EmbeddedStore:
    """The embedded store, which the first process of the service runs; the others connect to its socket."""

    durability = ("--durability", "durable")

    def __init__(self, folder: Path) -> None:
        self._data = folder / "service-0" / "data"

    @property
    def url(self) -> str:
        return EmbeddedServer(self._data).running(STARTS)

    def url_for(self, number: int) -> str:
        return f"unix://{self._data / 'server.sock'}" if number else ""

    def start(self, _proxied: bool) -> None:
        """Does nothing: the first process of the service starts the store."""

    @property
    def pid(self) -> int:
        """The process id of the running server; 0 while there is none."""
        try:
            return int(json.loads((self._data / "server.json").read_text())["pid"])
        except (OSError, ValueError):
            return 0

    def kill(self) -> None:
        if pid := self.pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """Kills the server, which outlives the process that started it."""
        self.kill()


class ReplicatedStore:
    """Sentinel or Cluster: every acknowledged write is on a replica."""

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


class Environment:
    """The store, the processes, their clocks and the traffic: everything that a fault can change."""

    def __init__(self, folder: Path, options: EnvironmentOptions) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.options = folder, options
        self.coin = random.Random(f"{options.seed} world")
        self.history = History()
        self.store: Any = store(folder, options)
        self.clocks = [folder / f"clock-{number}" for number in range(options.processes)]
        self.services: list[Process] = []

    async def __aenter__(self) -> Environment:
        try:
            await asyncio.to_thread(self.store.start, self.options.proxied)
            self.services = [self._service(number) for number in range(self.options.processes)]
            await asyncio.gather(*(service.start_and_wait() for service in self.services))
        except BaseException:
            self.stop()
            raise
        ports = [service.grpc_port for service in self.services]
        rest_ports = [service.port for service in self.services]
        self.traffic = Traffic(ports, rest_ports, self.history, self.options.seed, self.options.mix)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        with ExitStack() as stack:
            stack.callback(self.store.stop)
            for service in self.services:
                stack.callback(service.kill)

    def _service(self, number: int) -> Process:
        settings = self._own_clock(self.clocks[number]) if self.options.own_clock else {}
        folder, url = self.folder / f"service-{number}", self.store.url_for(number)
        arguments = self.store.durability
        return Process(folder, url, self.options.plant, *arguments, forked=self.options.forked, **settings)

    def _own_clock(self, clock: Path) -> dict[str, str]:
        """Returns variables that give a process a wall clock that can be set; its monotonic clock stays."""
        clock.write_text("+0\n")
        return {
            "LD_PRELOAD": str(library("libfaketimeMT.so.1")),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": "1",
            "NO_FAKE_STAT": "1",  # otherwise Python compiles every module again
        }

    def running(self) -> list[Process]:
        return [service for service in self.services if service.running and not service.paused]

    async def logs(self) -> dict[str, tuple[list[tuple[int, bytes]], dict[str, tuple[int, int]]]]:
        """Reads every game from the store: its events, and the versions written for each request."""
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


def store(folder: Path, options: EnvironmentOptions) -> StandaloneStore | ReplicatedStore | EmbeddedStore:
    if options.topology == "embedded":
        return EmbeddedStore(folder)
    if options.topology == "sentinel":
        return ReplicatedStore(Replicated(folder / "redis", replicas=2, **options.redis), 2)
    if options.topology == "cluster":
        return ReplicatedStore(Cluster(folder / "redis", replicas=1, **options.redis), 1)
    return StandaloneStore(folder, options)


def mount(folder: Path) -> bool:
    """Mounts a small tmpfs there; returns whether that succeeded."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def library(name: str) -> Path | None:
    """Returns the path of a library of faketime as Debian installs it, or None."""
    return next(Path("/usr/lib").glob(f"*/faketime/{name}"), None)
