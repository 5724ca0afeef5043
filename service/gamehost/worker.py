"""One serving process: both ports on one event loop, and a drain that loses no call."""

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
from gamehost.background_jobs import BackgroundJobs
from gamehost.composition import (
    CLOSE_SECONDS,
    DAY,
    SERVICES,
    admission,
    close_store,
    dependencies,
    handlers,
    service_secrets,
    with_archive,
)
from gamehost.durability_watch import DurabilityWatch, wait_for_store
from gamehost.file_limit import backlog, connection_room, file_limit, raise_file_limit
from gamehost.https import TlsServer
from gamehost.play.application import Application
from gamehost.play.background.archiving import archive_is_missing
from gamehost.play.errors import PlayError
from gamehost.settings import Settings
from gamehost.stores.redis.client import InvalidUrl
from gamehost.stores.redis.durability import EvictingServer, WeakServer
from gamehost.stores.redis.store import connect
from gamehost.tls import Certificates, files_of

UNREAD_MS = 20_000  # a connection whose other end takes nothing for so long is cut

GO_AWAY_SECONDS = 0.2  # seconds in which callers that did not look are told to go elsewhere

GRACE_SECONDS = 3.0  # seconds for calls under way, once no new ones arrive; then they are told to ask again

ANSWER_SECONDS = 1  # seconds until those answers are sent

MOST_DRAIN_SECONDS = (
    2 * (GO_AWAY_SECONDS + GRACE_SECONDS + ANSWER_SECONDS + CLOSE_SECONDS) + tracing.FLUSH_MS / 1000
)
"""Seconds from the end of `drain_seconds` to that of the process, also while the store hangs."""

STORE_PATIENCE = 2.0  # seconds after which a silent store counts as away

EXIT_REFUSED = 2  # the code of a process that will not keep games in this store

STORE_REFUSED_ERRORS = (EvictingServer, WeakServer, InvalidUrl)

PROBES = 32  # connections of the port for probes, a part of the descriptors in reserve

HEALTH_PAUSE = 1.0  # seconds between two looks at the store

log = structlog.get_logger("gamehost")


def run(settings: Settings, redis: str, parent: int | None = None) -> None:
    """Serve until told to stop by SIGTERM or SIGINT, or until the parent, if there is one, is gone."""
    logs.configure(settings.log_format)
    if tracing.wanted(settings.traces) and not tracing.start_tracing():
        log.warning("no traces: install shedu-gamehost[otel]")
    raise_file_limit()
    tune_garbage_collector()
    uvloop.run(_serve(settings, redis, parent))


async def _serve(settings: Settings, redis: str, parent: int | None) -> None:
    await Worker(settings, redis, parent).serve()


def run_as_child(settings: Settings, redis: str, parent: int) -> None:
    """The same in a process of its own, which tells by its code that it should not be started again."""
    try:
        run(settings, redis, parent)
    except STORE_REFUSED_ERRORS as error:
        log.error("the store is refused", problem=str(error))
        sys.exit(EXIT_REFUSED)


