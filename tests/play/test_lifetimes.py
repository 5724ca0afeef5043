"""Tests the lifetimes of Redis keys in k8s/README.md, and their types in service/README.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamehost.play.inbox.index import all_games_list, inbox_board
from gamehost.play.ports.inbox_board import BOARD_SECONDS
from gamehost.play.ports.listings import Listing
from gamehost.stores import memory
from gamehost.stores.archive.files import FileArchive
from gamehost.stores.memory import MemoryEventStore
from gamehost.stores.redis import boards as redis_boards
from gamehost.stores.redis.store import connect
from support.keyed_service import KeyedService
from support.servers import redis_server
from support.service import Service

ROOT = Path(__file__).parents[2]
README = (ROOT / "k8s" / "README.md").read_text()
MAP = (ROOT / "service" / "README.md").read_text()
DAY = 86400


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with redis_server(tmp_path_factory.mktemp("redis"), appendfsync="everysec") as server:
        yield server


@pytest.fixture
async def store(server):
    server.ask("FLUSHALL")
    opened = connect(server.url)
    yield opened
    await opened.close()


def documented() -> dict[str, bool]:
    """Returns for each pattern of keys in the table of the README whether its keys expire."""
    table = README.partition("### What is kept, and how long")[2].partition("\n###")[0]
    kept = {}
    for keys, lifetime in re.findall(r"^\| (`shedu:.*?) \|.*\| (.*?) \|$", table, re.MULTILINE):
        first, *others = re.findall(r"`([^`]+)`", keys)
        stem = first.rpartition(":")[0]
        patterns = [first, *(f"{stem}:{other}" for other in others)]
        for pattern in patterns:
            kept[expression(pattern)] = "400 days" in lifetime or "a minute" in lifetime
    return kept


def expression(keys: str) -> str:
    return re.escape(keys).replace("<game>", "[a-z0-9]{20}").replace("…", ".+")


def documented_types() -> dict[str, str]:
    """Returns the type of each pattern of keys in the table of the map."""
    table = MAP.partition("## Redis keys")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(shedu:[^`]+)` \| (\w+) \|", table, re.MULTILINE)
    return {expression(keys): kind for keys, kind in rows}


async def test_every_key_is_documented_with_its_lifetime(server, store):
    service = KeyedService(store, expiry=DAY * 1_000_000, open_games=9, bot_only_games=9)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    game_id, tokens = await service.shared_table(ann, bob)
    await service.call("CreateGame", ann, title="tides", seats=[{}, {"bot_level": "random"}])
    await service.call("CreateGame", ann, title="tides", seats=[{"bot_level": "random"}] * 2)
    await service.finish(game_id, tokens)
    await store.count_up("calls", 60)
    await store.secret("service", b"secret")
    known = documented()

    found = {name.decode(): server.ask("TTL", name) for name in server.ask("KEYS", "*")}

    assert {"events", "marks", "due", "lanes"} <= {name.rpartition(":")[2] for name in found}
    for name, seconds in found.items():
        [goes] = [goes for pattern, goes in known.items() if re.fullmatch(pattern, name)]
        assert goes == (seconds > 0), name
    assert 0 <= BOARD_SECONDS - found[f"shedu:shelf:{all_games_list('key:ann')}"] < DAY
    assert 0 <= BOARD_SECONDS - found[f"shedu:board:{{{inbox_board('key:ann')}}}:newest"] < DAY


async def test_every_key_has_the_type_that_the_map_says(server, store):
    service = KeyedService(store, expiry=DAY * 1_000_000, open_games=9, bot_only_games=9)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    await service.shared_table(ann, bob)
    await service.call("CreateGame", ann, title="tides", seats=[{"bot_level": "random"}] * 2)
    await store.count_up("calls", 60)
    await store.secret("service", b"secret")
    documented = documented_types()

    found = {name.decode(): server.ask("TYPE", name).decode() for name in server.ask("KEYS", "*")}

    assert {"lanes", "due", "events"} <= {name.rpartition(":")[2] for name in found}
    for name, kind in found.items():
        assert {kind} == {told for keys, told in documented.items() if re.fullmatch(keys, name)}, name


async def test_after_a_game_is_put_away_only_lists_know_of_it(server, store, tmp_path):
    archive = FileArchive(tmp_path)
    archive.prepare()
    service = KeyedService(store, archive=archive)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    game_id, tokens = await service.shared_table(ann, bob)
    await service.finish(game_id, tokens)

    await service.archive_due_games()

    assert [] == server.ask("KEYS", f"*{game_id}*")
    shelves = {name.decode() for name in server.ask("KEYS", "shedu:shelf:*")}
    shared = [name for name in shelves if "mine:" not in name]
    assert ["shedu:shelf:all", "shedu:shelf:finished"] == sorted(name.rpartition(":")[0] for name in shared)
    assert [] == server.ask("KEYS", "shedu:{agenda:archive}:*")


@pytest.mark.parametrize("kind", ["memory", "redis"])
async def test_a_board_keeps_the_newest_marks(kind, store, monkeypatch):
    for module in (memory, redis_boards):
        monkeypatch.setattr(module, "MOST_MARKS", 3)
    board = store if kind == "redis" else MemoryEventStore()

    for name in "abcde":
        await board.mark("board", once=[name])

    assert ["c", "d", "e"] == [mark.name for mark in await board.marks("board", after=0)]
    assert 5 == await board.newest_mark("board")


async def test_a_game_that_was_never_written_is_taken_off_the_lists():
    service = KeyedService()
    ann = await service.key("ann")
    shelves = ("all", "gathering", all_games_list("key:ann"))
    for shelf in shelves:
        await service.store.add_to_list(shelf, Listing("a" * 20, service.now - 61_000_000))
        await service.store.add_to_list(shelf, Listing("b" * 20, service.now))

    for wish in ({}, {"joinable": True}, {"mine": True}):
        assert [] == list((await service.call("ListGames", ann, **wish)).games)

    for shelf in shelves:
        assert ["b" * 20] == [
            each.game for each in await service.store.list_page(shelf, before=None, limit=9)
        ]


async def test_a_game_in_which_nothing_happens_is_looked_at_ever_more_rarely():
    service = Service()
    created = await service.call("CreateGame", title="tides", seats=[{}, {"bot_level": "random"}])
    token = await service.join(created.game.game_id)
    await service.let_bots_play()
    before = service.background.counts["bots looked"]

    for _ in range(25 * 24):
        service.now += 3600 * 1_000_000
        await service.let_bots_play()

    looks = service.background.counts["bots looked"] - before
    assert 5 < looks < 20, looks
    await service.move(created.game.game_id, token)
    await service.let_bots_play()
    assert service.background.counts["tides random moved"]
