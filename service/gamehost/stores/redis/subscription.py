"""One subscription connection to one server, kept up for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis.exceptions import ConnectionError, RedisError

from .batching import Client
from .client import close_client

SILENCE_SECONDS = 15.0
RECONNECT_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)

OnMessage = Callable[[str, int | None], None]


class Subscription:
    """Tells `hear` each published version, and None for a channel whenever its subscription begins.

    A subscription that begins, at first or after a lost connection, may have missed something.
    `astray` is called when the server is away, or is no longer the one of a channel.
    """

    def __init__(self, client: Client, hear: OnMessage, astray: Callable[[], None]) -> None:
        self._client: Any = client
        self._on_message, self._on_lost = hear, astray
        self._wanted: set[str] = set()
        self._subscribed: set[str] = set()
        self._pubsub: Any = None
        self._changed = asyncio.Event()
        self._failures = 0
        self._listening = asyncio.timeout(None)
        self._tasks = [
            asyncio.create_task(self._keep_connected()),
            asyncio.create_task(self._subscribe_loop()),
        ]

    @property
    def idle(self) -> bool:
        return not self._wanted

    def add(self, channel: str) -> None:
        self._wanted.add(channel)
        self._changed.set()

    def drop(self, channel: str) -> None:
        self._wanted.discard(channel)
        self._changed.set()

    def reconnect(self) -> None:
        """Give up the connection for a new one, which may lead to another server."""
        if self._pubsub is not None:
            self._listening.reschedule(asyncio.get_running_loop().time())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await close_client(self._client)

    async def _keep_connected(self) -> None:
        while True:
            try:
                await self._connect_and_listen()
            except Exception:  # whatever it is, followers need a line
                self._on_lost()
                await asyncio.sleep(RECONNECT_PAUSES[min(self._failures, len(RECONNECT_PAUSES) - 1)])
                self._failures += 1

    async def _connect_and_listen(self) -> None:
        """One connection, from its beginning until it breaks."""
        pubsub = self._client.pubsub()
        try:
            await pubsub.connect()
            async with asyncio.timeout(None) as self._listening:
                self._subscribed.clear()
                self._pubsub = pubsub
                self._changed.set()
                while await self._listen(pubsub):
                    pass
        finally:
            self._pubsub = None
            await pubsub.aclose()

    async def _listen(self, pubsub: Any) -> bool:
        """Hear one message; after a long silence ask whether anyone is there."""
        message = await pubsub.get_message(timeout=SILENCE_SECONDS)
        if message is None:
            await pubsub.ping()
            message = await pubsub.get_message(timeout=SILENCE_SECONDS)
        if message is None:
            raise ConnectionError("no answer on the subscription connection")
        if message["type"] == "smessage":
            self._on_message(message["channel"].decode(), int(message["data"]))
        elif message["type"] == "ssubscribe":
            self._failures = 0
            self._on_message(message["channel"].decode(), None)
        elif message["type"] == "sunsubscribe" and message["channel"].decode() in self._subscribed:
            raise ConnectionError("the channel has moved to another node")
        return True

    async def _subscribe_loop(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            with suppress(RedisError, OSError):  # the listener sees the broken connection and calls again
                await self._subscribe_wanted()

    async def _subscribe_wanted(self) -> None:
        """Subscribe to what is wanted, one channel at a time: on a cluster they differ in slot."""
        while self._pubsub is not None and self._subscribed != self._wanted:
            if missing := self._wanted - self._subscribed:
                self._subscribed.add(channel := missing.pop())
                await self._pubsub.ssubscribe(channel)
            else:
                channel = (self._subscribed - self._wanted).pop()
                self._subscribed.discard(channel)
                await self._pubsub.sunsubscribe(channel)
