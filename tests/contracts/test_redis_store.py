"""Tests of what the Redis store promises beyond the port: connections, lost replies, restarts."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

import gamehost.stores
from gamehost.play.ports.event_log import (
    Appended,
    RequestKey,
    Snapshot,
    StoredEvent,
    StoreUnavailable,
)
from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.listings import Listing
from gamehost.stores.embedded import EmbeddedServer
from gamehost.stores.redis.permissions import ON_A_CLUSTER, REDIS_COMMANDS
from support.servers import Proxy, RedisServer, redis_server
from support.waiting import PATIENCE, until

from .conftest import At
from .test_event_store import Looks, follow, stored

# Files with other commands: options of the embedded server, checks of `shedu doctor`, server errors.
ADMINISTRATION = ("embedded.py", "permissions.py", "errors.py")


def connections(server: RedisServer, name: str) -> int:
    return sum(client["name"] == name for client in server.ask("CLIENT LIST"))


def subscriptions(server: RedisServer, game: str) -> int:
    return len(server.ask("PUBSUB SHARDCHANNELS", f"shedu:{{{game}*"))


@pytest.mark.parametrize("request_", [RequestKey("r", b"f"), None], ids=["with a request", "without"])
async def test_an_append_whose_reply_is_lost_is_applied_once(
    redis: RedisServer, game: str, request_: RequestKey | None, at: At
) -> None:
    async with Proxy(redis.port) as proxy:
        store = at(f"redis://127.0.0.1:{proxy.port}")
        await store.append(f"{game}0", [b"the script is known now"], expected=0)
        proxy.lose_reply_to(b"EVALSHA")

        appended = await store.append(game, [b"a"], expected=0, request=request_)

        assert (1, Appended(1, 1, repeated=True)) == (proxy.lost, appended)
        assert stored(b"a") == list(await store.read(game))


async def test_concurrent_appends_share_one_connection(redis: RedisServer, game: str, at: At) -> None:
    store = at(redis.url)

    answers = await asyncio.gather(*(store.append(f"{game}{n}", [b"a"], expected=0) for n in range(300)))

    assert [Appended(1, 1)] * 300 == answers
    assert 1 == connections(redis, "shedu-append")


async def test_a_damaged_game_fails_alone(redis: RedisServer, redis_store: EventStore, game: str) -> None:
    redis.ask("SET", f"shedu:{{{game}}}:requests", "damaged")

    damaged, *others = await asyncio.gather(
        *(redis_store.append(name, [b"a"], expected=0) for name in (game, *(f"{game}{n}" for n in range(5)))),
        return_exceptions=True,
    )

    assert isinstance(damaged, ResponseError)
    assert [Appended(1, 1)] * 5 == others
    assert 0 == await redis_store.version(game)


async def test_what_cannot_be_encoded_fails_alone(redis_store: EventStore, game: str) -> None:
    bad, good = await asyncio.gather(
        redis_store.append("\ud800", [b"a"], expected=0),
        redis_store.append(game, [b"a"], expected=0),
        return_exceptions=True,
    )

    assert isinstance(bad, UnicodeEncodeError)
    assert Appended(1, 1) == good


async def test_a_forgotten_script_is_sent_again(
    redis: RedisServer, redis_store: EventStore, game: str
) -> None:
    await redis_store.append(game, [b"a"], expected=0)
    redis.ask("SCRIPT FLUSH")

    answers = await asyncio.gather(
        *(redis_store.append(f"{game}{n}", [b"b"], expected=0) for n in range(5)),
    )

    assert [Appended(1, 1)] * 5 == answers


async def test_a_script_forgotten_in_a_restart_is_sent_again_however_long_it_took(
    redis: RedisServer, game: str, at: At
) -> None:
    async with Proxy(redis.port) as proxy:
        store = at(f"redis://127.0.0.1:{proxy.port}")
        redis.ask("SCRIPT FLUSH")
        proxy.lose_reply_to(b"EVAL", times=2)

        await store.append(game, [b"a"], expected=0)

        assert (2, stored(b"a")) == (proxy.lost, list(await store.read(game)))


async def test_a_repeated_request_writes_so_that_wait_counts(
    redis: RedisServer, redis_store: EventStore, game: str
) -> None:
    request = RequestKey("r", b"f")
    await redis_store.append(game, [b"a"], expected=0, request=request)
    before = redis.ask("INFO", "persistence")["rdb_changes_since_last_save"]

    await redis_store.append(game, [b"a"], expected=0, request=request)

    assert before < redis.ask("INFO", "persistence")["rdb_changes_since_last_save"]


async def test_the_seed_has_a_key_of_its_own(redis: RedisServer, redis_store: EventStore, game: str) -> None:
    await redis_store.append(
        game, [b"a"], expected=0, request=RequestKey("r", b"f"), seed=b"sec", summary=b"S"
    )
    await redis_store.save_snapshot(game, Snapshot(1, b"folded"))

    keys = {key: redis.ask("DUMP", key) for key in redis.ask("KEYS", f"shedu:{{{game}}}:*")}

    parts = {key.rsplit(b":", 1)[1] for key in keys}
    assert {b"events", b"requests", b"seed", b"snapshot", b"summary"} == parts
    assert [b"seed"] == [key.rsplit(b":", 1)[1] for key, value in keys.items() if b"sec" in value]


async def test_snapshots_are_disposable(redis: RedisServer, redis_store: EventStore, game: str) -> None:
    await redis_store.append(game, [b"a"], expected=0)
    await redis_store.save_snapshot(game, Snapshot(1, b"folded"))

    redis.ask("DEL", f"shedu:{{{game}}}:snapshot")

    assert await redis_store.snapshot(game) is None
    assert stored(b"a") == list(await redis_store.read(game))


async def test_all_followers_share_one_connection(redis: RedisServer, game: str, at: At) -> None:
    store = at(redis.url)
    followers = [asyncio.create_task(follow(store, f"{game}{n % 10}", after=0, upto=1)) for n in range(100)]
    await until(lambda: subscriptions(redis, game) == 10)

    await asyncio.gather(*(store.append(f"{game}{n}", [b"a"], expected=0) for n in range(10)))

    assert [stored(b"a")] * 100 == await asyncio.gather(*followers)
    assert 1 == connections(redis, "shedu-follow")


async def test_followers_of_a_game_share_their_reads(redis: RedisServer, game: str, at: At) -> None:
    store = at(redis.url)
    followers = [asyncio.create_task(follow(store, game, after=0, upto=1)) for _ in range(50)]
    await until(lambda: subscriptions(redis, game) == 1)
    await store.version(game)
    redis.ask("CONFIG RESETSTAT")

    await store.append(game, [b"a"], expected=0)
    await asyncio.gather(*followers)

    assert 2 >= redis.ask("INFO", "commandstats")["cmdstat_xrange"]["calls"]


async def test_what_a_follower_knows_already_is_not_read(redis: RedisServer, game: str, at: At) -> None:
    store, known, seen = at(redis.url), [0], list[StoredEvent]()

    async def follow_all() -> None:
        async for events in store.follow(game, after=0, known=lambda: known[0]):
            seen.extend(events)

    following = asyncio.create_task(follow_all())
    await until(lambda: subscriptions(redis, game) == 1)
    for version in (1, 2):
        known[0] = version
        await store.append(game, [b"known"], expected=version - 1)
    await store.append(game, [b"new"], expected=2)
    await until(lambda: seen)
    following.cancel()

    assert [StoredEvent(3, b"new")] == seen


async def test_the_last_follower_gives_the_subscription_up(
    redis: RedisServer, redis_store: EventStore, game: str
) -> None:
    await redis_store.append(game, [b"a"], expected=0)
    first, second = redis_store.follow(game, after=0), redis_store.follow(game, after=0)
    await anext(first)
    await anext(second)
    await until(lambda: subscriptions(redis, game) == 1)

    await first.aclose()  # type: ignore[attr-defined]
    await redis_store.append(game, [b"b"], expected=1)
    async with asyncio.timeout(PATIENCE):
        assert stored(b"b", after=1) == list(await anext(second))
    assert 1 == subscriptions(redis, game)
    await second.aclose()  # type: ignore[attr-defined]

    await until(lambda: subscriptions(redis, game) == 0)


async def test_a_follower_survives_the_loss_of_its_connection(
    redis: RedisServer, redis_store: EventStore, game: str
) -> None:
    seen = list[StoredEvent]()
    follower = asyncio.create_task(follow(redis_store, game, after=0, upto=2, seen=seen))
    await until(lambda: subscriptions(redis, game) == 1)

    redis.ask("CLIENT KILL", "TYPE", "pubsub")
    await redis_store.append(game, [b"a"], expected=0)
    await until(lambda: seen and subscriptions(redis, game) == 1)
    redis.ask("CLIENT KILL", "TYPE", "pubsub")
    await redis_store.append(game, [b"b"], expected=1)

    assert stored(b"a", b"b") == await follower


async def test_a_follower_looks_for_itself_when_nobody_tells(redis: RedisServer, game: str, at: At) -> None:
    store = at(redis.url, poll=0.3)
    looks = Looks(store)
    follower = asyncio.create_task(follow(store, game, after=0, upto=1, read=looks))
    await until(lambda: looks.made > 2)  # at first, when its subscription began, and by polling

    redis.ask("XADD", f"shedu:{{{game}}}:events", "1-0", "p", "silent")
    while not follower.done():  # other followers start and stop meanwhile
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(follow(store, f"other{game}", after=0, upto=1), 0.05)

    assert stored(b"silent") == await follower


async def test_nonsense_on_the_wire_does_not_deafen_a_follower(
    redis: RedisServer, redis_store: EventStore, game: str
) -> None:
    follower = asyncio.create_task(follow(redis_store, game, after=0, upto=1))
    await until(lambda: subscriptions(redis, game) == 1)

    redis.ask("SPUBLISH", f"shedu:{{{game}}}:news", "nonsense")
    await until(lambda: subscriptions(redis, game) == 1)
    await redis_store.append(game, [b"a"], expected=0)

    assert stored(b"a") == await follower


def test_every_command_of_the_store_is_listed_for_its_user() -> None:
    """A new command must be permitted in permissions.py, and in k8s/, which another test checks."""
    folder = Path(gamehost.stores.__file__).parent
    code = "".join(path.read_text() for path in folder.rglob("*.py") if path.name not in ADMINISTRATION)
    scripts = "".join(path.read_text() for path in folder.rglob("*.lua"))

    asked = re.findall(r'\(\s*"([A-Z]{3,}(?: [A-Z]+)?)"', code) + re.findall(r"call\('([A-Z]+)'", scripts)

    assert len(asked) > 20
    assert set() == {command.lower().replace(" ", "|") for command in asked} - {
        *REDIS_COMMANDS,
        *ON_A_CLUSTER,
    }


async def test_a_user_with_the_commands_listed_is_enough(folder: Path, game: str, at: At) -> None:
    with redis_server(folder) as server:
        allowed = [f"+{command}" for command in REDIS_COMMANDS]
        server.ask("ACL SETUSER", "app", "on", ">pw", "~shedu:*", "&shedu:*", *allowed)
        store = at(f"redis://app:pw@127.0.0.1:{server.port}")
        follower = asyncio.create_task(follow(store, game, after=0, upto=1))
        await until(lambda: subscriptions(server, game) == 1)

        await store.append(game, [b"a"], expected=0, request=RequestKey("r", b"f"), summary=b"S", seed=b"s")
        await store.save_snapshot(game, Snapshot(1, b"folded"))
        await store.add_to_list("shelf", Listing(game, 1))
        await store.remove_from_list("shelf", game)

        assert stored(b"a") == await follower
        assert [] == await store.list_page("shelf", before=None, limit=1)
        assert b"k" == await store.secret("k", b"k")
        assert (await store.durability()).durable


async def test_a_follower_ends_when_the_store_is_closed(redis: RedisServer, game: str, at: At) -> None:
    store = at(redis.url)
    follower = asyncio.create_task(follow(store, game, after=0, upto=1))
    await until(lambda: subscriptions(redis, game) == 1)

    await store.close()

    with pytest.raises(StoreUnavailable):
        await follower
    with pytest.raises(StoreUnavailable):
        await store.version(game)


@contextmanager
def restartable(kind: str, folder: Path) -> Iterator[tuple[Callable[[], None], Callable[[], None], str]]:
    server = RedisServer(folder) if kind == "redis" else EmbeddedServer(folder)
    server.start()
    try:
        yield server.stop, lambda: (server.start(), None)[1], server.url
    finally:
        server.stop()


@pytest.mark.parametrize("kind", ["redis", "embedded"])
async def test_a_restart_loses_nothing_and_followers_go_on(
    kind: str, folder: Path, game: str, at: At
) -> None:
    with restartable(kind, folder) as (stop, start, url):
        store, seen = at(url, poll=0.1), list[StoredEvent]()
        looks = Looks(store)
        await store.append(game, [b"a"], expected=0, request=RequestKey("r", b"f"), summary=b"S", seed=b"s")
        follower = asyncio.create_task(follow(store, game, after=0, upto=2, read=looks, seen=seen))
        await until(lambda: seen)

        await asyncio.to_thread(stop)
        await until(lambda: looks.failed)
        with pytest.raises(StoreUnavailable):
            await store.append(game, [b"b"], expected=1)
        await asyncio.to_thread(start)
        again = await store.append(game, [b"a"], expected=0, request=RequestKey("r", b"f"))
        await store.append(game, [b"b"], expected=1)

        assert Appended(1, 1, repeated=True) == again
        assert stored(b"a", b"b") == list(await store.read(game)) == await follower
        assert ([b"S"], b"s") == (list(await store.summaries([game])), await store.seed(game))


async def test_a_store_that_is_away_says_so_without_telling_secrets(folder: Path, game: str, at: At) -> None:
    away = RedisServer(folder)
    store = at(f"redis://someone:sesame@127.0.0.1:{away.port}")
    calls: list[Callable[[], object]] = [
        lambda: store.append(game, [b"a"], expected=0),
        lambda: store.read(game),
        lambda: store.version(game),
        store.ping,
        store.durability,
        lambda: anext(store.follow(game, after=0)),
    ]

    for call in calls:
        with pytest.raises(StoreUnavailable) as unavailable:
            await call()  # type: ignore[misc]
        assert "sesame" not in str(unavailable.value)
        assert "sesame" not in str(unavailable.value.__cause__)


async def test_a_wrong_password_is_not_tried_again_and_not_told(
    redis: RedisServer, game: str, at: At
) -> None:
    store = at(f"redis://someone:sesame@127.0.0.1:{redis.port}")
    before = redis.ask("INFO", "stats")["total_connections_received"]

    with pytest.raises(StoreUnavailable) as unavailable:
        await store.append(game, [b"a"], expected=0)

    own = 1
    after = redis.ask("INFO", "stats")["total_connections_received"]
    assert "the event store does not answer (AuthenticationError)" == str(unavailable.value)
    assert 1 == after - before - own


async def test_a_server_that_takes_no_writes_is_unavailable(folder: Path, game: str, at: At) -> None:
    with redis_server(folder, **{"min-replicas-to-write": "1"}) as server:
        store = at(server.url)

        with pytest.raises(StoreUnavailable):
            await store.append(game, [b"a"], expected=0)

        assert 0 == await store.version(game)


async def test_a_full_server_is_unavailable_and_keeps_what_it_has(folder: Path, game: str, at: At) -> None:
    with redis_server(folder) as server:
        store = at(server.url)
        await store.append(game, [b"a"], expected=0)
        server.ask("CONFIG SET", "maxmemory", 1)

        with pytest.raises(StoreUnavailable):
            await store.append(game, [b"b", b"c"], expected=1)

        assert stored(b"a") == list(await store.read(game))