def tune_garbage_collector() -> None:
    """Garbage goes by reference counts here; looking for cycles often costs pauses of tens of ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


class Worker:
    def __init__(self, settings: Settings, redis: str, parent: int | None = None) -> None:
        self._settings, self._parent = settings, parent
        redis_store = connect(redis, replicas=settings.replicas)
        self._store = with_archive(redis_store, settings)
        self._assurance = DurabilityWatch(redis_store, settings)
        self._dispatch = Dispatch((), SERVICES, None)
        proxies, limits = Proxies(settings.proxies), connection_limits(settings)
        self._grpc = GrpcServer(self._dispatch, grpc_settings(settings, limits), proxies)
        files = files_of(settings)
        self._certificates = Certificates(files) if files else None
        context = self._certificates.current.http if self._certificates else None
        app = build_app(self._dispatch, ready=self._ready, origins=settings.origins, proxies=proxies)
        connections = HttpConnections(limits, "http", proxies)
        self._http = HttpServer(
            uvicorn.Config(app, **UVICORN_SETTINGS, **bounded(connections)), context, connections
        )
        few = HttpConnections(replace(limits, total=PROBES, per_address=0), "health")
        self._probes = HttpServer(
            uvicorn.Config(build_probe_app(self._ready), **UVICORN_SETTINGS, **bounded(few))
        )
        self._house: Application | None = None
        self._chores: BackgroundJobs | None = None
        self._keeping: list[asyncio.Task[None]] = []
        self._draining = False

    async def serve(self) -> None:
        """Probes are answered at once, calls as soon as the store has answered."""
        credentials = self._certificates.grpc_credentials() if self._certificates else None
        self._grpc.listen(f"{self._settings.host}:{self._settings.grpc_port}", credentials)
        await self._grpc.start()
        await self._grpc.set_alive(True)
        opening = asyncio.create_task(wait_for_store(self._open))
        opening.add_done_callback(self._leave_if_refused)
        self._drain_on_signal()
        tasks = [opening, asyncio.create_task(self._tell_health())]
        tasks += [asyncio.create_task(work) for work in self._beside()]
        try:
            await self._http.serve([bind(self._settings.host, self._settings.port)])
        finally:
            if self._chores is not None:
                await self._chores.finish(CLOSE_SECONDS)
            await self._grpc.stop(0)
            for task in (*tasks, *self._keeping):
                task.cancel()
            await close_store(self._store)
            await asyncio.to_thread(tracing.finish_tracing)
        if opening.done() and not opening.cancelled():
            opening.result()

    def _beside(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What runs for as long as the HTTP port is served."""
        if self._certificates:
            yield self._certificates.watch(self._http.present)
        if self._settings.health_port:
            yield self._probes.serve([bind(self._settings.host, self._settings.health_port)])

    async def _open(self) -> None:
        """Whatever needs the store; EvictingServer and WeakServer where games should not be kept."""
        found = await self._assurance.require()
        secrets = await service_secrets(self._store, self._settings)
        if not self._settings.archive_dir and await archive_is_missing(self._store):
            log.warning("games were put away, and SHEDU_ARCHIVE_DIR does not say where: they are not found")
        house = self._house = Application(await dependencies(self._store, self._settings, secrets[0]))
        tokens = SeatTokens(secrets, time.time, self._settings.seat_token_days * DAY)
        READY.set(True)
        await self._grpc.set_ready(True)
        self._dispatch.open(handlers(house, tokens), admission(self._store, tokens, self._settings))
        self._chores = BackgroundJobs(house, self._settings)
        self._keeping = [asyncio.create_task(self._assurance.run())]
        log.info("the store answers", server=found.server, durability=found.text)

    def _leave_if_refused(self, opening: asyncio.Task[None]) -> None:
        if not opening.cancelled() and opening.exception() is not None:
            self._http.should_exit = True

    async def _ready(self) -> bool:
        if not (self._dispatch.is_open and self._assurance.good):
            return False
        try:
            async with asyncio.timeout(STORE_PATIENCE):
                await self._store.ping()
        except (PlayError, TimeoutError):
            return False
        return not self._draining

    async def _tell_health(self) -> None:
        """gRPC health and a metric, too, say whether the store answers."""
        while not self._draining:
            good = await self._ready()
            READY.set(good)
            await self._grpc.set_ready(good)
            await asyncio.sleep(HEALTH_PAUSE)
        READY.set(False)

    def _drain_on_signal(self) -> None:
        loop = asyncio.get_running_loop()

        def begin() -> None:
            if self._draining:
                self._http.force_exit = self._http.should_exit = True
                return
            self._draining = True
            self._task = loop.create_task(self._drain())

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, begin)
        if self._parent is not None:
            self._vigil = loop.create_task(when_parent_ends(self._parent, begin))

    async def _drain(self) -> None:
        """Be seen to leave, wait until nobody comes, send away who comes all the same, finish the rest."""
        log.info("draining")
        await self._grpc.set_serving(False)
        await asyncio.sleep(self._settings.drain_seconds)
        self._dispatch.draining = True
        if self._house is not None:
            self._house.watching.drain()
            self._house.inbox.drain()
        await asyncio.sleep(GO_AWAY_SECONDS)
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._dispatch.drain_deadline.end_calls)
        await self._grpc.stop(GRACE_SECONDS + ANSWER_SECONDS)
        self._http.should_exit = True


class HttpServer(TlsServer):
    """Leaves the signals to the worker, which drains before it stops."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


UVICORN_SETTINGS: dict[str, Any] = {
    "access_log": False,
    "log_config": None,
    "lifespan": "off",
    "server_header": False,
    "timeout_graceful_shutdown": int(GRACE_SECONDS) + ANSWER_SECONDS,
    "ws": "none",
    # Addresses that proxies tell are read by `Proxies`, for every transport alike.
    "proxy_headers": False,
}


def connection_limits(settings: Settings) -> ConnectionLimits:
    """What was set, as far as the file limit in force leaves room for it."""
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


def bounded(connections: HttpConnections) -> dict[str, Any]:
    """What makes uvicorn keep the limits."""
    return {
        "http": partial(BoundedHttp, connections=connections),
        "timeout_keep_alive": connections.limits.idle_seconds,
        "backlog": backlog(file_limit()),
    }


def bind(host: str, port: int) -> socket.socket:
    """A socket that several processes may share: the kernel spreads connections over them."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
    listener.bind((host, port))
    return listener


async def when_parent_ends(parent: int, react: Callable[[], None]) -> None:
    while os.getppid() == parent:
        await asyncio.sleep(2)
    react()
