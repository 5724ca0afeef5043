"""Checks by a real write whether a server accepts writes; no setting of the server tells that reliably."""

from __future__ import annotations

import uuid

from redis.asyncio import RedisCluster

from .batching import Client
from .durability import primaries
from .errors import as_store_error

EXPIRE_SECONDS = 60  # in case the key is not removed


async def try_writing(client: Client) -> None:
    """Writes and removes a key on every primary. Raises StoreUnavailable as an append would."""
    try:
        for key in await keys_by_primary(client):
            await client.execute_command("SET", key, "doctor", "EX", EXPIRE_SECONDS)
            await client.execute_command("UNLINK", key)
    except Exception as error:
        raise as_store_error(error) from error


async def keys_by_primary(client: Client) -> list[str]:
    """One new key for each primary. Keys are drawn at random until each primary of a cluster holds one."""
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
