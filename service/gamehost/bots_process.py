"""A process without an API: it runs the background jobs, above all bots, for all games of a store."""

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


def run_bots(settings: Settings, redis: str, metrics_port: int | None) -> None:
    """Run the background jobs until SIGTERM or SIGINT."""
    logs.configure(settings.log_format)
    if metrics_port is not None:
        start_http_server(metrics_port, settings.host)
    if archive := archive_from(settings):
        archive.prepare()
    try:
        uvloop.run(_run_jobs(settings, redis))
    finally:
        logs.flush()


async def _run_jobs(settings: Settings, redis: str) -> None:
    """Start the jobs once the store answers; raises EvictingServer or WeakServer if it is too weak."""
    redis_store, stopped = connect(redis, replicas=settings.replicas), asyncio.Event()
    store = with_archive(redis_store, settings)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)

    async def start() -> BackgroundJobs:
        await DurabilityWatch(redis_store, settings).require()
        secrets = await service_secrets(store, settings)
        return BackgroundJobs(Application(await dependencies(store, settings, secrets)), settings)

    starting, stopping = asyncio.create_task(wait_for_store(start)), asyncio.create_task(stopped.wait())
    try:
        # Both are waited for: a signal must end the process even if the store never answers.
        await asyncio.wait([starting, stopping], return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            jobs = starting.result()
            log.info("hosting bots", processes=settings.bot_processes)
            await stopping
            await jobs.finish(CLOSE_SECONDS)
    finally:
        starting.cancel()
        await close_store(store)
