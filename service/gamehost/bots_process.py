"""A process that serves nobody: it lets bots move, and keeps time, for all games of a store."""

from __future__ import annotations

import asyncio
import signal

import structlog
import uvloop
from prometheus_client import start_http_server

from gamehost import logs
from gamehost.background_jobs import BackgroundJobs
from gamehost.composition import (
    CLOSE_SECONDS,
    archive_from,
    close_store,
    dependencies,
    service_secrets,
    with_archive,
)
from gamehost.durability_watch import DurabilityWatch, wait_for_store
from gamehost.play.application import Application
from gamehost.settings import Settings
from gamehost.stores.redis.store import connect

log = structlog.get_logger("gamehost")


def run(settings: Settings, redis: str, metrics_port: int | None) -> None:
    """Until SIGTERM or SIGINT."""
    logs.configure(settings.log_format)
    if metrics_port is not None:
        start_http_server(metrics_port, settings.host)
    if archive := archive_from(settings):
        archive.prepare()
    uvloop.run(_host(settings, redis))


async def _host(settings: Settings, redis: str) -> None:
    """Begins once the store answers; EvictingServer or WeakServer where games should not be kept."""
    redis_store, told = connect(redis, replicas=settings.replicas), asyncio.Event()
    store = with_archive(redis_store, settings)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)

    async def begin() -> BackgroundJobs:
        await DurabilityWatch(redis_store, settings).require()
        secrets = await service_secrets(store, settings)
        return BackgroundJobs(Application(await dependencies(store, settings, secrets[0])), settings)

    beginning, ending = asyncio.create_task(wait_for_store(begin)), asyncio.create_task(told.wait())
    try:
        await asyncio.wait([beginning, ending], return_when=asyncio.FIRST_COMPLETED)
        if beginning.done():
            chores = beginning.result()
            log.info("hosting bots", processes=settings.bot_processes)
            await ending
            await chores.finish(CLOSE_SECONDS)
    finally:
        beginning.cancel()
        await close_store(store)
