"""What a process does without being asked: it keeps time, lets bots move, and puts away what is over."""

from __future__ import annotations

import asyncio

from gamehost.api.pipeline.metrics import PrometheusBackgroundMetrics
from gamehost.hosted.pool import BotPool
from gamehost.play.application import Application
from gamehost.settings import Settings


class BackgroundJobs:
    """Under way from the start, in a running event loop, until they are finished."""

    def __init__(self, house: Application, settings: Settings) -> None:
        tally = PrometheusBackgroundMetrics()
        self._pool = BotPool(settings.bot_processes, settings.bot_seconds) if settings.bots else None
        self._rounds = [house.timeout_worker(tally)]
        if self._pool is not None:
            self._rounds.append(house.bot_worker(self._pool, tally))
        if house.archive is not None:
            self._rounds.append(house.archive_worker(house.archive, tally))
        self._tasks = [asyncio.create_task(rounds.run()) for rounds in self._rounds]

    async def finish(self, patience: float) -> None:
        """Begin nothing more; what bots are thinking about is left to other processes.

        A store that hangs is not waited for: what is not settled comes up again when its lease is over.
        """
        for rounds in self._rounds:
            rounds.stop()
        finished, late = await asyncio.wait(self._tasks, timeout=patience)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        if self._pool is not None:
            self._pool.close()
        for task in finished:
            task.result()
