"""A process that serves nobody: it lets bots move, and keeps time, for all games of a store."""

from __future__ import annotations

import asyncio
import signal

import structlog
import uvloop
from prometheus_client import start_http_server

from gamehost import logs
from gamehost.chores import Chores
from gamehost.play.house import House
from gamehost.settings import Settings
from gamehost.worker import archive_of, opened, service_secrets, world

log = structlog.get_logger("gamehost")


def run(settings: Settings, redis: str, metrics_port: int | None) -> None:
    """Until SIGTERM or SIGINT."""
    logs.configure(settings.log_format)
    if metrics_port is not None:
        start_http_server(metrics_port, settings.host)
    if archive := archive_of(settings):
        archive.prepare()
    uvloop.run(_host(settings, redis))


async def _host(settings: Settings, redis: str) -> None:
    store, told = opened(redis, settings), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    try:
        secrets = await service_secrets(store, settings)
        chores = Chores(House(world(store, settings, secrets[0])), settings)
        log.info("hosting bots", processes=settings.bot_processes)
        await told.wait()
        await chores.finish()
    finally:
        await store.close()
