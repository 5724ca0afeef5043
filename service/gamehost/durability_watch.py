"""Checks repeatedly that the store has the required durability: its servers are reconfigured and replaced."""

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

PASSED_CHECK_SECONDS = 60.0  # between two checks of a store that passed the last one
FAILED_CHECK_SECONDS = 1.0  # until the next check of a store that failed the last one or did not answer

log = structlog.get_logger("gamehost")

Returned = TypeVar("Returned")


class DurabilityWatch:
    """Compares the durability of the store with the settings; `good` is the result of the last check."""

    def __init__(self, store: RedisEventStore, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._problem = ""
        self.good = False

    async def require(self) -> Durability:
        """Return the durability of the store if it suffices.

        Raises WeakServer, EvictingServer or TooFewReplicas if it does not, and StoreUnavailable if the store
        does not answer.
        """
        found = await self._store.durability()
        found.demand(self._settings.durability, self._settings.replicas)
        self.good = True
        return found

    async def run(self) -> None:
        """Check every minute, and at once after a failover: the new primary may be configured differently."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(PASSED_CHECK_SECONDS if self.good else FAILED_CHECK_SECONDS):
                    await self._store.primary_changed.wait()
            # Cleared before the check: a failover during the check causes another one.
            self._store.primary_changed.clear()
            await wait_for_store(self.check)

    async def check(self) -> None:
        """Update `good`, and log when a problem appears, changes or is solved."""
        try:
            await self.require()
        except TooFewReplicas:
            # Not a reason to stop serving: replicas restart, and every write waits for them with WAIT and
            # fails by itself as long as they are missing.
            self.good = True
        except (EvictingServer, WeakServer) as error:
            self.good = False
            if str(error) != self._problem:
                log.error("the store is less durable than required", problem=str(error))
            self._problem = str(error)
        if self.good and self._problem:
            log.info("the store is as durable as required again")
            self._problem = ""


async def wait_for_store(call: Callable[[], Awaitable[Returned]]) -> Returned:
    """Repeat `call` until it does not raise StoreUnavailable, and return its result.

    Each cause is logged once, not on every retry.
    """
    logged = ""
    while True:
        try:
            return await call()
        except StoreUnavailable as error:
            if str(error) != logged:
                log.warning("waiting for the store", why=str(error))
            logged = str(error)
        await asyncio.sleep(FAILED_CHECK_SECONDS)
