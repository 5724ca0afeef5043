"""Tests of the registry, the counters and the list sizes of every store."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import pytest

from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.listings import Listing
from support.waiting import PATIENCE

Open = Callable[[], EventStore]


@pytest.fixture
def book() -> str:
    return f"book-{uuid.uuid4().hex}"


async def test_a_name_is_entered_once(store: EventStore, book: str) -> None:
    entered = [await store.register(book, "ann", value) for value in (b"a", b"b", b"a")]

    assert [True, False, True] == entered
    assert b"a" == await store.registered(book, "ann")


async def test_a_struck_name_is_free_again(store: EventStore, book: str) -> None:
    await store.register(book, "ann", b"a")

    await store.unregister(book, "ann")
    await store.unregister(book, "ann")

    assert None is await store.registered(book, "ann")
    assert await store.register(book, "ann", b"b")


async def test_a_book_lists_what_is_in_it(store: EventStore, book: str) -> None:
    await store.register(book, "ann", b"a\x00")
    await store.register(book, "bob", b"b")

    assert {"ann": b"a\x00", "bob": b"b"} == dict(await store.all_registered(book))
    assert {} == dict(await store.all_registered(f"{book}-other"))


async def test_processes_count_together(another: Open, book: str) -> None:
    one, two = another(), another()

    counted = await asyncio.gather(*(store.count_up(book, 3600) for store in (one, two, one, two)))

    assert [1, 2, 3, 4] == sorted(counted)


async def test_a_count_begins_anew_after_a_while_however_often_it_is_asked(
    store: EventStore, book: str
) -> None:
    counts = [await store.count_up(book, 1)]

    async with asyncio.timeout(PATIENCE):
        while counts[-1] == len(counts):
            await asyncio.sleep(0.05)
            counts.append(await store.count_up(book, 1))

    assert [*range(1, len(counts)), 1] == counts


async def test_a_shelf_knows_how_many_are_on_it(store: EventStore, book: str) -> None:
    for game in ("a", "b", "a"):
        await store.add_to_list(book, Listing(game, 1))
    await store.remove_from_list(book, "b")

    assert (1, 0) == (await store.list_size(book), await store.list_size(f"{book}-other"))
