"""Tests of the Redis store with different servers: their settings, sentinels, nodes and replicas."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import uvloop

from gamehost.play.ports.event_log import Appended, StoredEvent, StoreUnavailable
from gamehost.stores.redis.client import close_client, parse_redis_url
from gamehost.stores.redis.durability import EvictingServer
from gamehost.stores.redis.errors import as_store_error
from gamehost.stores.redis.store import RedisEventStore
from support.sentinels import replicated
from support.servers import RedisServer, redis_server
from support.waiting import PATIENCE, until

from .conftest import At
from .test_event_store import follow, stored
from .test_redis_store import connections


async def test_an_evicting_server_is_refused(folder: Path, at: At) -> None:
    with redis_server(folder, **{"maxmemory-policy": "allkeys-lru"}) as server:
        store = at(server.url)

        with pytest.raises(EvictingServer, match="allkeys-lru"):
            await store.durability()


@pytest.mark.parametrize(
    ("settings", "text", "durable"),
    [
        (("appendonly", "yes", "appendfsync", "always"), "durable: append-only file, fsync always", True),
        (
            ("appendonly", "yes", "appendfsync", "everysec"),
            "append-only file, fsync every second: "
            "up to a second of acknowledged moves may be lost on a crash",
            False,
        ),
        (("appendonly", "no", "save", ""), "memory only: everything is lost on restart", False),
        (
            ("appendonly", "no", "save", "60 1"),
            "snapshots only: everything after the last snapshot is lost on a crash",
            False,
        ),
    ],
)
async def test_durability_says_what_is_in_force(
    folder: Path, settings: tuple[str, ...], text: str, durable: bool, at: At
) -> None:
    with redis_server(folder) as server:
        server.ask("CONFIG SET", *settings)
        store = at(server.url)

        found = await store.durability()

        assert (text, durable, "noeviction", 0) == (found.text, found.durable, found.policy, found.replicas)
        assert found.server.startswith("redis 7.")


async def test_durability_is_unknown_where_config_is_forbidden(folder: Path, at: At) -> None:
    with redis_server(folder, **{"maxmemory-policy": "volatile-ttl"}) as server:
        server.ask("ACL SETUSER", "app", "on", ">pw", "~shedu:*", "&shedu:*", "+@all", "-config")
        store = at(f"redis://app:pw@127.0.0.1:{server.port}")

        with pytest.raises(EvictingServer):
            await store.durability()
        server.ask("CONFIG SET", "maxmemory-policy", "noeviction")

        assert "append-only file, fsync unknown (CONFIG is not permitted)" == (await store.durability()).text


async def test_a_sentinel_names_the_server(tmp_path: Path, game: str, at: At) -> None:
    with replicated(tmp_path, replicas=0, sentinels=1) as topology:
        store = at(topology.url)
        await store.append(game, [b"a"], expected=0)

        seen = await follow(store, game, after=0, upto=1)

        assert [StoredEvent(1, b"a")] == seen


async def test_a_cluster_spreads_the_games(cluster: list[RedisServer], game: str, at: At) -> None:
    store = at(f"redis+cluster://127.0.0.1:{cluster[1].port},127.0.0.1:{cluster[0].port}")
    games = [f"{game}{n}" for n in range(60)]
    followers = [asyncio.create_task(follow(store, name, after=0, upto=1)) for name in games]
    await until(lambda: sum(connections(node, "shedu-follow") for node in cluster) == 3)

    answers = await asyncio.gather(*(store.append(name, [b"a"], expected=0) for name in games))

    assert [Appended(1, 1)] * 60 == answers
    assert [stored(b"a")] * 60 == await asyncio.gather(*followers)
    assert all(node.ask("KEYS", f"shedu:{{{game}*") for node in cluster)
    assert 2 >= max(
        connections(node, "shedu-append") for node in cluster
    )  # one reads the layout of the cluster
    assert isinstance(store, RedisEventStore)
    assert (await store.durability()).durable


async def test_a_node_that_hangs_holds_up_only_its_own_games(
    cluster: list[RedisServer], game: str, at: At
) -> None:
    store = at(f"redis+cluster://127.0.0.1:{cluster[0].port}")
    games = [f"{game}{n}" for n in range(30)]
    await asyncio.gather(*(store.append(name, [b"a"], expected=0) for name in games))
    hung = {key[7:].split(b"}")[0].decode() for key in cluster[2].ask("KEYS", f"shedu:{{{game}*:events")}

    with cluster[2].hanging():
        waiting = [asyncio.create_task(store.append(name, [b"b"], expected=1)) for name in hung]
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            others = [store.append(name, [b"b"], expected=1) for name in games if name not in hung]
            answers = await asyncio.gather(*others)
        held_up = [task for task in waiting if not task.done()]
        for task in waiting:
            task.cancel()

    assert [Appended(2, 2)] * len(answers) == answers
    assert waiting == held_up
    assert 0 < len(hung) < 30


def test_a_write_to_a_closed_connection_counts_as_an_unavailable_store(redis: RedisServer) -> None:
    """redis-py may write to a connection that a failover has just closed; uvloop has an error for it."""

    async def write_after_close() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", redis.port)
        writer.transport.abort()
        await until(lambda: "closed=True" in repr(writer.transport))
        writer.writelines([b"PING\r\n"])

    with pytest.raises(RuntimeError) as caught:
        uvloop.run(write_after_close())

    assert isinstance(as_store_error(caught.value), StoreUnavailable)


async def test_a_closed_cluster_client_leaves_no_connection_behind(cluster: list[RedisServer]) -> None:
    """Not even one that was opened after the client had dropped the others to read the layout again."""
    address = parse_redis_url(f"redis+cluster://127.0.0.1:{cluster[0].port}")
    client = address.client("shedu-closing", timeout=PATIENCE)
    await client.ping()
    await client.aclose()
    for node in client.get_nodes():
        await node.execute_command("PING")

    await close_client(client)

    await until(lambda: sum(connections(node, "shedu-closing") for node in cluster) == 0)
