"""How all followers in a process wait for news on one subscription connection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from redis.asyncio import RedisCluster

from gamehost.play.ports.event_log import ReadEvents, StoredEvent, StoreUnavailable

from .batching import Client
from .client import RedisAddress
from .subscription import Subscription


class ChannelWatch:
    """What the followers of one game know together: that something happened, and up to which version."""

    def __init__(self, game: str, read: ReadEvents) -> None:
        self.followers = 0
        self.closed = False
        self._game = game
        self._read = read
        self._heard = 0
        self._round = self._doubt = 1  # a new follower has to look once
        self._woken = asyncio.Event()
        self._reads: dict[tuple[int, int], asyncio.Task[Sequence[StoredEvent]]] = {}

    def wake(self, version: int | None = None) -> None:
        """A version was published; without one, followers have to look for themselves."""
        self._round += 1
        if version is None:
            self._doubt = self._round
        else:
            self._heard = max(self._heard, version)
        self._woken.set()
        self._woken = asyncio.Event()

    async def news(self, after: int, seen: int) -> int:
        """Wait for a round later than `seen` that may hold events after that version."""
        while not self.closed:
            if self._round > seen and (self._heard > after or self._doubt > seen):
                return self._round
            await self._woken.wait()
        raise StoreUnavailable("the event store is closed")

    async def read(self, after: int, seen: int) -> Sequence[StoredEvent]:
        """Followers woken in the same round at the same version share one read."""
        key = (after, seen)
        task = self._reads.get(key)
        if task is None:
            task = asyncio.ensure_future(self._read(self._game, after))
            self._reads[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: tuple[int, int], done: asyncio.Task[Sequence[StoredEvent]]) -> None:
        del self._reads[key]
        if not done.cancelled():
            done.exception()  # its followers may all be gone; then nobody else looks at it


class PubSub:
    """The watched games of a process; one line, or on a cluster one for each node that holds some."""

    def __init__(self, address: RedisAddress, client: Client, read: ReadEvents, *, poll: float) -> None:
        self._address = address
        self._client = client
        self._read = read
        self._poll = poll
        self._games: dict[str, ChannelWatch] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._placed: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._astray = False

    @contextmanager
    def watch(self, game: str, channel: str, read: ReadEvents | None = None) -> Iterator[ChannelWatch]:
        """Hold the subscription of a game, or of what else `read` reads; the last follower gives it up."""
        watch = self._games.setdefault(channel, ChannelWatch(game, read or self._read))
        watch.followers += 1
        self._rearrange()
        try:
            yield watch
        finally:
            watch.followers -= 1
            if not watch.followers and self._games.get(channel) is watch:
                del self._games[channel]
                self._rearrange()

    def reconnect(self) -> None:
        """Subscribe anew: the server that was listened to is not the one that is written to."""
        for line in self._subscriptions.values():
            line.reconnect()

    async def close(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        for watch in self._games.values():
            watch.closed = True
            watch.wake()
        await asyncio.gather(*(line.close() for line in self._subscriptions.values()))

    def _rearrange(self) -> None:
        self._changed.set()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        """Place subscriptions when followers come and go; now and then look without being told."""
        now = asyncio.get_running_loop().time
        look = now() + self._poll
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(look):
                    await self._changed.wait()
            self._changed.clear()
            await self._place()
            if now() >= look:
                self._doubt_all()
                look = now() + self._poll

    def _doubt_all(self) -> None:
        for watch in self._games.values():
            watch.wake()

    async def _place(self) -> None:
        try:
            await self._initialize()
            wanted = {channel: self._node_of(channel) for channel in self._games}
        except Exception:  # the cluster is not there: the next round places them
            return
        for channel in [c for c, node in self._placed.items() if wanted.get(c) != node]:
            self._subscriptions[self._placed.pop(channel)].drop(channel)
        for channel, node in wanted.items():
            if channel not in self._placed:
                self._subscription(node).add(channel)
                self._placed[channel] = node
        await self._close_idle()

    async def _initialize(self) -> None:
        if not isinstance(self._client, RedisCluster):
            return
        await self._client.initialize()
        if self._astray:
            await self._client.nodes_manager.initialize()
            self._astray = False

    def _on_lost(self) -> None:
        """Someone else has a channel now: look at the layout again."""
        self._astray = True
        self._changed.set()

    def _node_of(self, channel: str) -> str:
        """Which line a channel belongs to: `host:port` on a cluster, otherwise the only one."""
        if not isinstance(self._client, RedisCluster):
            return ""
        node = self._client.get_node_from_key(channel)
        if node is None:
            raise StoreUnavailable("a slot of the cluster is not covered")
        return f"{node.host}:{node.port}"

    def _subscription(self, node: str) -> Subscription:
        if node not in self._subscriptions:
            host, _, port = node.rpartition(":")
            name = "shedu-follow"
            client = (
                self._address.node(host, int(port), name, timeout=None)
                if node
                else self._address.client(name, timeout=None)
            )
            self._subscriptions[node] = Subscription(client, self._on_message, self._on_lost)
        return self._subscriptions[node]

    async def _close_idle(self) -> None:
        """Nodes that left the cluster are not called for ever."""
        for node in [n for n, line in self._subscriptions.items() if n and line.idle]:
            await self._subscriptions.pop(node).close()

    def _on_message(self, channel: str, version: int | None) -> None:
        watch = self._games.get(channel)
        if watch is not None:
            watch.wake(version)
