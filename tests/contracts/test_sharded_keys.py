"""Tests that what grows with the number of games is spread over keys, and that old keys are read."""

from __future__ import annotations

import uuid

from gamehost.play.ports.listings import Listing
from gamehost.play.use_cases.payers import PAYER_REGISTRY
from support.servers import RedisServer

from .conftest import At

GAMES = [f"game{number:016d}" for number in range(300)]


async def test_no_key_has_more_than_a_share_of_all_games(redis: RedisServer, at: At) -> None:
    redis.ask("FLUSHALL")
    store = at(redis.url)
    for game in GAMES:
        await store.add_to_list("all", Listing(game, 1))
        await store.register(PAYER_REGISTRY, game, b"payer")

    sizes = [redis.ask("ZCARD", key) for key in redis.ask("KEYS", "shedu:shelf:*")]
    hashes = [redis.ask("HLEN", key) for key in redis.ask("KEYS", "shedu:book:*")]

    for found in (sizes, hashes):
        assert len(GAMES) == sum(found)
        assert max(found) < 2 * len(GAMES) / 16
    assert len(GAMES) == await store.list_size("all")
    assert set(GAMES) == (await store.all_registered(PAYER_REGISTRY)).keys()


async def test_lists_of_earlier_releases_are_read_and_emptied(redis: RedisServer, at: At) -> None:
    store, name = at(redis.url), uuid.uuid4().hex
    for score, game in enumerate(GAMES[:5]):
        redis.ask("ZADD", f"shedu:shelf:{name}", score, game)
    for score, game in enumerate(GAMES[3:8], 3):  # two of them again, as while a release is replaced
        await store.add_to_list(name, Listing(game, score))

    pages: list[Listing] = []
    while page := await store.list_page(name, before=pages[-1] if pages else None, limit=3):
        pages += page
    await store.remove_from_list(name, GAMES[1])
    await store.remove_from_list(name, GAMES[4])

    assert [Listing(GAMES[score], score) for score in range(7, -1, -1)] == pages
    left = await store.list_page(name, before=None, limit=9)
    assert [GAMES[each] for each in (7, 6, 5, 3, 2, 0)] == [each.game for each in left]


async def test_a_page_is_complete_however_games_are_spread(redis: RedisServer, at: At) -> None:
    store, name = at(redis.url), uuid.uuid4().hex
    for score, game in enumerate(GAMES[:200]):
        if score % 3:
            redis.ask("ZADD", f"shedu:shelf:{name}", score, game)
        else:
            await store.add_to_list(name, Listing(game, score))

    pages: list[Listing] = []
    while page := await store.list_page(name, before=pages[-1] if pages else None, limit=40):
        pages += page

    assert [Listing(GAMES[score], score) for score in range(199, -1, -1)] == pages


async def test_payers_of_earlier_releases_are_read_and_removed(redis: RedisServer, at: At) -> None:
    store, game = at(redis.url), uuid.uuid4().hex
    redis.ask("HSET", "shedu:book:payers", game, b"ann")

    before = await store.registered(PAYER_REGISTRY, game), await store.all_registered(PAYER_REGISTRY)
    await store.unregister(PAYER_REGISTRY, game)

    assert (b"ann", b"ann") == (before[0], before[1][game])
    assert await store.registered(PAYER_REGISTRY, game) is None


async def test_schedules_of_earlier_releases_are_worked_off(redis: RedisServer, at: At) -> None:
    redis.ask("FLUSHALL")
    store = at(redis.url)
    for score, game in enumerate(GAMES[:4]):
        redis.ask("ZADD", "shedu:{agenda:clocks}:due", score, game)
    await store.schedule("clocks", GAMES[9], 2)

    outlook = await store.outlook("clocks")
    first = await store.due("clocks", 9, limit=3, lease=100)
    rest = await store.due("clocks", 9, limit=3, lease=100)
    settled = [await store.settle("clocks", due, None) for due in (*first, *rest)]
    again = [await store.settle("clocks", due, None) for due in (*first, *rest)]

    assert (0, 5) == (outlook.earliest, outlook.games)
    assert [GAMES[0], GAMES[1], GAMES[2]] == [due.game for due in first]
    assert [GAMES[9], GAMES[3]] == [due.game for due in rest]
    assert ([True] * 5, [False] * 5) == (settled, again)
    assert [] == redis.ask("KEYS", "shedu:{agenda:clocks*")


async def test_a_schedule_of_all_games_is_spread(redis: RedisServer, at: At) -> None:
    redis.ask("FLUSHALL")
    store = at(redis.url)
    for game in GAMES:
        await store.schedule("archive", game, 1)

    sizes = [redis.ask("ZCARD", key) for key in redis.ask("KEYS", "shedu:{agenda:archive*")]

    assert len(GAMES) == sum(sizes)
    assert max(sizes) < 2 * len(GAMES) / 16
