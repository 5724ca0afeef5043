"""Real servers for tests: a redis-server, a cluster, a sentinel, and a proxy that loses replies."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

PATIENCE = 15.0


class RedisServer:
    """A redis-server on a free port of the loopback, with a folder of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = free_port()
        self.settings = {"appendonly": "yes", "appendfsync": "always", "save": "", **settings}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def client(self) -> Redis:
        return Redis(port=self.port, retry=Retry(NoBackoff(), 0), legacy_responses=False)

    def ask(self, *command: Any) -> Any:
        with self.client() as client:
            return client.execute_command(*command)

    def start(self) -> RedisServer:
        settings = {"port": str(self.port), "bind": "127.0.0.1", "dir": str(self.folder), **self.settings}
        arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
        self._process = run(["redis-server", *arguments], self.folder)
        wait_until(self.answers)
        return self

    def answers(self) -> bool:
        try:
            return bool(self.ask("PING"))
        except (RedisError, OSError):
            return False

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        self._process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """The server holds its connections but does nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextmanager
def redis_server(folder: Path, **settings: str) -> Iterator[RedisServer]:
    server = RedisServer(folder, **settings)
    try:
        yield server.start()
    finally:
        server.stop()


@contextmanager
def redis_cluster(folder: Path) -> Iterator[list[RedisServer]]:
    """Three primaries that share the slots."""
    nodes = [cluster_node(folder / str(number)) for number in range(3)]
    try:
        for node in nodes:
            node.start()
        join(nodes)
        yield nodes
    finally:
        for node in nodes:
            node.stop()


def cluster_node(folder: Path) -> RedisServer:
    return RedisServer(folder, **{"cluster-enabled": "yes", "cluster-port": str(free_port())})


def join(nodes: Sequence[RedisServer]) -> None:
    bounds = [0, 5461, 10923, 16384]
    for node, first, end in zip(nodes, bounds, bounds[1:], strict=False):
        node.ask("CLUSTER ADDSLOTSRANGE", first, end - 1)
    for node in nodes[1:]:
        nodes[0].ask("CLUSTER MEET", "127.0.0.1", node.port, node.settings["cluster-port"])
    wait_until(lambda: all(is_whole(node) for node in nodes))


def is_whole(node: RedisServer) -> bool:
    facts = node.ask("CLUSTER INFO")
    return bool(facts["cluster_state"] == "ok" and facts["cluster_known_nodes"] == "3")


@contextmanager
def sentinel(folder: Path, primary: RedisServer, service: str) -> Iterator[int]:
    """The port of a sentinel that knows one service."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    config = folder / "sentinel.conf"
    config.write_text(f"port {port}\ndir {folder}\nsentinel monitor {service} 127.0.0.1 {primary.port} 1\n")
    process = run(["redis-server", str(config), "--sentinel"], folder)
    try:
        wait_until(lambda: can_connect(port))
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Proxy:
    """Stands between a client and a server; `lose_reply_to` swallows replies, and hangs up each time."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._marker, self._left = b"", 0
        self._pipes: set[asyncio.Task[None]] = set()
        self.lost = 0
        self.port = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    def lose_reply_to(self, marker: bytes, times: int = 1) -> None:
        self._marker, self._left = marker, times

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        doomed = asyncio.Event()
        self._start(self._forward(reader, there_writer, doomed))
        self._start(self._return(there_reader, writer, doomed))

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._pipes.add(task)
        task.add_done_callback(self._pipes.discard)

    async def _forward(
        self, here: asyncio.StreamReader, there: asyncio.StreamWriter, doomed: asyncio.Event
    ) -> None:
        try:
            while data := await here.read(65536):
                if self._left and self._marker in data:
                    self._left -= 1
                    doomed.set()
                there.write(data)
        finally:
            there.close()

    async def _return(
        self, there: asyncio.StreamReader, here: asyncio.StreamWriter, doomed: asyncio.Event
    ) -> None:
        try:
            while data := await there.read(65536):
                if doomed.is_set():
                    self.lost += 1
                    return
                here.write(data)
        finally:
            here.close()


def run(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
