"""Whether a server takes what it is told: only a real write shows that."""

from __future__ import annotations

import uuid

from redis.asyncio import RedisCluster

from .batching import Client
from .durability import primaries
from .errors import as_store_error

MOMENT = 60  # seconds after which the write is gone, should it not be taken back


async def try_writing(client: Client) -> None:
    """Write on every primary and take it back; StoreUnavailable as a move would meet it."""
    try:
        for key in await keys(client):
            await client.execute_command("SET", key, "doctor", "EX", MOMENT)
            await client.execute_command("UNLINK", key)
    except Exception as error:
        raise as_store_error(error) from error


async def keys(client: Client) -> list[str]:
    """One for each primary."""
    if not isinstance(client, RedisCluster):
        return [fresh_key()]
    wanted, found = {node.name for node in await primaries(client)}, dict[str, str]()
    while wanted - found.keys():
        key = fresh_key()
        node = client.get_node_from_key(key)
        if node is None:
            break
        found[node.name] = key
    return list(found.values())


def fresh_key() -> str:
    return f"shedu:doctor:{uuid.uuid4().hex}"
