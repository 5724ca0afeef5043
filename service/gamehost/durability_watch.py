"""What the store was asked to promise, looked at again and again: servers change, and are replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import structlog

from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.settings import Settings
from gamehost.stores.redis.durability import Durability, EvictingServer, TooFewReplicas, WeakServer
from gamehost.stores.redis.store import RedisEventStore

CHECK_SECONDS = 60.0  # seconds between two looks at a store that is as it should be
RETRY_SECONDS = 1.0  # seconds until a store is asked again that is not, or does not answer

log = structlog.get_logger("gamehost")

Answer = TypeVar("Answer")


class DurabilityWatch:
    """`good` while the store is known to promise what was asked for."""

    def __init__(self, store: RedisEventStore, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._problem = ""
        self.good = False

    async def begin(self) -> Durability:
        """WeakServer or EvictingServer where games should not be kept, StoreUnavailable as always."""
        found = await self._store.durability()
        found.demand(self._settings.durability, self._settings.replicas)
        self.good = True
        return found

    async def keep(self) -> None:
        """Look every minute, and as soon as there is another primary."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS if self.good else RETRY_SECONDS):
                    await self._store.primary_changed.wait()
            self._store.primary_changed.clear()
            await wait_for_store(self.look)

    async def look(self) -> None:
        try:
            await self.begin()
        except TooFewReplicas:  # they come and go, and every write waits for them anyway
            self.good = True
        except (EvictingServer, WeakServer) as error:
            self.good = False
            if str(error) != self._problem:
                log.error("the store is weaker than it must be", problem=str(error))
            self._problem = str(error)
        if self.good and self._problem:
            log.info("the store is as it should be again")
            self._problem = ""


async def wait_for_store(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """What `ask` comes to once the store answers, however long that takes."""
    said = ""
    while True:
        try:
            return await ask()
        except StoreUnavailable as error:
            if str(error) != said:
                log.warning("waiting for the store", why=str(error))
            said = str(error)
        await asyncio.sleep(RETRY_SECONDS)
