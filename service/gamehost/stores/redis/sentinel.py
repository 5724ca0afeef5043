"""Tracks with Sentinel which server is the primary."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from redis.asyncio import Redis
from redis.exceptions import RedisError

from .batching import Client
from .client import PrimaryPool

SENTINEL_CHECK_SECONDS = 1.0  # seconds


class PrimaryTracker:
    """Calls `on_change` as soon as the sentinels name another primary than before.

    A primary that is being replaced still answers for seconds on connections that are open, and accepts
    writes that are then lost. Nothing on such a connection tells that it is outdated, so the sentinels are
    asked regularly. An answer that a client gets when it connects counts as well.
    """

    def __init__(self, clients: list[Client], on_change: Callable[[], None]) -> None:
        self._pools = [pool for client in clients if (pool := pool_of(client))]
        self._on_change = on_change
        self._primary: tuple[str, int] | None = None
        self._next_check = 0.0
        self._checking: asyncio.Task[None] | None = None
        for pool in self._pools:
            pool.on_primary = self._on_primary

    def check(self) -> None:
        """Starts a check in the background if the last one is long enough ago."""
        if not self._pools or (self._checking and not self._checking.done()):
            return
        if (now := asyncio.get_running_loop().time()) >= self._next_check:
            self._next_check = now + SENTINEL_CHECK_SECONDS
            self._checking = asyncio.create_task(self._check())

    async def close(self) -> None:
        if self._checking:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)

    async def _check(self) -> None:
        # The answer arrives through `on_primary` of the pool.
        with suppress(RedisError, OSError):
            await self._pools[0].get_master_address()

    def _on_primary(self, primary: tuple[str, int]) -> None:
        before, self._primary = self._primary, primary
        if before not in (None, primary):
            self._on_change()


def pool_of(client: Client) -> PrimaryPool | None:
    pool = client.connection_pool if isinstance(client, Redis) else None
    return pool if isinstance(pool, PrimaryPool) else None
