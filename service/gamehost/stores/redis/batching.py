"""Sends the commands of concurrent callers in shared pipelines; those to a single server see `direct`.

One pipeline is under way at a time. Commands that arrive meanwhile form the next one, so batches grow with
the load, many callers share few round trips and one connection, and a single caller is not delayed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.exceptions import NoScriptError, RedisClusterException

from gamehost.play.ports.event_log import StoreUnavailable

from .cluster_pipeline import NodePipelines
from .commands import Command, Part, Wait, key_of
from .direct import DirectCommands
from .errors import as_store_error, may_retry

Client = Redis | RedisCluster
Scripts = Mapping[Part, str]
"""The source texts of Lua scripts by SHA-1 digest."""
NO_SCRIPTS: Scripts = {}

SEND_ATTEMPTS = 3
RESEND_SECONDS = 0.05  # seconds before the second attempt, doubled for each further one
LARGEST_BATCH = 128


@dataclass(slots=True)
class PendingCommand:
    """A command and the future that its caller awaits."""

    command: Command
    answer: asyncio.Future[Any]

    def resolve(self, result: Any) -> None:
        if self.answer.done():  # the caller was cancelled while the command was under way
            return
        if isinstance(result, BaseException):
            self.answer.set_exception(as_store_error(result))
        else:
            self.answer.set_result(result)


class CommandBatcher:
    """Sends all commands that arrived during the last round trip as one pipeline, one pipeline at a time.

    A command whose reply was lost is sent again, so every command must be safe to repeat. With `wait`, each
    pipeline ends with a WAIT for replicas.
    """

    def __init__(self, client: Client, *, scripts: Scripts = NO_SCRIPTS, wait: Wait | None = None) -> None:
        self._client = client
        self._scripts = scripts
        self._wait = wait
        self._node_pipelines = (
            NodePipelines(client, wait) if wait and isinstance(client, RedisCluster) else None
        )
        self._pending: deque[PendingCommand] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._reconnect = False

    def reconnect(self) -> None:
        """Uses a new connection for the next round trip, because the current one leads to a wrong server."""
        self._reconnect = True

    async def ask(self, *command: Part) -> Any:
        """Returns the answer to one command. Raises errors as the port defines them, see `as_store_error`."""
        pending = PendingCommand(encoded(command), asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())
        return await pending.answer

    async def close(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)

    async def _send(self) -> None:
        """Sends batches until no command is pending."""
        batch: list[PendingCommand] = []
        try:
            while self._pending:
                count = min(len(self._pending), LARGEST_BATCH)
                batch = [self._pending.popleft() for _ in range(count)]
                await self._send_batch(batch)
        except asyncio.CancelledError:
            for pending in (*batch, *self._pending):
                pending.resolve(StoreUnavailable("the event store is closed"))
            raise

    async def _send_batch(self, batch: Sequence[PendingCommand]) -> None:
        """Sends a batch, and repeats the commands that failed with an error that may pass."""
        for attempt in range(SEND_ATTEMPTS):
            results = await self._round_trip(batch)
            last = attempt == SEND_ATTEMPTS - 1
            batch = [
                p for p, result in zip(batch, results, strict=True) if self._must_repeat(p, result, last)
            ]
            if not batch:
                return
            # Commands that failed only because the script was not loaded are repeated without a pause.
            await asyncio.sleep(RESEND_SECONDS * 2**attempt if any(map(is_retryable, results)) else 0)

    def _must_repeat(self, pending: PendingCommand, result: Any, last: bool) -> bool:
        """Whether a command has to be sent again; otherwise its caller gets the result."""
        if last or not (is_retryable(result) or isinstance(result, NoScriptError)):
            pending.resolve(result)
            return False
        # The script was not loaded, or the command may now reach a server that was restarted or promoted and
        # has no scripts. EVAL works in any case, and loads the script for the next EVALSHA.
        if pending.command[0] == "EVALSHA":
            pending.command = ("EVAL", self._scripts[pending.command[1]], *pending.command[2:])
        return True

    async def _round_trip(self, batch: Sequence[PendingCommand]) -> Sequence[Any]:
        """Returns the result of each command of a batch; errors are results, too."""
        if self._reconnect and isinstance(self._client, Redis):
            self._reconnect = False
            await self._client.connection_pool.disconnect(inuse_connections=False)
        commands = [pending.command for pending in batch]
        try:
            if self._node_pipelines:
                return await self._node_pipelines.send(commands)
            return await self._send_pipeline(commands)
        except Exception as error:  # any error must reach the callers, or they would wait for ever
            return [error] * len(batch)

    async def _send_pipeline(self, commands: Sequence[Command]) -> Sequence[Any]:
        # WAIT covers the writes of its own connection, so it has to be the last command of the same pipeline.
        # One WAIT covers the whole batch.
        pipeline: Any = self._client.pipeline(transaction=False)
        for command in (*commands, *([self._wait.command] if self._wait else [])):
            pipeline.execute_command(*command)
        results: Sequence[Any] = await pipeline.execute(raise_on_error=False)
        return self._wait.checked(*results) if self._wait else results


class NodeBatchers:
    """One CommandBatcher for each node of a cluster, so that a node that hangs delays only its own games."""

    def __init__(
        self,
        client: Client,
        *,
        scripts: Scripts = NO_SCRIPTS,
        wait: Wait | None = None,
        on_ask: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_ask` is called before each command."""
        self._client = client
        self._scripts = scripts
        self._wait = wait
        self._on_ask = on_ask
        self._batchers: dict[str, CommandBatcher | DirectCommands] = {}
        self._closed = False

    async def ask(self, *command: Part) -> Any:
        if self._closed:
            raise StoreUnavailable("the event store is closed")
        self._on_ask()
        node = self._node_of(key_of(command))
        if node not in self._batchers:
            self._batchers[node] = self._new_batcher()
        return await self._batchers[node].ask(*command)

    def _new_batcher(self) -> CommandBatcher | DirectCommands:
        # Sentinel has a pool of its own, which finds the primary for each connection.
        pool = None if isinstance(self._client, RedisCluster) else self._client.connection_pool
        if self._wait is None and isinstance(self._client, Redis) and type(pool) is ConnectionPool:
            return DirectCommands(self._client, self._scripts)
        return CommandBatcher(self._client, scripts=self._scripts, wait=self._wait)

    def reconnect(self) -> None:
        for batcher in self._batchers.values():
            batcher.reconnect()

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(batcher.close() for batcher in self._batchers.values()))

    def _node_of(self, key: Part) -> str:
        """The name of the node that is believed to hold a key.

        It only chooses the batch. If it is outdated, the client still sends the command to the right node.
        """
        if isinstance(self._client, RedisCluster) and isinstance(key, str):
            with suppress(RedisClusterException):
                node = self._client.get_node_from_key(key)
                return node.name if node else ""
        return ""


def is_retryable(result: Any) -> bool:
    return isinstance(result, BaseException) and may_retry(result)


def encoded(command: Command) -> Command:
    """Encodes a command. A value that cannot be encoded fails here, for its caller, and not the batch."""
    name, *rest = command
    return (name, *(part.encode() if isinstance(part, str) else checked_part(part) for part in rest))


def checked_part(part: Any) -> bytes | int:
    if not isinstance(part, bytes | int):
        raise TypeError(f"a {type(part).__name__} cannot be stored")
    return part
