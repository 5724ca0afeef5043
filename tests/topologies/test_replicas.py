"""Tests that a move counts when every replica has it: on Redis, on Valkey, and on a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import pytest

from gamehost.play.ports.event_log import Appended, RequestKey, StoredEvent, StoreUnavailable
from gamehost.stores.embedded import candidates
from gamehost.stores.redis.durability import WeakServer
from gamehost.stores.redis.store import RedisEventStore, connect
from support.clusters import cluster_of, slot_of
from support.sentinels import online
from support.servers import REPLICATED, Proxy, RedisServer
from support.waiting import PATIENCE, until, wait_until

PROGRAMS = {"redis": "redis-server", "valkey": next(candidates())}
HASTY = 0.06  # seconds; WAIT lasts half of that, while one replica hangs
MOVE = RequestKey("once", b"fingerprint")
UNKNOWN = "outcome is unknown .*, retry with the same request_id"
T = TypeVar("T")


@contextmanager
def followed(folder: Path, program: str = "redis-server", **settings: str) -> Iterator[list[RedisServer]]:
    """Starts a primary, and two replicas with these settings."""
    primary, *replicas = servers = [
        RedisServer(folder / str(n), program, **(REPLICATED | (settings if n else {}))) for n in range(3)
    ]
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.stop)
        primary.start()
        for replica in replicas:
            replica.follow(primary)
        wait_until(lambda: online(primary) == 2)
        yield servers


@pytest.fixture(scope="module", params=PROGRAMS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def servers(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    """A primary and two replicas, for tests that do not change them."""
    with followed(tmp_path_factory.mktemp(kind), PROGRAMS[kind]) as found:
        yield found


@asynccontextmanager
async def opened(url: str, replicas: int, timeout: float = PATIENCE) -> AsyncIterator[RedisEventStore]:
    """Opens the store as another process would.

    A short timeout limits only how long the server waits for its replicas; the timeout of the answer is long.
    """
    store = connect(f"{url}?socket_timeout={PATIENCE}", replicas=replicas, timeout=timeout)
    try:
        yield store
    finally:
        await store.close()


async def at_last(call: Callable[[], Awaitable[T]]) -> T:
    """Repeats a call until replicas that are slow, but do not hang, have caught up."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await call()
            except StoreUnavailable:
                continue


async def test_a_retry_is_not_answered_before_every_replica_has_the_move(
    kind: str, servers: list[RedisServer]
) -> None:
    primary, one, _ = servers
    async with opened(primary.url, 2) as store, opened(primary.url, 2, HASTY) as hasty:
        assert kind == (await store.durability()).server.split()[0]
        await store.append("r", [b"a"], expected=0)
        assert {1} == {server.ask("XLEN", "shedu:{r}:events") for server in servers}

        with one.hanging():
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match=UNKNOWN):
                    await hasty.append("r", [b"b"], expected=1, request=MOVE)
            async with opened(primary.url, 2, HASTY) as another:
                with pytest.raises(StoreUnavailable, match=UNKNOWN):
                    await another.append("r", [b"b"], expected=1, request=MOVE)
                with pytest.raises(StoreUnavailable, match=UNKNOWN):
                    await another.find_request("r", MOVE)
        again = await store.append("r", [b"b"], expected=1, request=MOVE)

    assert Appended(2, 2, repeated=True) == again
    assert {2} == {server.ask("XLEN", "shedu:{r}:events") for server in servers}


async def test_nobody_sees_a_move_before_every_replica_has_it(servers: list[RedisServer]) -> None:
    """A failover could undo it, and clients that saw it would continue from there."""
    primary, one, _ = servers
    async with opened(primary.url, 2) as store, opened(primary.url, 2, HASTY) as hasty:
        await store.append("g", [b"a"], expected=0, summary=b"summary")
        seen = list[Sequence[StoredEvent]]()
        watching = asyncio.create_task(at_last(lambda: watch(hasty, seen)))
        await until(lambda: seen)

        with one.hanging():
            with pytest.raises(StoreUnavailable, match=UNKNOWN):
                await hasty.append("g", [b"b"], expected=1, request=MOVE)
            async with opened(primary.url, 2, HASTY) as another:
                for reader in (hasty, another):
                    for look in (reader.version, reader.read, partial(reader.read, upto=2)):
                        with pytest.raises(StoreUnavailable, match="not on every replica yet, try again"):
                            await look("g")
            assert [StoredEvent(1, b"a")] == await store.read("g", upto=1)
            assert [[StoredEvent(1, b"a")]] == seen

        assert 2 == await store.version("g")
        assert [StoredEvent(1, b"a"), StoredEvent(2, b"b")] == await at_last(lambda: hasty.read("g"))
        await watching
        assert [[StoredEvent(1, b"a")], [StoredEvent(2, b"b")]] == seen


async def watch(store: RedisEventStore, seen: list[Sequence[StoredEvent]]) -> None:
    async with aclosing(cast("AsyncGenerator[Sequence[StoredEvent]]", store.follow("g", after=0))) as news:
        async for events in news:
            seen.append(events)
            if events[-1].version == 2:
                return


async def test_what_another_server_has_is_not_shown_for_what_the_primary_has(tmp_path: Path) -> None:
    """Right after a failover a connection may lead to the old primary, which has a lost move."""
    with followed(tmp_path) as (primary, one, _):
        async with (
            Proxy(primary.port) as proxy,
            opened(f"redis://127.0.0.1:{proxy.port}", 1) as store,
            opened(one.url, 0) as last,
        ):
            await store.append("g", [b"a"], expected=0, summary=b"summary")
            assert 1 == await store.version("g")
            one.ask("REPLICAOF", "NO", "ONE")
            await last.append("g", [b"lost"], expected=1)
            proxy.lead_to(one.port)
            hang_up(primary, "shedu-read")

            for look in (store.version, store.read):
                with pytest.raises(StoreUnavailable, match="the primary of the event store has changed"):
                    await look("g")


def hang_up(server: RedisServer, name: str) -> None:
    """Closes the connection of that name, which is opened again when it is needed."""
    for client in server.ask("CLIENT LIST"):
        if client["name"] == name:
            server.ask("CLIENT KILL", "ID", client["id"])


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
