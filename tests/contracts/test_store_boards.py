"""Tests of boards: numbered marks, read and followed from any number on."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable

import pytest

from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.inbox_board import Mark
from support.waiting import PATIENCE, until

Open = Callable[[], EventStore]


@pytest.fixture
def board() -> str:
    return f"board-{uuid.uuid4().hex}"


async def follow_board(
    store: EventStore, board: str, seen: list[Mark], *, after: int, upto: int
) -> list[Mark]:
    """Follows a board until that number, appends the marks to `seen`, and returns it."""
    following = store.follow_marks(board, after=after)
    try:
        async with asyncio.timeout(PATIENCE):  # the store does not poll
            async for marks in following:
                assert marks
                seen += marks
                if seen[-1].number >= upto:
                    return seen
    finally:
        await following.aclose()  # type: ignore[attr-defined]
    raise AssertionError("a follower never ends by itself")


async def test_names_are_numbered_in_order(store: EventStore, board: str) -> None:
    assert 0 == await store.newest_mark(board)

    await store.mark(board, once=["a", "b"], again=["c"])
    await store.mark(board, again=["d"])

    assert [Mark(1, "a"), Mark(2, "b"), Mark(3, "c"), Mark(4, "d")] == list(await store.marks(board, after=0))
    assert [Mark(2, "b"), Mark(3, "c")] == list(await store.marks(board, after=1, limit=2))
    assert 4 == await store.newest_mark(board)


async def test_a_name_is_marked_once_or_again(store: EventStore, board: str) -> None:
    await store.mark(board, once=["a"], again=["b"])

    await store.mark(board, once=["a", "c"], again=["b"])

    assert [Mark(1, "a"), Mark(3, "c"), Mark(4, "b")] == list(await store.marks(board, after=0))
    assert [True, False, True] == list(await store.marked(board, ["a", "x", "b"]))
    assert [] == list(await store.marked(board, []))


async def test_whoever_heeds_a_board_misses_nothing(another: Open, board: str) -> None:
    here, there, seen = another(), another(), list[Mark]()
    await here.mark(board, again=["a"])
    following = asyncio.create_task(follow_board(here, board, seen, after=0, upto=4))
    await until(lambda: seen)

    await there.mark(board, again=["b"])
    await there.mark(board, again=["b", "c"])

    found = await following
    assert ["a", "b", "c"] == sorted({mark.name for mark in found})
    assert Mark(4, "c") == found[-1]
    assert sorted(mark.number for mark in found) == [mark.number for mark in found]


async def test_many_writers_share_no_number(another: Open, board: str) -> None:
    stores = [another() for _ in range(3)]

    await asyncio.gather(*(stores[i % 3].mark(board, once=[f"n{i}"]) for i in range(60)))

    marks = await stores[0].marks(board, after=0)
    assert list(range(1, 61)) == [mark.number for mark in marks]
    assert 60 == len({mark.name for mark in marks})


async def test_a_mark_returns_the_subscribers_of_its_board(store: EventStore, board: str) -> None:
    await store.subscribe(board, "ann")
    await store.subscribe(board, "bob")
    await store.subscribe(board, "ann")

    assert {"ann", "bob"} == {*await store.mark(board, again=["a"])}
    assert [] == list(await store.mark(f"{board}-other", again=["a"]))
    await store.unsubscribe(board, "ann")
    assert ["bob"] == list(await store.mark(board, once=["a"]))


async def test_a_removed_board_has_neither_marks_nor_subscribers(store: EventStore, board: str) -> None:
    await store.subscribe(board, "ann")
    await store.mark(board, again=["a", "b"])

    await store.remove_board(board)
    await store.remove_board(board)

    assert 0 == await store.newest_mark(board)
    assert [] == list(await store.marks(board, after=0))
    assert [] == list(await store.mark(board, again=["a"]))
