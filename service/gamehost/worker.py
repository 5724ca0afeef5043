"""One serving process: HTTP and gRPC on one event loop.

On SIGTERM the process drains in this order (`Worker._drain`):

1. Health checks fail, but calls are still answered for `drain_seconds`, until load balancers have noticed.
2. New calls are refused with a typed error that says to retry elsewhere; streams end the same way.
3. Calls in progress get `GRACE_SECONDS` to finish. Then they end with an error that says to retry.
4. Both ports close, background jobs stop, and the connections to the store are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
import uvicorn
import uvloop

from gamehost import logs, tracing
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.metrics import READY
from gamehost.api.transports.asgi import build_app, build_probe_app
from gamehost.api.transports.connections import ConnectionLimits, HttpConnections
from gamehost.api.transports.forwarding import Proxies
from gamehost.api.transports.grpc import GrpcServer, GrpcSettings
from gamehost.api.transports.http_connection import BoundedHttp
from gamehost.api.transports.recent_check import RecentCheck
from gamehost.background_jobs import BackgroundJobs
from gamehost.composition import (
    CLOSE_SECONDS,
    SERVICES,
    admission,
    close_store,
    dependencies,
    handlers,
    service_secrets,
    with_archive,
)
from gamehost.durability_watch import DurabilityWatch, wait_for_store
from gamehost.file_limit import connection_room, file_limit, listen_backlog, raise_file_limit
from gamehost.https import TlsServer
from gamehost.play.application import Application
from gamehost.play.background.archiving import archive_is_missing
from gamehost.play.errors import PlayError
from gamehost.settings import Settings
from gamehost.stores.redis.client import InvalidUrl
from gamehost.stores.redis.durability import EvictingServer, WeakServer
from gamehost.stores.redis.store import connect
from gamehost.tls import Certificates, files_of

# The kernel closes a connection whose peer has not acknowledged sent data for this long. Time-outs in this
# process cannot do that: a response that has been handed to the kernel counts as sent.
UNREAD_MS = 20_000

GO_AWAY_SECONDS = 0.2  # how long new calls are refused with an error before the ports close

GRACE_SECONDS = 3.0  # for calls in progress; then they end with an error that says to retry

ERROR_REPLY_SECONDS = 1  # for sending those errors

MOST_DRAIN_SECONDS = (
    2 * (GO_AWAY_SECONDS + GRACE_SECONDS + ERROR_REPLY_SECONDS + CLOSE_SECONDS) + tracing.FLUSH_MS / 1000
)
"""The longest time from the end of `drain_seconds` to the exit of the process, also while the store hangs."""

STORE_PATIENCE = 2.0  # seconds after which a store that does not respond counts as unavailable

EXIT_REFUSED = 2  # exit code of a worker that refuses to use the store

STORE_REFUSED_ERRORS = (EvictingServer, WeakServer, InvalidUrl)

PROBE_CONNECTIONS = 32  # limit of the health port; they are part of the reserved file descriptors

SECONDS_PER_DAY = 86_400
HEALTH_PAUSE = 1.0  # seconds between two checks of the store

log = structlog.get_logger("gamehost")


def run_worker(settings: Settings, redis: str, parent: int | None = None) -> None:
    """Serves until SIGTERM or SIGINT, or until the parent process, if there is one, has ended."""
    logs.configure(settings.log_format)
    if tracing.wanted(settings.traces) and not tracing.start_tracing():
        log.warning("traces are not sent: the extra shedu-gamehost[otel] is not installed")
    raise_file_limit()
    tune_garbage_collector()
    try:
        uvloop.run(_serve(settings, redis, parent))
    finally:
        logs.flush()  # a child process of multiprocessing ends without its exit handlers


async def _serve(settings: Settings, redis: str, parent: int | None) -> None:
    await Worker(settings, redis, parent).serve()


def run_as_child(settings: Settings, redis: str, parent: int) -> None:
    """Runs in a child process, which exits with EXIT_REFUSED if a restart would not help."""
    try:
        run_worker(settings, redis, parent)
    except STORE_REFUSED_ERRORS as error:
        log.error("the store is refused", problem=str(error))
        sys.exit(EXIT_REFUSED)


def tune_garbage_collector() -> None:
    """Makes the cyclic garbage collector run rarely.

    Almost all objects here are freed by reference counting. A full collection walks all live objects, cached
    games included, and would pause the event loop for tens of milliseconds.
    """
    # Modules, descriptors and compiled codecs live as long as the process: freeze() excludes them from all
    # collections. The thresholds make collections rare, but not never: exceptions with tracebacks, and some
    # libraries, do create cycles.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


class Worker:
    """Serves both ports, runs the background jobs, and drains on SIGTERM."""

    def __init__(self, settings: Settings, redis: str, parent: int | None = None) -> None:
        self._settings, self._parent = settings, parent
        redis_store = connect(redis, replicas=settings.replicas)
        self._store = with_archive(redis_store, settings)
        self._durability_watch = DurabilityWatch(redis_store, settings)
        self._recent_ping = RecentCheck(self._ping)
        # Without handlers: calls are refused as unavailable until `_open` has reached the store.
        self._dispatch = Dispatch((), SERVICES, None)
        proxies, limits = Proxies(settings.proxies), connection_limits(settings)
        self._grpc = GrpcServer(self._dispatch, grpc_settings(settings, limits), proxies)
        files = files_of(settings)
        self._certificates = Certificates(files) if files else None
        context = self._certificates.current.http if self._certificates else None
        app = build_app(self._dispatch, ready=self._ready, origins=settings.origins, proxies=proxies)
        connections = HttpConnections(limits, "http", proxies)
        self._http = HttpServer(
            uvicorn.Config(app, **UVICORN_SETTINGS, **uvicorn_limits(connections)), context, connections
        )
        probe_connections = HttpConnections(replace(limits, total=PROBE_CONNECTIONS, per_address=0), "health")
        self._probes = HttpServer(
            uvicorn.Config(
                build_probe_app(self._ready), **UVICORN_SETTINGS, **uvicorn_limits(probe_connections)
            )
        )
        self._application: Application | None = None
        self._background_jobs: BackgroundJobs | None = None
        self._durability_checks: list[asyncio.Task[None]] = []
        self._draining = False

    async def serve(self) -> None:
        """Serves until the drain is over. Probes are answered at once, calls when the store is available."""
        credentials = self._certificates.grpc_credentials() if self._certificates else None
        self._grpc.listen(f"{self._settings.host}:{self._settings.grpc_port}", credentials)
        await self._grpc.start()
        await self._grpc.set_alive(True)
        opening = asyncio.create_task(wait_for_store(self._open))
        opening.add_done_callback(self._exit_if_refused)
        self._drain_on_signal()
        tasks = [opening, asyncio.create_task(self._publish_health())]
        tasks += [asyncio.create_task(work) for work in self._background_coroutines()]
        try:
            await self._http.serve([bind(self._settings.host, self._settings.port)])
        finally:
            # Background jobs first: they finish what they have begun, and need the store for that.
            if self._background_jobs is not None:
                await self._background_jobs.finish(CLOSE_SECONDS)
            await self._grpc.stop(0)
            for task in (*tasks, *self._durability_checks):
                task.cancel()
            await close_store(self._store)
            await asyncio.to_thread(tracing.finish_tracing)
        # Raise the error of a store that was refused: it decides the exit code.
        if opening.done() and not opening.cancelled():
            opening.result()

    def _background_coroutines(self) -> Iterator[Coroutine[Any, Any, None]]:
        """Yields the coroutines that run for as long as the HTTP port is served."""
        if self._certificates:
            yield self._certificates.watch(self._http.present)
        if self._settings.health_port:
            yield self._probes.serve([bind(self._settings.host, self._settings.health_port)])

    async def _open(self) -> None:
        """Starts everything that needs the store.

        Raises EvictingServer or WeakServer if the store must not hold games, StoreUnavailable if it does not
        respond.
        """
        durability = await self._durability_watch.require()
        secrets = await service_secrets(self._store, self._settings)
        if not self._settings.archive_dir and await archive_is_missing(self._store):
            log.warning("finished games were archived, but SHEDU_ARCHIVE_DIR is not set: they cannot be read")
        application = self._application = Application(
            await dependencies(self._store, self._settings, secrets)
        )
        tokens = SeatTokens(secrets, time.time, self._settings.seat_token_days * SECONDS_PER_DAY)
        READY.set(True)
        await self._grpc.set_ready(True)
        self._dispatch.open(handlers(application, tokens), admission(self._store, tokens, self._settings))
        self._background_jobs = BackgroundJobs(application, self._settings)
        self._durability_checks = [asyncio.create_task(self._durability_watch.run())]
        log.info("the store is available", server=durability.server, durability=durability.text)

    def _exit_if_refused(self, opening: asyncio.Task[None]) -> None:
        """Stops the server if the store was refused; `serve` raises the error."""
        if not opening.cancelled() and opening.exception() is not None:
            self._http.should_exit = True

    async def _ready(self) -> bool:
        """Whether calls can be answered: the store responds and promises enough, and no drain has begun."""
        # Probes are not rate-limited, so they share a recent ping instead of sending one each.
        return self._may_serve() and await self._recent_ping() and not self._draining

    def _may_serve(self) -> bool:
        return self._dispatch.is_open and self._durability_watch.good

    async def _ping(self) -> bool:
        try:
            async with asyncio.timeout(STORE_PATIENCE):
                await self._store.ping()
        except (PlayError, TimeoutError):
            return False
        return True

    async def _publish_health(self) -> None:
        """Publishes readiness as gRPC health and as a metric, once a second until the drain."""
        while not self._draining:
            ready = self._may_serve() and await self._ping() and not self._draining
            READY.set(ready)
            await self._grpc.set_ready(ready)
            await asyncio.sleep(HEALTH_PAUSE)
        READY.set(False)

    def _drain_on_signal(self) -> None:
        loop = asyncio.get_running_loop()

        def begin() -> None:
            if self._draining:  # a second signal: exit without waiting for calls
                self._http.force_exit = self._http.should_exit = True
                return
            self._draining = True
            # The event loop keeps only weak references to tasks; without this one it could be collected.
            self._drain_task = loop.create_task(self._drain())

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, begin)
        if self._parent is not None:
            self._parent_watch = loop.create_task(when_parent_ends(self._parent, begin))

    async def _drain(self) -> None:
        """Stops serving without losing a call; the module docstring lists the steps."""
        log.info("draining")
        # Fail the health checks but go on serving: load balancers and endpoint lists notice only after a
        # while, and calls that they still send here must be answered.
        await self._grpc.set_serving(False)
        await asyncio.sleep(self._settings.drain_seconds)
        # Clients that hold a connection do not look at health checks. A DRAINING error makes them retry on
        # another process at once. A connection that is cut would not tell them whether a move was made.
        self._dispatch.drain()
        if self._application is not None:
            self._application.watching.drain()
            self._application.inbox.drain()
            if self._application.matchmaking:
                self._application.matchmaking.drain()
            self._application.talk.drain()
        await asyncio.sleep(GO_AWAY_SECONDS)
        # gRPC would cancel calls that outlast its grace period, with an error that says nothing. So they are
        # ended before that, and get ERROR_REPLY_SECONDS to send their own error.
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._dispatch.drain_deadline.end_calls)
        await self._grpc.stop(GRACE_SECONDS + ERROR_REPLY_SECONDS)
        self._http.should_exit = True


class HttpServer(TlsServer):
    """A uvicorn server that installs no signal handlers: the worker drains before it stops the server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


