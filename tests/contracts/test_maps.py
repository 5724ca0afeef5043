"""Tests of maps: changes that are made completely or not at all, and rankings."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import pytest

from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.maps import MapChange, Ranked

Open = Callable[[], EventStore]


@pytest.fixture
def name() -> str:
    return f"map-{uuid.uuid4().hex}"


async def test_a_change_puts_and_removes_fields(store: EventStore, name: str) -> None:
    assert [None] == list(await store.map_fields(name, ["a"]))

    assert await store.change_map(name, MapChange(put={"a": b"1", "b": b"\x00 2", "c": b""}))
    assert await store.change_map(name, MapChange(put={"b": b"3"}, remove=["a", "z"]))

    assert [b"3", None, b""] == list(await store.map_fields(name, ["b", "a", "c"]))
    assert {"b": b"3", "c": b""} == await store.whole_map(name)


async def test_a_change_is_made_only_where_everything_is_as_expected(store: EventStore, name: str) -> None:
    await store.change_map(name, MapChange(put={"a": b"1", "empty": b""}, scores={"ann": 1}))

    refused = [
        {"a": b"2"},
        {"a": None},
        {"b": b"1"},
        {"b": b""},
        {"empty": None},
        {"a": b"1", "b": b"1"},
    ]
    for expect in refused:
        change = MapChange(expect, {"a": b"9", "n": b"9"}, ["empty"], {"ann": 9, "bob": 9}, ["ann"])
        assert not await store.change_map(name, change), expect

    assert {"a": b"1", "empty": b""} == await store.whole_map(name)
    assert [Ranked("ann", 1)] == list(await store.ranked(name, start=0, limit=9))
    assert await store.change_map(name, MapChange({"a": b"1", "empty": b"", "b": None}, {"a": b"2"}))
    assert [b"2"] == list(await store.map_fields(name, ["a"]))


async def test_a_ranking_is_in_order_of_score_and_name(store: EventStore, name: str) -> None:
    await store.change_map(name, MapChange(scores={"ann": 5, "bob": 7, "cid": 5, "dot": -3, "eve": 0}))

    await store.change_map(name, MapChange(scores={"dot": 9}, unrank=["eve", "nobody"]))

    everyone = [Ranked("dot", 9), Ranked("bob", 7), Ranked("cid", 5), Ranked("ann", 5)]
    assert everyone == list(await store.ranked(name, start=0, limit=100))
    assert everyone[1:3] == list(await store.ranked(name, start=1, limit=2))
    assert [] == list(await store.ranked(name, start=4, limit=2))
    assert [] == list(await store.ranked(name, start=0, limit=0))
    assert [0, 3, None] == [await store.place_of(name, member) for member in ("dot", "ann", "eve")]
    assert 4 == await store.ranking_size(name)


async def test_of_many_writers_one_wins_each_time(another: Open, name: str) -> None:
    stores = [another() for _ in range(3)]

    async def count_up(store: EventStore) -> None:
        while True:
            [found] = await store.map_fields(name, ["count"])
            raised = b"%d" % (int(found or b"0") + 1)
            if await store.change_map(name, MapChange({"count": found}, {"count": raised})):
                return

    await asyncio.gather(*(count_up(stores[i % 3]) for i in range(30)))

    assert [b"30"] == list(await stores[0].map_fields(name, ["count"]))
