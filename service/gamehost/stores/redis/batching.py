"""Commands of concurrent callers share pipelined round trips on one connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import NoScriptError, RedisClusterException

from gamehost.play.ports.event_log import StoreUnavailable

from .cluster_pipeline import NodePipelines
from .commands import Command, Part, Wait, key_of
from .errors import as_store_error, may_retry

Client = Redis | RedisCluster
Scripts = Mapping[Part, str]
"""The texts of scripts by their digests."""
NO_SCRIPTS: Scripts = {}

ATTEMPTS = 3
PAUSE = 0.05
LARGEST_BATCH = 128


@dataclass(slots=True)
class PendingCommand:
    """A command and the caller that waits for its answer."""

    command: Command
    answer: asyncio.Future[Any]

    def settle(self, result: Any) -> None:
        if self.answer.done():
            return
        if isinstance(result, BaseException):
            self.answer.set_exception(as_store_error(result))
        else:
            self.answer.set_result(result)


class CommandBatcher:
    """Sends what has been asked for since the last round trip as one pipeline, one trip at a time.

    A command whose reply was lost is sent again, so every command must be safe to repeat.
    """

    def __init__(self, client: Client, *, scripts: Scripts = NO_SCRIPTS, wait: Wait | None = None) -> None:
        self._client = client
        self._scripts = scripts
        self._wait = wait
        self._trips = NodePipelines(client, wait) if wait and isinstance(client, RedisCluster) else None
        self._waiting: deque[PendingCommand] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._moved = False

    def reconnect(self) -> None:
        """Do the next round trip on another connection: this one leads to the wrong server."""
        self._moved = True

    async def ask(self, *command: Part) -> Any:
        """The answer to one command, or its error as the port knows it."""
        waiting = PendingCommand(encoded(command), asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())
        return await waiting.answer

    async def close(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)

    async def _send(self) -> None:
        batch: list[PendingCommand] = []
        try:
            while self._waiting:
                count = min(len(self._waiting), LARGEST_BATCH)
                batch = [self._waiting.popleft() for _ in range(count)]
                await self._settle(batch)
        except asyncio.CancelledError:
            for waiting in (*batch, *self._waiting):
                waiting.settle(StoreUnavailable("the event store is closed"))
            raise

    async def _settle(self, batch: Sequence[PendingCommand]) -> None:
        for attempt in range(ATTEMPTS):
            results = await self._round_trip(batch)
            last = attempt == ATTEMPTS - 1
            batch = [w for w, result in zip(batch, results, strict=True) if self._again(w, result, last)]
            if not batch:
                return
            await asyncio.sleep(PAUSE * 2**attempt if any(map(is_error, results)) else 0)

    def _again(self, waiting: PendingCommand, result: Any, last: bool) -> bool:
        """Settle one command, unless it has to be sent again."""
        if last or not (is_error(result) or isinstance(result, NoScriptError)):
            waiting.settle(result)
            return False
        if waiting.command[0] == "EVALSHA":  # whoever gets it next may not know the script
            waiting.command = ("EVAL", self._scripts[waiting.command[1]], *waiting.command[2:])
        return True

    async def _round_trip(self, batch: Sequence[PendingCommand]) -> Sequence[Any]:
        if self._moved and isinstance(self._client, Redis):
            self._moved = False
            await self._client.connection_pool.disconnect(inuse_connections=False)
        commands = [waiting.command for waiting in batch]
        try:
            return await (self._trips.send(commands) if self._trips else self._pipelined(commands))
        except Exception as error:  # whatever it is, the callers must hear of it
            return [error] * len(batch)

    async def _pipelined(self, commands: Sequence[Command]) -> Sequence[Any]:
        pipeline: Any = self._client.pipeline(transaction=False)
        for command in (*commands, *([self._wait.command] if self._wait else [])):
            pipeline.execute_command(*command)
        results: Sequence[Any] = await pipeline.execute(raise_on_error=False)
        return self._wait.judged(*results) if self._wait else results


class NodeBatchers:
    """On a cluster every node has round trips of its own: one that hangs holds up only its own games."""

    def __init__(
        self,
        client: Client,
        *,
        scripts: Scripts = NO_SCRIPTS,
        wait: Wait | None = None,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """`look` is called whenever something is asked."""
        self._client = client
        self._scripts = scripts
        self._wait = wait
        self._look = look
        self._lanes: dict[str, CommandBatcher] = {}
        self._closed = False

    async def ask(self, *command: Part) -> Any:
        if self._closed:
            raise StoreUnavailable("the event store is closed")
        self._look()
        node = self._node_of(key_of(command))
        if node not in self._lanes:
            self._lanes[node] = CommandBatcher(self._client, scripts=self._scripts, wait=self._wait)
        return await self._lanes[node].ask(*command)

    def reconnect(self) -> None:
        for lane in self._lanes.values():
            lane.reconnect()

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))

    def _node_of(self, key: Part) -> str:
        """The name of the node as far as it is known; the client finds the right one in any case."""
        if isinstance(self._client, RedisCluster) and isinstance(key, str):
            with suppress(RedisClusterException):
                node = self._client.get_node_from_key(key)
                return node.name if node else ""
        return ""


def is_error(result: Any) -> bool:
    return isinstance(result, BaseException) and may_retry(result)


def encoded(command: Command) -> Command:
    """The command in bytes, so that what cannot be encoded fails its caller and not the whole batch."""
    name, *rest = command
    return (name, *(part.encode() if isinstance(part, str) else checked(part) for part in rest))


def checked(part: Any) -> bytes | int:
    if not isinstance(part, bytes | int):
        raise TypeError(f"a {type(part).__name__} cannot be stored")
    return part
