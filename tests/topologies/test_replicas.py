"""A move counts when every replica has it: on Redis, on Valkey, and on a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import cast

import pytest

from gamehost.play.ports import Appended, Request, Stored, StoreUnavailable
from gamehost.stores.durability import WeakServer
from gamehost.stores.embedded import candidates
from gamehost.stores.redis import RedisEventStore, connect
from support.clusters import cluster_of, slot_of
from support.sentinels import online
from support.servers import RedisServer
from support.waiting import wait_until

PROGRAMS = {"redis": "redis-server", "valkey": next(candidates())}
HASTY = 0.3  # seconds
MOVE = Request("once", b"fingerprint")
UNKNOWN = "outcome is unknown .*, retry with the same request_id"


@contextmanager
def followed(folder: Path, program: str = "redis-server", **settings: str) -> Iterator[list[RedisServer]]:
    """A primary, and two replicas with those settings."""
    primary, *replicas = servers = [
        RedisServer(folder / str(n), program, **({"repl-diskless-sync-delay": "0"} | (settings if n else {})))
        for n in range(3)
    ]
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.stop)
        primary.start()
        for replica in replicas:
            replica.follow(primary)
        wait_until(lambda: online(primary) == 2)
        yield servers


@asynccontextmanager
async def opened(url: str, replicas: int, timeout: float = 5.0) -> AsyncIterator[RedisEventStore]:
    """As another process would; half of the time is for waiting."""
    store = connect(url, replicas=replicas, timeout=timeout)
    try:
        yield store
    finally:
        await store.close()


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_a_retry_is_not_answered_before_every_replica_has_the_move(kind: str, tmp_path: Path) -> None:
    with followed(tmp_path, PROGRAMS[kind]) as servers:
        primary, one, _ = servers
        async with opened(primary.url, 2) as store, opened(primary.url, 2, HASTY) as hasty:
            assert kind == (await store.durability()).server.split()[0]
            await store.append("g", [b"a"], expected=0)

            with one.hanging():
                for _ in range(2):
                    with pytest.raises(StoreUnavailable, match=UNKNOWN):
                        await hasty.append("g", [b"b"], expected=1, request=MOVE)
                async with opened(primary.url, 2, HASTY) as another:
                    with pytest.raises(StoreUnavailable, match=UNKNOWN):
                        await another.append("g", [b"b"], expected=1, request=MOVE)
                    with pytest.raises(StoreUnavailable, match=UNKNOWN):
                        await another.requested("g", MOVE)
            again = await store.append("g", [b"b"], expected=1, request=MOVE)

        assert Appended(2, 2, repeated=True) == again
        assert {2} == {server.ask("XLEN", "shedu:{g}:events") for server in servers}


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_nobody_sees_a_move_before_every_replica_has_it(kind: str, tmp_path: Path) -> None:
    """A failover could undo it, and those who saw it would go on from there."""
    with followed(tmp_path, PROGRAMS[kind]) as (primary, one, _):
        async with opened(primary.url, 2) as store, opened(primary.url, 2, HASTY) as hasty:
            await store.append("g", [b"a"], expected=0, summary=b"summary")
            seen = list[Sequence[Stored]]()
            watching = asyncio.create_task(watch(hasty, seen))
            while not seen:
                await asyncio.sleep(0.01)

            with one.hanging():
                with pytest.raises(StoreUnavailable, match=UNKNOWN):
                    await hasty.append("g", [b"b"], expected=1, request=MOVE)
                async with opened(primary.url, 2, HASTY) as another:
                    for reader in (hasty, another):
                        for look in (reader.version("g"), reader.read("g"), reader.read("g", upto=2)):
                            with pytest.raises(StoreUnavailable, match="not on every replica yet, try again"):
                                await look
                assert [Stored(1, b"a")] == await store.read("g", upto=1)
                assert [[Stored(1, b"a")]] == seen

            assert 2 == await store.version("g")
            assert [Stored(1, b"a"), Stored(2, b"b")] == await hasty.read("g")
            async with asyncio.timeout(20):
                await watching
            assert [[Stored(1, b"a")], [Stored(2, b"b")]] == seen


async def watch(store: RedisEventStore, seen: list[Sequence[Stored]]) -> None:
    async with aclosing(cast("AsyncGenerator[Sequence[Stored]]", store.follow("g", after=0))) as news:
        async for events in news:
            seen.append(events)
            if events[-1].version == 2:
                return


async def test_what_another_server_has_is_not_shown_for_what_the_primary_has(tmp_path: Path) -> None:
    """Right after a failover one connection may lead to the last primary, with a move that was lost."""
    with followed(tmp_path) as (primary, one, _):
        async with opened(primary.url, 1) as store, opened(one.url, 0) as last:
            await store.append("g", [b"a"], expected=0, summary=b"summary")
            one.ask("REPLICAOF", "NO", "ONE")
            await last.append("g", [b"lost"], expected=1)
            store._reads = last._reads

            for look in (store.version("g"), store.read("g")):
                with pytest.raises(StoreUnavailable, match="another server has become the primary"):
                    await look


async def test_more_replicas_than_are_waited_for_are_refused(tmp_path: Path) -> None:
    with followed(tmp_path, **{"replica-priority": "0"}) as (primary, one, other):
        async with opened(primary.url, 1) as store:
            found = await store.durability()
            with pytest.raises(WeakServer, match=r"with 1 replicas, but redis .* has 2, and any 1 of them"):
                found.demand("replicated", 1)
            found.demand("replicated", 2)

            await asyncio.to_thread(other.stop)
            other.follow(one)
            await asyncio.to_thread(wait_until, lambda: online(primary) == 1 == online(one))

            (await store.durability()).demand("replicated", 1)


async def test_a_cluster_waits_for_the_replica_of_the_node_that_wrote(tmp_path: Path) -> None:
    with cluster_of(tmp_path, replicas=1) as cluster:
        async with opened(cluster.url, 1) as store, opened(cluster.url, 1, HASTY) as hasty:
            (await store.durability()).demand("replicated", 1)
            mine, theirs = "a", "c"
            node = cluster.owner(slot_of(mine))
            assert node is not cluster.owner(slot_of(theirs))
            (replica,) = cluster.replicas(node)

            with replica.hanging():
                for _ in range(2):
                    with pytest.raises(StoreUnavailable, match=UNKNOWN):
                        await hasty.append(mine, [b"a"], expected=0, request=MOVE)
                elsewhere = await store.append(theirs, [b"a"], expected=0)
            again = await store.append(mine, [b"a"], expected=0, request=MOVE)

        assert (Appended(1, 1), Appended(1, 1, repeated=True)) == (elsewhere, again)
