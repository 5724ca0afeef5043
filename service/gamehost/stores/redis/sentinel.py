"""With Sentinel, who the primary is: asked again and again, for the last one may not know that it is none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from redis.asyncio import Redis
from redis.exceptions import RedisError

from .batching import Client
from .client import PrimaryPool

EVERY = 1.0  # seconds


class PrimaryTracker:
    """A primary that hands over goes on for seconds as if it were one, to all who stay connected to it.

    `renew` is called as soon as any of the clients, or a look, finds that there is another one.
    """

    def __init__(self, clients: list[Client], renew: Callable[[], None]) -> None:
        self._pools = [pool for client in clients if (pool := pool_of(client))]
        self._on_change = renew
        self._primary: tuple[str, int] | None = None
        self._next_look = 0.0
        self._looking: asyncio.Task[None] | None = None
        for pool in self._pools:
            pool.learnt = self._on_primary

    def check(self) -> None:
        """Now and then, without keeping anyone waiting."""
        if not self._pools or (self._looking and not self._looking.done()):
            return
        if (now := asyncio.get_running_loop().time()) >= self._next_look:
            self._next_look = now + EVERY
            self._looking = asyncio.create_task(self._check())

    async def close(self) -> None:
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _check(self) -> None:
        with suppress(RedisError, OSError):
            await self._pools[0].get_master_address()

    def _on_primary(self, primary: tuple[str, int]) -> None:
        before, self._primary = self._primary, primary
        if before not in (None, primary):
            self._on_change()


def pool_of(client: Client) -> PrimaryPool | None:
    pool = client.connection_pool if isinstance(client, Redis) else None
    return pool if isinstance(pool, PrimaryPool) else None
