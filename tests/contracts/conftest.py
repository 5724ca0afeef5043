"""Fixtures: the stores that the contract tests run on."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from gamehost.play.ports.event_store import EventStore
from gamehost.stores.embedded import EmbeddedServer
from gamehost.stores.memory import MemoryEventStore
from gamehost.stores.redis.store import RedisEventStore, connect
from support.clusters import cluster_of
from support.servers import RedisServer, redis_server
from support.waiting import PATIENCE

Open = Callable[[], EventStore]
At = Callable[..., RedisEventStore]
NEVER = 1e6  # seconds between two polls of a follower without a notification


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis"), appendfsync="everysec") as server:
        yield server


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path_factory.mktemp("embedded")) as server:
        yield server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    with cluster_of(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster.nodes


@pytest.fixture(params=["memory", "redis", "embedded", "cluster"])
def another(request: pytest.FixtureRequest, at: At) -> Open:
    """Opens the store as one more process would."""
    if request.param == "memory":
        memory = MemoryEventStore()
        return lambda: memory
    return lambda: at(url_of(request))


def url_of(request: pytest.FixtureRequest) -> str:
    server = request.getfixturevalue(request.param)
    if request.param == "cluster":
        return f"redis+cluster://127.0.0.1:{server[0].port}"
    url: str = server.url
    return url


@pytest.fixture
def store(another: Open) -> EventStore:
    return another()


@pytest.fixture
async def at() -> AsyncIterator[At]:
    """Opens the store at a URL, for the length of a test.

    By default its followers do not poll, so they see only what they are notified of, and its timeout is long.
    """
    opened: list[RedisEventStore] = []

    def open_one(url: str, *, timeout: float = PATIENCE, poll: float = NEVER) -> RedisEventStore:
        opened.append(connect(url, timeout=timeout, poll=poll))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
def redis_store(redis: RedisServer, at: At) -> RedisEventStore:
    return at(redis.url)


@pytest.fixture
def game() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"