UVICORN_SETTINGS: dict[str, Any] = {
    "access_log": False,
    "log_config": None,
    "lifespan": "off",
    "server_header": False,
    "timeout_graceful_shutdown": int(GRACE_SECONDS) + ERROR_REPLY_SECONDS,
    "ws": "none",
    # X-Forwarded-For is read by `Proxies`, in the same way for every transport.
    "proxy_headers": False,
}


def connection_limits(settings: Settings) -> ConnectionLimits:
    """Returns the configured limits, reduced to what the limit of open files allows."""
    limits = ConnectionLimits(
        total=settings.connections,
        per_address=int(settings.limit("connections_per_address")),
        idle_seconds=settings.idle_seconds,
        head_seconds=settings.head_seconds,
        body_seconds=settings.body_seconds,
    )
    return limits.within(connection_room(file_limit()))


def grpc_settings(settings: Settings, limits: ConnectionLimits) -> GrpcSettings:
    """The settings of the gRPC port: one connection has room for all streams of a caller, and for calls."""
    streams = int(settings.limit("streams_per_caller"))
    calls = max(GrpcSettings.calls_per_connection, 2 * streams)
    return GrpcSettings(calls_per_connection=calls, connections=limits)


def uvicorn_limits(connections: HttpConnections) -> dict[str, Any]:
    """Returns the uvicorn settings that enforce the limits."""
    return {
        "http": partial(BoundedHttp, connections=connections),
        "timeout_keep_alive": connections.limits.idle_seconds,
        "backlog": listen_backlog(file_limit()),
    }


def bind(host: str, port: int) -> socket.socket:
    """Returns a socket on a port that several processes share: the kernel spreads connections over them."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
    listener.bind((host, port))
    return listener


async def when_parent_ends(parent: int, react: Callable[[], None]) -> None:
    """Calls `react` when the parent process has ended, also if it was killed and sent no signal."""
    while os.getppid() == parent:
        await asyncio.sleep(2)
    react()
