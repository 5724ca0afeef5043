"""The Redis commands that the store uses, and a check whether a user may run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import NoPermissionError, RedisError, ResponseError

from .batching import Client
from .commands import Part
from .durability import primaries
from .write_check import fresh_key

# Commands without a key. An empty tuple is a command that cannot be tried on its own.
GENERAL: Mapping[str, tuple[Part, ...]] = {
    "auth": (),
    "client|setname": ("CLIENT", "SETNAME", "shedu-doctor"),
    "config|get": ("CONFIG", "GET", "appendonly"),
    "hello": (),
    "info": ("INFO", "server"),
    "ping": ("PING",),
    "scan": ("SCAN", 0, "MATCH", "shedu:doctor:", "COUNT", 1),
    "time": ("TIME",),
    "wait": ("WAIT", 0, 1),
}
# Tried on a key with a string that expires after a minute. Commands for other types fail with WRONGTYPE,
# which shows that they are permitted, and change nothing.
ON_A_KEY: Mapping[str, tuple[Part, ...]] = {
    "set": ("SET", "KEY", "doctor", "EX", 60),
    "get": ("GET", "KEY"),
    "eval": ("EVAL", "return redis.call('GET', KEYS[1])", 1, "KEY"),
    "evalsha": ("EVALSHA", "0" * 40, 1, "KEY"),
    "expire": ("EXPIRE", "KEY", 60),
    "hdel": ("HDEL", "KEY", "field"),
    "hget": ("HGET", "KEY", "field"),
    "hgetall": ("HGETALL", "KEY"),
    "hset": ("HSET", "KEY", "field", "value"),
    "hsetnx": ("HSETNX", "KEY", "field", "value"),
    "incr": ("INCR", "KEY"),
    "xadd": ("XADD", "KEY", "1-0", "p", "x"),
    "xrange": ("XRANGE", "KEY", "-", "+"),
    "xrevrange": ("XREVRANGE", "KEY", "-", "+"),
    "zadd": ("ZADD", "KEY", 1, "member"),
    "zcard": ("ZCARD", "KEY"),
    "zmscore": ("ZMSCORE", "KEY", "member"),
    "zrange": ("ZRANGE", "KEY", 0, 1),
    "zrem": ("ZREM", "KEY", "member"),
    "zremrangebyrank": ("ZREMRANGEBYRANK", "KEY", 0, 0),
    "zrevrank": ("ZREVRANK", "KEY", "member"),
    "zscore": ("ZSCORE", "KEY", "member"),
    "unlink": ("UNLINK", "KEY"),
}
ON_A_CHANNEL: Mapping[str, tuple[Part, ...]] = {
    "spublish": ("SPUBLISH", "KEY", "doctor"),
    "ssubscribe": (),
    "sunsubscribe": (),
}
REDIS_COMMANDS = sorted({**GENERAL, **ON_A_KEY, **ON_A_CHANNEL})
# Needed in addition on each node of a cluster, and on sentinels, which have users of their own.
ON_A_CLUSTER: Mapping[str, tuple[Part, ...]] = {
    "asking": ("ASKING",),
    "cluster|slots": ("CLUSTER", "SLOTS"),
    "command": (),
}
ON_A_SENTINEL = ("auth", "hello", "client|setname", "ping", "sentinel|masters")


async def missing_permissions(client: Client) -> list[str]:
    """Tries each command and returns the names of those that the user may not run."""
    if not isinstance(client, RedisCluster):
        return await missing_at(client, client, {})
    found = [await missing_at(client, node, ON_A_CLUSTER) for node in await primaries(client)]
    return sorted({name for each in found for name in each})


async def missing_at(client: Client, server: Any, more: Mapping[str, tuple[Part, ...]]) -> list[str]:
    key = fresh_key()
    tried = {**GENERAL, **ON_A_KEY, **ON_A_CHANNEL, **more}
    found = [
        name
        for name, command in tried.items()
        if command and not await allowed(server, *(key if part == "KEY" else part for part in command))
    ]
    if "client|setname" in found:  # redis-py sends it on every new connection, so nothing else was tried
        return ["client|setname"]
    return sorted([*found, *([] if await may_subscribe(client, key) else ["ssubscribe"])])


async def allowed(server: Any, *command: Part) -> bool:
    """Whether a command is permitted. Any other error, also one of the wrong node, means that it is."""
    try:
        await server.execute_command(*command)
    except NoPermissionError:
        return False
    except ResponseError:
        return True
    return True


async def may_subscribe(client: Client, channel: str) -> bool:
    if not isinstance(client, Redis):
        return True
    async with client.pubsub() as listener:
        try:
            await listener.execute_command("SSUBSCRIBE", channel)
            await listener.parse_response(block=False, timeout=1)
        except NoPermissionError:
            return False
        except RedisError:
            return True
    return True
