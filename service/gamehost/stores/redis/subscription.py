"""A subscription connection to one server that reconnects until it is closed."""

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
    """Calls `on_message` with each published version, and with None when a subscription begins.

    Pub/sub does not store messages for a subscriber that is not connected. So whenever a subscription begins,
    at first or after a lost connection, notifications may have been missed, and followers have to read once.
    `on_lost` is called when the connection is lost, or the server no longer holds a channel.
    """

    def __init__(self, client: Client, on_message: OnMessage, on_lost: Callable[[], None]) -> None:
        self._client: Any = client
        self._on_message, self._on_lost = on_message, on_lost
        self._wanted: set[str] = set()
        self._subscribed: set[str] = set()
        self._pubsub: Any = None
        self._changed = asyncio.Event()
        self._failures = 0
        self._listen_timeout = asyncio.timeout(None)
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
        """Replaces the connection by a new one, which may lead to another server."""
        if self._pubsub is not None:
            # An elapsed timeout interrupts the listener as a lost connection would.
            self._listen_timeout.reschedule(asyncio.get_running_loop().time())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await close_client(self._client)

    async def _keep_connected(self) -> None:
        while True:
            try:
                await self._connect_and_listen()
            except Exception:  # also bad messages: followers depend on this loop, so nothing may end it
                self._on_lost()
                await asyncio.sleep(RECONNECT_PAUSES[min(self._failures, len(RECONNECT_PAUSES) - 1)])
                self._failures += 1

    async def _connect_and_listen(self) -> None:
        """Opens a connection and listens until it breaks."""
        pubsub = self._client.pubsub()
        try:
            await pubsub.connect()
            async with asyncio.timeout(None) as self._listen_timeout:
                # A new connection has no subscriptions. The other task makes all of them again, and the
                # confirmation of each makes its followers read what was published meanwhile.
                self._subscribed.clear()
                self._pubsub = pubsub
                self._changed.set()
                while await self._listen(pubsub):
                    pass
        finally:
            self._pubsub = None
            await pubsub.aclose()

    async def _listen(self, pubsub: Any) -> bool:
        """Handles one message. After a long silence sends a PING; raises ConnectionError if unanswered.

        Without it a connection that was cut without a FIN, for example by a firewall, would be silent for
        ever.
        """
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
        # A server unsubscribes by itself when the slot of a channel moves to another node.
        elif message["type"] == "sunsubscribe" and message["channel"].decode() in self._subscribed:
            raise ConnectionError("the channel has moved to another node")
        return True

    async def _subscribe_loop(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            with suppress(
                RedisError, OSError
            ):  # the listener notices the broken connection and sets `_changed` again
                await self._subscribe_wanted()

    async def _subscribe_wanted(self) -> None:
        """Makes the subscriptions equal to the wanted ones, one channel at a time.

        SSUBSCRIBE takes several channels only if they are in the same slot of a cluster.
        """
        while self._pubsub is not None and self._subscribed != self._wanted:
            if missing := self._wanted - self._subscribed:
                # Noted before the await: `drop` may be called during it, and the next pass has to see the
                # channel.
                self._subscribed.add(channel := missing.pop())
                await self._pubsub.ssubscribe(channel)
            else:
                channel = (self._subscribed - self._wanted).pop()
                self._subscribed.discard(channel)
                await self._pubsub.sunsubscribe(channel)
