"""Tests each topology with TLS only, and with a user that has only the listed permissions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gamehost.stores.redis.client import close_client, parse_redis_url
from gamehost.stores.redis.permissions import ON_A_CLUSTER, ON_A_SENTINEL, REDIS_COMMANDS, missing_permissions
from support.clusters import cluster_of
from support.sentinels import replicated
from support.servers import RedisServer, certificate, redis_server
from topologies.traffic import services, traffic

LOGIN = "gamehost:sesame@"
RIGHTS = "gamehost on >sesame ~shedu:* &shedu:* -@all"

Place = tuple[str, list[RedisServer]]
"""The URL, and everyone who keeps a log of what was not permitted."""


def user(*commands: str) -> str:
    return " ".join([RIGHTS, *(f"+{command}" for command in commands)])


def settings(folder: Path, *more: str) -> dict[str, str]:
    return {**certificate(folder), "user": user(*REDIS_COMMANDS, *more)}


@contextmanager
def standalone(folder: Path) -> Iterator[Place]:
    with redis_server(folder / "redis", **settings(folder)) as server:
        yield f"rediss://{LOGIN}127.0.0.1:{server.port}?", [server]


@contextmanager
def sentinel(folder: Path) -> Iterator[Place]:
    with replicated(folder, sentinel_user=user(*ON_A_SENTINEL), **settings(folder)) as found:
        login = "sentinel_username=gamehost&sentinel_password=sesame"
        url = f"{found.url_of(LOGIN, 'rediss')}?{login}&"
        yield url, [*found.servers, *found.sentinels]


@contextmanager
def cluster(folder: Path) -> Iterator[Place]:
    with cluster_of(folder, **settings(folder, *ON_A_CLUSTER)) as found:
        yield f"{found.url_of(LOGIN, 'rediss')}?", found.nodes


@pytest.mark.parametrize("place", [standalone, sentinel, cluster])
async def test_a_service_needs_only_what_is_listed_over_tls(
    place: Callable[[Path], contextmanager[Place]], tmp_path: Path
) -> None:
    with place(tmp_path) as (start, servers):
        url = f"{start}ssl_ca_certs={tmp_path / 'redis.crt'}"
        with services(tmp_path / "serve", "--redis", url, "--durability", "durable", count=1) as addresses:
            async with traffic(*addresses * 2, tables=2) as playing:
                pass
        client = parse_redis_url(url).client("shedu-doctor", timeout=3)
        lacking = await missing_permissions(client)
        await close_client(client)
        denied = [entry for server in servers for entry in await asyncio.to_thread(server.ask, "ACL LOG")]

    assert [] == lacking == denied
    assert playing.moves
