"""Tests of talk in every store: remarks in order, once for each request, and removed with their game."""

from __future__ import annotations

import asyncio

from contracts.conftest import Open
from gamehost.play.ports import talk_log
from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.talk_log import StoredRemark
from support.waiting import PATIENCE


async def test_remarks_are_numbered_in_order(store: EventStore, game: str) -> None:
    assert [] == list(await store.remarks(game, after=0))

    said = [await store.add_remark(game, payload) for payload in (b"a", b"b\x00", b"c")]

    assert said == list(await store.remarks(game, after=0))
    assert [b"a", b"b\x00", b"c"] == [remark.payload for remark in said]
    assert said == sorted(said, key=lambda remark: remark.number)
    assert said[1:2] == list(await store.remarks(game, after=said[0].number, limit=1))
    assert [] == list(await store.remarks(f"{game}x", after=0))


async def test_a_repeated_request_says_it_once(store: EventStore, game: str) -> None:
    first, again = [await store.add_remark(game, text, request="r1") for text in (b"a", b"b")]
    other = await store.add_remark(game, b"c", request="r2")

    assert (first, b"a") == (again, first.payload)
    assert [first, other] == list(await store.remarks(game, after=0))


async def test_only_the_newest_remarks_are_kept(store: EventStore, game: str) -> None:
    said = [await store.add_remark(game, b"%d" % n) for n in range(talk_log.MOST_REMARKS + 3)]

    assert said[3:] == list(await store.remarks(game, after=0))


async def test_others_are_told_of_new_remarks(another: Open, game: str) -> None:
    one, two = another(), another()
    first = await one.add_remark(game, b"a")
    following = two.follow_remarks(game, after=0)
    async with asyncio.timeout(PATIENCE):
        seen = [*(await anext(following))]
        second = await one.add_remark(game, b"b")
        seen += await anext(following)
    await following.aclose()  # type: ignore[attr-defined]

    assert [first, second] == seen


async def test_mutes_are_set_and_removed(store: EventStore, game: str) -> None:
    await store.set_mute(game, "0:1", muted=True)
    await store.set_mute(game, "0:1", muted=True)
    await store.set_mute(game, "1:0", muted=True)
    assert {"0:1", "1:0"} == await store.mutes(game)

    await store.set_mute(game, "0:1", muted=False)
    await store.set_mute(game, "2:1", muted=False)

    assert {"1:0"} == await store.mutes(game)


async def test_talk_is_removed_with_its_game(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0)
    await store.add_remark(game, b"a")
    await store.set_mute(game, "0:1", muted=True)

    assert await store.remove_game(game, 1)

    assert [] == list(await store.remarks(game, after=0))
    assert set() == await store.mutes(game)


async def test_talk_of_a_game_leaves_its_log_alone(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0)
    await store.add_remark(game, b"hello")

    assert 1 == await store.version(game)
    whole = await store.whole_game(game)
    assert whole is not None
    assert [b"a"] == list(whole.events)
    assert isinstance((await store.remarks(game, after=0))[0], StoredRemark)
