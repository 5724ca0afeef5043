"""Pipelines to the nodes of a cluster, each with a WAIT for the replicas of its node."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode, PipelineCommand
from redis.exceptions import AskError, ConnectionError, MovedError, SlotNotCoveredError, TimeoutError

from .commands import Command, Wait, key_of

LOST = (ConnectionError, TimeoutError, OSError)


class NodePipelines:
    """Sends commands to the nodes that hold their keys, and waits for the replicas of each node.

    The cluster pipelines of redis-py cannot do this: they choose a connection for each command by its key,
    and WAIT has no key. But it counts only on the connection that wrote.
    """

    def __init__(self, client: RedisCluster, wait: Wait) -> None:
        self._client, self._wait = client, wait

    async def send(self, commands: Sequence[Command]) -> Sequence[Any]:
        """Sends the commands in one pipeline per node, all at the same time. Returns the results in order."""
        await self._client.initialize()
        nodes: dict[ClusterNode, list[int]] = {}
        for number, command in enumerate(commands):
            nodes.setdefault(self._node_of(command), []).append(number)
        answers = await asyncio.gather(
            *(self._send_to(node, [commands[n] for n in numbers]) for node, numbers in nodes.items())
        )
        results = {
            n: a for pair in zip(nodes.values(), answers, strict=True) for n, a in zip(*pair, strict=True)
        }
        return [await self._redirected(command, results[n]) for n, command in enumerate(commands)]

    def _node_of(self, command: Command) -> ClusterNode:
        key: Any = key_of(command)
        node = self._client.get_node_from_key(key)
        if node is None:
            raise SlotNotCoveredError("a slot of the cluster is not covered")
        return node

    async def _send_to(self, node: ClusterNode, commands: Sequence[Command]) -> Sequence[Any]:
        """Sends commands and a WAIT to one node; a lost connection becomes the result of each command."""
        sent = [PipelineCommand(0, *command) for command in (*commands, self._wait.command)]
        try:
            await node.execute_pipeline(sent)
            results = [each.result for each in sent]
        except LOST as error:
            results = [error] * len(sent)
        if any(isinstance(result, LOST) for result in results):
            await self._client.aclose()  # makes the next call of initialize() read the new layout
        return self._wait.checked(*results)

    async def _redirected(self, command: Command, result: Any) -> Any:
        """Handles redirections: ASK is followed at once, MOVED updates the layout.

        Both errors count as retryable, so the batcher sends a command with MOVED again, to the new node.
        """
        if isinstance(result, MovedError):
            await self._client.nodes_manager.move_slot(result)
        elif isinstance(result, AskError):
            node = self._client.get_node(host=result.host, port=result.port)
            if node is not None:
                _, answer = await self._send_to(node, [("ASKING",), command])
                return answer
        return result
