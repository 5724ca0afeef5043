"""`shedu serve`: starts the embedded store and the worker processes, and stops them."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnProcess
from types import FrameType

import structlog
from prometheus_client.multiprocess import mark_process_dead
from redis.exceptions import ResponseError

from gamehost import composition, logs, tls, worker
from gamehost.api.auth.jwks import InvalidKeys, keys_in
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.settings import Settings
from gamehost.stores.embedded import DataDirectoryInUse, EmbeddedServer, EmbeddedServerFailed
from gamehost.stores.redis.durability import Durability
from gamehost.stores.redis.store import connect

STORE_WAIT_SECONDS = 2.0  # seconds to wait for the store before the ports are opened without it
RESTART_PAUSE = 1.0  # seconds between two checks for crashed workers


log = structlog.get_logger("gamehost")


class PortTaken(Exception):
    """Another program listens on the port."""


CANNOT_START = (
    PortTaken,
    tls.BadCertificate,
    *worker.STORE_REFUSED_ERRORS,
    DataDirectoryInUse,
    EmbeddedServerFailed,
    StoreUnavailable,
    InvalidKeys,
    ResponseError,
    OSError,
)


@contextmanager
def store_url(settings: Settings) -> Iterator[str]:
    """Yields the URL of the store: the configured one, or that of an embedded server that runs meanwhile.

    An embedded server that is killed is restarted. If that fails, this process gets SIGTERM and drains, and
    EmbeddedServerFailed is raised at the end.
    """
    if settings.redis:
        yield settings.redis
        return
    problems: list[EmbeddedServerFailed] = []

    def stop(problem: EmbeddedServerFailed) -> None:
        problems.append(problem)
        log.error("the embedded store cannot be restarted, shutting down", problem=str(problem))
        # The supervisor runs in a thread; a signal starts the same drain as an operator would.
        os.kill(os.getpid(), signal.SIGTERM)

    with EmbeddedServer(settings.data_dir, fsync=settings.fsync.value) as server:
        server.supervise(_log_restart, stop)
        yield server.url
    if problems:
        raise problems[0]


def _log_restart(code: int) -> None:
    log.error("the embedded store exited and was restarted", exit_code=code)


def check_durability(settings: Settings, redis: str) -> Durability | None:
    """Returns the durability of the store, or None if it does not respond at once: workers wait for it.

    Raises EvictingServer or WeakServer if it is less than the settings demand.
    """
    found = asyncio.run(_durability(redis))
    if found is not None:
        found.demand(settings.durability, settings.replicas)
    return found


async def _durability(redis: str) -> Durability | None:
    store = connect(redis)
    try:
        async with asyncio.timeout(STORE_WAIT_SECONDS):
            return await store.durability()
    except (StoreUnavailable, TimeoutError):
        return None
    finally:
        await store.close()


def with_free_ports(settings: Settings) -> Settings:
    """Returns the settings with the actual port numbers: free ones are chosen for 0.

    Raises PortTaken or BadCertificate if the service could not listen.
    """
    if files := tls.files_of(settings):
        tls.load(files)
    health_port = settings.health_port
    return settings.model_copy(
        update={
            "port": _free_port(settings.host, settings.port),
            "grpc_port": _free_port(settings.host, settings.grpc_port),
            "health_port": None if health_port is None else _free_port(settings.host, health_port),
        }
    )


def _free_port(host: str, port: int) -> int:
    """Returns the port, or a free one for 0; raises PortTaken if another program uses it."""
    # Workers bind with SO_REUSEPORT, which also succeeds if another instance of the service has the port: it
    # would get half of the connections. This bind without the option fails in that case.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortTaken(f"{host}:{port} cannot be used: {error.strerror}") from error
        return int(probe.getsockname()[1])


def run_service(settings: Settings, redis: str) -> None:
    """Serves until SIGTERM or SIGINT. Raises InvalidKeys if the JWT keys file is invalid."""
    if settings.jwt_keys_file:
        keys_in(settings.jwt_keys_file.read_bytes())
    if archive := composition.archive_from(settings):
        archive.prepare()
    if settings.workers == 1:
        worker.run_worker(settings, redis)
    else:
        with tempfile.TemporaryDirectory(prefix="shedu-metrics-") as folder:
            # Read by prometheus_client when a worker imports it: the metrics of all workers are summed up.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            WorkerProcesses(settings, redis).run()


class WorkerProcesses:
    """Runs several workers on the same ports and replaces those that crash."""

    def __init__(self, settings: Settings, redis: str) -> None:
        self._settings, self._redis = settings, redis
        # Not fork: the threads of gRPC and of the embedded store's supervisor do not survive it.
        self._spawn = multiprocessing.get_context("spawn")
        self._workers: list[SpawnProcess] = []
        self._stopping = False

    def run(self) -> None:
        logs.configure(self._settings.log_format)  # the supervisor of an embedded store logs in this process
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        try:
            while not self._stopping:
                self._remove_ended()
                while len(self._workers) < self._settings.workers and not self._stopping:
                    self._workers.append(self._start())
                time.sleep(RESTART_PAUSE)
        finally:
            self._join()

    def _join(self) -> None:
        """Waits until the workers have drained, and kills those that take too long."""
        if not self._stopping:
            self._stop()
        deadline = time.monotonic() + self._settings.drain_seconds + worker.MOST_DRAIN_SECONDS
        for process in self._workers:
            process.join(max(0.0, deadline - time.monotonic()))
            process.kill()

    def _remove_ended(self) -> None:
        """Removes workers that have ended, so that they are replaced.

        If one has refused the store, the store is checked here too, which raises if it is still unsuitable.
        """
        for process in [process for process in self._workers if not process.is_alive()]:
            self._workers.remove(process)
            mark_process_dead(process.pid)  # type: ignore[no-untyped-call]
            if process.exitcode == worker.EXIT_REFUSED:
                check_durability(self._settings, self._redis)

    def _start(self) -> SpawnProcess:
        process = self._spawn.Process(
            target=worker.run_as_child, args=(self._settings, self._redis, os.getpid())
        )
        process.start()
        return process

    def _stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for process in self._workers:
            process.terminate()
