"""Tests of the URLs of Redis: which are accepted, and how they are parsed."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis, RedisCluster

from gamehost.stores.redis.client import InvalidUrl, close_client, parse_redis_url


@pytest.mark.parametrize(
    ("url", "kind", "hosts", "service"),
    [
        ("redis://games", "single", (("games", 6379),), ""),
        ("redis://games:7000/3", "single", (("games", 7000),), ""),
        ("rediss://me:p%40ss@games", "single", (("games", 6379),), ""),
        ("redis://[::1]:7000", "single", (("::1", 7000),), ""),
        ("unix:///run/redis.sock", "single", (), ""),
        ("redis+sentinel://a:1,b/mygames", "sentinel", (("a", 1), ("b", 26379)), "mygames"),
        ("rediss+sentinel://me:pw@a:1,b:2/mygames/4", "sentinel", (("a", 1), ("b", 2)), "mygames"),
        ("redis+cluster://a:1", "cluster", (("a", 1),), ""),
        ("rediss+cluster://:pw@a:1,b:2", "cluster", (("a", 1), ("b", 2)), ""),
    ],
)
def test_urls_name_one_server_a_sentinel_or_a_cluster(
    url: str, kind: str, hosts: tuple[tuple[str, int], ...], service: str
) -> None:
    address = parse_redis_url(url)

    assert (kind, hosts, service) == (address.kind, address.hosts, address.service)
    assert url.startswith("rediss") == address.secure


@pytest.mark.parametrize(
    ("url", "client"),
    [
        ("redis://me:p%40ss@games:7000/3?socket_timeout=9", Redis),
        ("rediss://me:p%40ss@games:7000/3?ssl_cert_reqs=none", Redis),
        ("redis+sentinel://me:p%40ss@a:1,b:2/mygames/3", Redis),
        ("rediss+sentinel://me:p%40ss@a:1,b:2/mygames/3", Redis),
        ("redis+cluster://me:p%40ss@a:1,b:2", RedisCluster),
        ("rediss+cluster://me:p%40ss@a:1,b:2", RedisCluster),
    ],
)
async def test_the_client_gets_what_the_url_says(url: str, client: type[object]) -> None:
    made = parse_redis_url(url).client("name", timeout=2)

    told = made.get_connection_kwargs()
    assert type(made) is client
    assert ("me", "p@ss", "name") == (told["username"], told["password"], told["client_name"])
    assert (9 if "socket_timeout" in url else 2) == told["socket_timeout"]
    assert "cluster" in url or told["db"] == 3
    assert told["legacy_responses"] is False
    await close_client(made)


async def test_a_client_that_blocks_has_no_time_out_whatever_the_url_says() -> None:
    made = parse_redis_url("redis://games?socket_timeout=9").client("name", timeout=None)

    assert made.get_connection_kwargs()["socket_timeout"] is None
    await close_client(made)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "must be redis://"),
        ("games:6379", "must be redis://"),
        ("http://games", "must be redis://"),
        ("redis+proxy://games", "must be redis://"),
        ("unix+cluster:///run/redis.sock", "must be redis://"),
        ("unix://", "name the socket"),
        ("redis://", "name a host"),
        ("redis://[::1", "must be redis://"),
        ("redis://:sesame@", "name a host"),
        ("redis://:sesame@games:many", "port"),
        ("redis://:sesame@games:70000", "port"),
        ("redis://:sesame@a,b", "several hosts"),
        ("redis://:sesame@games/first", "database"),
        ("redis://:sesame@games/1/2", "database"),
        ("redis+sentinel://:sesame@a:1", "service"),
        ("redis+sentinel://:sesame@a:1/mygames/first", "database"),
        ("redis+cluster://:sesame@a:1/2", "database 0"),
        ("redis+cluster://a:1,,b:2", "name a host"),
        ("redis://:sesame@games?socket_timeout=long", "invalid value"),
        ("redis://:sesame@games?colour=red", "no option colour"),
    ],
)
def test_nonsense_is_refused_without_repeating_it(url: str, reason: str) -> None:
    with pytest.raises(InvalidUrl, match=reason) as invalid:
        parse_redis_url(url)

    assert isinstance(invalid.value, ValueError)
    assert "sesame" not in str(invalid.value)


def test_an_address_does_not_show_its_password() -> None:
    assert "sesame" not in repr(parse_redis_url("redis://me:sesame@games"))
