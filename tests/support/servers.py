"""A redis-server for tests, a proxy that loses replies, and free ports."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from support.waiting import wait_until

STOPS = 15.0  # seconds after which a server that does not stop is killed
DURABLE = {"appendonly": "yes", "appendfsync": "always", "save": "", "shutdown-timeout": "0"}
REPLICATED = {
    "repl-diskless-sync-delay": "0",
    "repl-ping-replica-period": "1",
}  # so that replicas synchronize soon


class RedisServer:
    """A redis-server on a free loopback port, with its own folder."""

    def __init__(self, folder: Path, program: str = "redis-server", **settings: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.program = folder, program
        self.port = free_port()
        self.settings = {**DURABLE, **settings}
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
        authority = self.settings.get("tls-ca-cert-file")
        return Redis(
            port=self.port,
            retry=Retry(NoBackoff(), 0),
            legacy_responses=False,
            ssl=authority is not None,
            ssl_ca_certs=authority,
        )

    def ask(self, *command: Any) -> Any:
        with self.client() as client:
            return client.execute_command(*command)

    def start(self) -> RedisServer:
        self._process = run(self.command(), self.folder)
        wait_until(self.answers)
        return self

    def command(self) -> list[str]:
        place = {**self.ports(), "bind": "127.0.0.1", "dir": str(self.folder)}
        settings = {**place, **self.settings}
        words = [[f"--{name}", *(value.split() or [""])] for name, value in settings.items()]
        return [self.program, *chain.from_iterable(words)]

    def ports(self) -> dict[str, str]:
        """The port settings; with a certificate only TLS is served."""
        if "tls-cert-file" not in self.settings:
            return {"port": str(self.port)}
        closed = dict.fromkeys(("tls-replication", "tls-cluster"), "yes")
        return {"port": "0", "tls-port": str(self.port), "tls-auth-clients": "no", **closed}

    def follow(self, primary: RedisServer) -> None:
        """Starts the server as a replica of the primary."""
        self.settings["replicaof"] = f"127.0.0.1 {primary.port}"
        self.start()

    def answers(self) -> bool:
        assert self._process is None or self._process.poll() is None, (self.folder / "log").read_text()
        try:
            return bool(self.ask("PING"))
        except (RedisError, OSError):
            return False

    def stop(self) -> None:
        """Sends SIGTERM repeatedly, because a replica that writes its first log ignores it."""
        end = time.monotonic() + STOPS
        while self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)
                self._process = None
            if self._process is not None and time.monotonic() > end:
                self.kill()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stops the process by SIGSTOP: connections stay open, but nothing is answered."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        # A signal is delivered when the process is next scheduled: until then it would still answer.
        wait_until(lambda: process_state(self.pid) == "T")
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


@contextmanager
def redis_server(folder: Path, program: str = "redis-server", **settings: str) -> Iterator[RedisServer]:
    server = RedisServer(folder, program, **settings)
    try:
        yield server.start()
    finally:
        server.stop()


class Proxy:
    """A proxy between a client and a server.

    `lose_reply_to` drops replies and closes the connection; `lead_to` changes the server of new connections.
    """

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

    def lead_to(self, port: int) -> None:
        """Sends new connections to another port; open ones stay."""
        self._target = port

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


def certificate(folder: Path) -> dict[str, str]:
    """Creates a self-signed certificate for the loopback; returns the settings of a server with it."""
    key, cert = folder / "redis.key", folder / "redis.crt"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject]
    subprocess.run([*made, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return {"tls-cert-file": str(cert), "tls-key-file": str(key), "tls-ca-cert-file": str(cert)}


def run(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)


def free_port() -> int:
    """Returns a port that nothing listens on, and that this process has not returned before.

    It lies below the ports that the system hands to outgoing connections, and each test process counts
    through a range of its own, so that no other process takes the port before the server that it is for.
    """
    while True:
        port = next(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _port_numbers() -> Iterator[int]:
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw7").removeprefix("gw")) % 8
    first, size = 10_000 + 2_500 * worker, 2_500
    start = random.SystemRandom().randrange(size)
    return (first + (start + number) % size for number in count())


_PORTS = _port_numbers()


def process_state(pid: int) -> str:
    """The letter that /proc/PID/stat has for it, such as T for stopped; empty if there is no such process."""
    try:
        # The name in parentheses may contain spaces and parentheses.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_alive(pid: int) -> bool:
    """A process that ended and that nobody has waited for yet is not."""
    return process_state(pid) not in ("", "Z", "X")


def can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
