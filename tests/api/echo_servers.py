"""Real gRPC and HTTP servers on free ports, with the echo as their handlers."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import grpc
import httpx
import structlog
import uvicorn

from api.echo import SERVICES, Echo, open_admission
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.transports.asgi import build_app
from gamehost.api.transports.connections import ConnectionLimits, HttpConnections
from gamehost.api.transports.grpc import GrpcServer, GrpcSettings
from gamehost.api.transports.http_connection import BoundedHttp
from support.waiting import PATIENCE


@dataclass
class EchoServers:
    """The echo, its servers, and clients that are connected to them."""

    echo: Echo
    dispatch: Dispatch
    server: GrpcServer
    channel: grpc.aio.Channel
    http: httpx.AsyncClient
    grpc_port: int
    http_port: int


@asynccontextmanager
async def running_echo_servers(write_seconds: float = 0.5) -> AsyncIterator[EchoServers]:
    structlog.configure(
        processors=[structlog.processors.JSONRenderer(default=repr)],
        logger_factory=structlog.ReturnLoggerFactory(),
    )
    echo = Echo()
    dispatch = Dispatch([echo], SERVICES, open_admission())
    server = GrpcServer(dispatch, GrpcSettings(write_seconds=write_seconds))
    grpc_port = server.listen("127.0.0.1:0")
    await server.start()
    await server.set_serving(True)
    async with serve_http(dispatch, write_seconds) as http_port:
        base = f"http://127.0.0.1:{http_port}"
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}") as channel,
            httpx.AsyncClient(base_url=base, timeout=PATIENCE, trust_env=False) as http,
        ):
            yield EchoServers(echo, dispatch, server, channel, http, grpc_port, http_port)
        await server.stop(0)


@asynccontextmanager
async def serve_http(
    dispatch: Dispatch,
    write_seconds: float,
    limits: ConnectionLimits | None = None,
    now: Callable[[], float] = time.monotonic,
    **options: Any,
) -> AsyncIterator[int]:
    async def ready() -> bool:
        return True

    app = build_app(dispatch, ready=ready, **options)
    quiet: dict[str, Any] = {"log_config": None, "lifespan": "off", "ws": "none", "access_log": False}
    connections = HttpConnections(
        replace(limits or ConnectionLimits(), write_seconds=write_seconds), "http", now=now
    )
    quiet["http"] = partial(BoundedHttp, connections=connections)
    quiet["timeout_keep_alive"] = connections.limits.idle_seconds
    config = uvicorn.Config(app, **quiet, proxy_headers=False)
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=[listener])
    ticking = asyncio.create_task(server.main_loop())
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await ticking
        await server.shutdown(sockets=[listener])
