"""Notifies all followers in a process over one subscription connection.

A notification carries only a version. Followers read the events themselves, so a lost notification delays
events but never loses them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress

from redis.asyncio import RedisCluster

from gamehost.play.ports.event_log import KnownVersion, ReadEvents, StoredEvent, StoreUnavailable

from .batching import Client
from .client import RedisAddress
from .subscription import Subscription

FOLLOW_RETRY = 0.25  # seconds


class ChannelWatch:
    """The state that the followers of one channel share: the newest version that was published.

    Each call of `wake` begins a new round. A follower remembers the last round it has handled, so a
    notification that arrives while it reads is not lost.
    """

    def __init__(self, game: str, read: ReadEvents) -> None:
        self.followers = 0
        self.closed = False
        self._game = game
        self._read = read
        self._published = 0
        # The last round after which followers have to read even without a published version. It begins as 1,
        # and followers at 0, so that a new follower reads once.
        self._round = self._must_read = 1
        self._woken = asyncio.Event()
        self._reads: dict[tuple[int, int], asyncio.Task[Sequence[StoredEvent]]] = {}

    def wake(self, version: int | None = None) -> None:
        """Wakes the followers. Without a version all of them read, in case a notification was missed."""
        self._round += 1
        if version is None:
            self._must_read = self._round
        else:
            self._published = max(self._published, version)
        # Replaced rather than cleared: followers that wait for the old event all wake up, and each later wait
        # needs another call of `wake`.
        self._woken.set()
        self._woken = asyncio.Event()

    async def wait_for_round(self, after: int, seen: int) -> int:
        """Waits for a round after `seen` in which there may be events after that version.

        Returns the round.
        """
        while not self.closed:
            if self._round > seen and self.may_have(after, seen):
                return self._round
            await self._woken.wait()
        raise StoreUnavailable("the event store is closed")

    def may_have(self, after: int, seen: int) -> bool:
        """Whether there may be events after that version that a follower at round `seen` does not know."""
        return self._published > after or self._must_read > seen

    async def read(self, after: int, seen: int) -> Sequence[StoredEvent]:
        """Reads the events after a version.

        Followers that ask for the same version in the same round share one read.
        """
        key = (after, seen)
        task = self._reads.get(key)
        if task is None:
            task = asyncio.ensure_future(self._read(self._game, after))
            self._reads[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        # shield: a follower that is cancelled must not cancel the read of the others.
        return await asyncio.shield(task)

    def _forget(self, key: tuple[int, int], done: asyncio.Task[Sequence[StoredEvent]]) -> None:
        del self._reads[key]
        if not done.cancelled():
            done.exception()  # marks it as retrieved: if all followers are gone, asyncio would log it


class PubSub:
    """The watched channels of a process. They share one subscription, on a cluster one for each node."""

    def __init__(self, address: RedisAddress, client: Client, read: ReadEvents, *, poll: float) -> None:
        self._address = address
        self._client = client
        self._read = read
        self._poll = poll
        self._watches: dict[str, ChannelWatch] = {}
        self._subscriptions: dict[str, Subscription] = {}
        self._node_by_channel: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._layout_changed = False

    @contextmanager
    def watch(self, game: str, channel: str, read: ReadEvents | None = None) -> Iterator[ChannelWatch]:
        """Subscribes to the channel of a game, or of what `read` reads, until its last follower has left."""
        watch = self._watches.setdefault(channel, ChannelWatch(game, read or self._read))
        watch.followers += 1
        self._update()
        try:
            yield watch
        finally:
            watch.followers -= 1
            if not watch.followers and self._watches.get(channel) is watch:
                del self._watches[channel]
                self._update()

    def reconnect(self) -> None:
        """Subscribes again on new connections, because the primary has changed."""
        for subscription in self._subscriptions.values():
            subscription.reconnect()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for watch in self._watches.values():
            watch.closed = True
            watch.wake()
        await asyncio.gather(*(subscription.close() for subscription in self._subscriptions.values()))

    def _update(self) -> None:
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Assigns channels to subscriptions when they change, and wakes all followers every `poll` seconds.

        The poll covers notifications that were never sent: the SPUBLISH in the scripts is allowed to fail.
        """
        now = asyncio.get_running_loop().time
        next_poll = now() + self._poll
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_poll):
                    await self._changed.wait()
            self._changed.clear()
            await self._assign_channels()
            if now() >= next_poll:
                self._wake_all()
                next_poll = now() + self._poll

    def _wake_all(self) -> None:
        for watch in self._watches.values():
            watch.wake()

    async def _assign_channels(self) -> None:
        """Moves each channel to the subscription of the node that holds it now."""
        try:
            await self._initialize()
            wanted = {channel: self._node_of(channel) for channel in self._watches}
        except Exception:  # the cluster is not reachable: the next poll tries again
            return
        for channel in [c for c, node in self._node_by_channel.items() if wanted.get(c) != node]:
            self._subscriptions[self._node_by_channel.pop(channel)].drop(channel)
        for channel, node in wanted.items():
            if channel not in self._node_by_channel:
                self._subscription(node).add(channel)
                self._node_by_channel[channel] = node
        await self._close_idle()

    async def _initialize(self) -> None:
        if not isinstance(self._client, RedisCluster):
            return
        await self._client.initialize()
        if self._layout_changed:
            await self._client.nodes_manager.initialize()
            self._layout_changed = False

    def _on_lost(self) -> None:
        """Reads the layout of the cluster again: a channel has moved, or its node is gone."""
        self._layout_changed = True
        self._changed.set()

    def _node_of(self, channel: str) -> str:
        """The key of the subscription for a channel: `host:port` on a cluster, otherwise empty."""
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
        """Closes subscriptions without channels, whose nodes may have left the cluster."""
        for node in [n for n, each in self._subscriptions.items() if n and each.idle]:
            await self._subscriptions.pop(node).close()

    def _on_message(self, channel: str, version: int | None) -> None:
        watch = self._watches.get(channel)
        if watch is not None:
            watch.wake(version)


async def followed_events(
    watch: ChannelWatch, after: int, known: KnownVersion | None = None
) -> AsyncIterator[Sequence[StoredEvent]]:
    """Yields events as they are appended. If the store is unavailable, retries, except for the first read.

    Events up to the version that `known` returns are not read.
    """
    seen, started = 0, False
    while True:
        before, seen = seen, await watch.wait_for_round(after, seen)
        if known is not None and started:
            # The reply to an append of this process arrives together with the news of it, on another
            # connection. In the next iteration of the event loop both have been handled.
            await asyncio.sleep(0)
            after = max(after, known())
            if not watch.may_have(after, before):
                continue
        try:
            events = await watch.read(after, seen)
        except StoreUnavailable:
            if not started:
                raise
            await asyncio.sleep(FOLLOW_RETRY)
            seen = 0  # makes `news` return at once, so that the read is repeated
            continue
        started = True
        if events:
            after = events[-1].version
            yield events
