"""The background jobs of a process: clocks, moves of bots, archiving of finished games, and webhooks."""

from __future__ import annotations

import asyncio

from gamehost.api.pipeline.metrics import PrometheusBackgroundMetrics
from gamehost.hosted.pool import BotPool
from gamehost.play.application import Application
from gamehost.settings import Settings


class BackgroundJobs:
    """Runs the background workers from its construction, which needs a running event loop, until `finish`."""

    def __init__(self, application: Application, settings: Settings) -> None:
        metrics = PrometheusBackgroundMetrics()
        self._pool = BotPool(settings.bot_processes, settings.bot_seconds) if settings.bots else None
        self._workers = [application.timeout_worker(metrics)]
        if self._pool is not None:
            self._workers.append(application.bot_worker(self._pool, metrics))
        if recorder := application.recorder(metrics):
            self._workers.append(recorder)
        if matcher := application.matcher(metrics):
            self._workers.append(matcher)
        if application.archive is not None:
            self._workers.append(application.archive_worker(application.archive, metrics))
        if application.webhooks is not None:
            self._workers.append(application.webhooks.worker(metrics))
        self._tasks = [asyncio.create_task(worker.run()) for worker in self._workers]

    async def finish(self, timeout: float) -> None:
        """Stop the workers, and wait at most `timeout` seconds for them.

        What bots are thinking about is left to other processes. A store that hangs is not waited for: games
        that could not be settled become due again when their leases expire.
        """
        for worker in self._workers:
            worker.stop()
        finished, late = await asyncio.wait(self._tasks, timeout=timeout)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        if self._pool is not None:
            self._pool.close()
        # Last, so that the pool is closed even if a worker failed: its exception is raised here.
        for task in finished:
            task.result()
