"""Contract tests of `EventStore`, run on every adapter."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Sequence

import pytest

from gamehost.play.ports.event_log import (
    AnsweredRequest,
    Appended,
    ReadEvents,
    RequestKey,
    RequestReused,
    Snapshot,
    StaleVersion,
    StoredEvent,
    StoreUnavailable,
    WholeGame,
)
from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.listings import Listing
from support.waiting import PATIENCE, until

Open = Callable[[], EventStore]


class Looks:
    """Reads events for a follower, and counts the reads and the failed ones."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.made, self.failed = 0, 0

    async def __call__(self, game: str, after: int) -> Sequence[StoredEvent]:
        try:
            found = await self._store.read(game, after=after)
        except StoreUnavailable:
            self.failed += 1
            raise
        self.made += 1
        return found


async def follow(
    store: EventStore,
    game: str,
    *,
    after: int,
    upto: int,
    read: ReadEvents | None = None,
    seen: list[StoredEvent] | None = None,
) -> list[StoredEvent]:
    """Follows a game until that version, appends the events to `seen`, and returns it."""
    seen = [] if seen is None else seen
    following = store.follow(game, after=after, read=read)
    try:
        async with asyncio.timeout(PATIENCE):  # the store does not poll
            async for events in following:
                assert events
                seen += events
                if seen[-1].version >= upto:
                    return seen
    finally:
        await following.aclose()  # type: ignore[attr-defined]
    raise AssertionError("a follower never ends by itself")


def stored(*payloads: bytes, after: int = 0) -> list[StoredEvent]:
    return [StoredEvent(version, payload) for version, payload in enumerate(payloads, after + 1)]


async def test_versions_count_from_one_without_gaps(store: EventStore, game: str) -> None:
    first = await store.append(game, [b"a", b"b"], expected=0)
    second = await store.append(game, [b"c"], expected=2)

    assert (Appended(1, 2), Appended(3, 3)) == (first, second)
    assert stored(b"a", b"b", b"c") == list(await store.read(game))
    assert 3 == await store.version(game)


async def test_a_game_is_kept_whole_until_it_is_retired(another: Open, game: str) -> None:
    store, request = another(), RequestKey("r", b"f g")
    await store.append(game, [b"a", b"b"], expected=0, request=request, summary=b"s", seed=b"seed")
    await store.append(game, [b"c"], expected=2)
    await store.save_snapshot(game, Snapshot(3, b"x"))

    kept = await another().whole_game(game)
    refused, retired = await store.remove_game(game, 2), await store.remove_game(game, 3)

    assert WholeGame(game, [b"a", b"b", b"c"], b"seed", b"s", [AnsweredRequest(request, 1, 2)]) == kept
    assert (False, True, False) == (refused, retired, await store.remove_game(game, 3))
    assert None is await another().whole_game(game)
    assert (0, None, None) == (await store.version(game), await store.seed(game), await store.snapshot(game))
    assert None is await store.find_request(game, request)


async def test_all_games_are_found(store: EventStore) -> None:
    games = [uuid.uuid4().hex for _ in range(3)]
    for game in games:
        await store.append(game, [b"a"], expected=0)
    await store.remove_game(games[0], 1)

    found = [game async for game in store.games()]

    assert {*games[1:]} <= {*found}
    assert games[0] not in found
    assert len(found) == len({*found})


async def test_a_game_nobody_wrote_has_nothing(store: EventStore, game: str) -> None:
    found = (
        await store.version(game),
        list(await store.read(game)),
        await store.seed(game),
        await store.snapshot(game),
        await store.find_request(game, RequestKey("r", b"f")),
    )

    assert (0, [], None, None, None) == found


async def test_any_bytes_come_back_as_they_were(store: EventStore, game: str) -> None:
    payloads = [b"", b"\x00", bytes(range(256)), b"\r\n$3\r\n", b"x" * 100_000]

    await store.append(game, payloads, expected=0, summary=b"", seed=b"\x00 seed")

    assert payloads == [event.payload for event in await store.read(game)]
    assert ([b""], b"\x00 seed") == (list(await store.summaries([game])), await store.seed(game))


async def test_a_stale_append_names_both_versions_and_writes_nothing(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0, summary=b"old")

    with pytest.raises(StaleVersion) as stale:
        await store.append(
            game, [b"b", b"c"], expected=0, request=RequestKey("r", b"f"), summary=b"new", seed=b"s"
        )

    assert (0, 1) == (stale.value.expected, stale.value.actual)
    assert stored(b"a") == list(await store.read(game))
    assert [b"old"] == list(await store.summaries([game]))
    assert (None, None) == (await store.seed(game), await store.find_request(game, RequestKey("r", b"f")))


async def test_an_append_ahead_of_the_log_is_stale_too(store: EventStore, game: str) -> None:
    with pytest.raises(StaleVersion) as stale:
        await store.append(game, [b"a"], expected=7)

    assert (7, 0) == (stale.value.expected, stale.value.actual)


async def test_many_events_are_appended_at_once(store: EventStore, game: str) -> None:
    payloads = [b"%d" % number for number in range(20_000)]

    appended = await store.append(game, payloads, expected=0)

    assert Appended(1, 20_000) == appended
    assert payloads == [event.payload for event in await store.read(game)]


async def test_too_many_events_are_refused_before_anything_is_written(store: EventStore, game: str) -> None:
    with pytest.raises(ValueError, match="100001 events"):
        await store.append(game, [b""] * 100_001, expected=0)

    assert 0 == await store.version(game)


async def test_an_append_of_nothing_remembers_its_request(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0)

    appended = await store.append(game, [], expected=1, request=RequestKey("r", b"f"), summary=b"S")

    assert Appended(2, 1) == appended
    assert Appended(2, 1, repeated=True) == await store.find_request(game, RequestKey("r", b"f"))
    assert (1, [b"S"]) == (await store.version(game), list(await store.summaries([game])))


async def test_a_repeated_request_is_answered_as_the_first_time(store: EventStore, game: str) -> None:
    request = RequestKey("r", b"\x00f f")
    await store.append(game, [b"a"], expected=0)
    await store.append(game, [b"b", b"c"], expected=1, request=request, summary=b"first")
    await store.append(game, [b"d"], expected=3)

    again = await store.append(game, [b"b", b"c"], expected=1, request=request, summary=b"again", seed=b"s")

    assert Appended(2, 3, repeated=True) == again
    assert Appended(2, 3, repeated=True) == await store.find_request(game, request)
    assert stored(b"a", b"b", b"c", b"d") == list(await store.read(game))
    assert ([b"first"], None) == (list(await store.summaries([game])), await store.seed(game))


async def test_a_request_id_with_another_fingerprint_is_refused(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0, request=RequestKey("r", b"f"))

    with pytest.raises(RequestReused):
        await store.append(game, [b"b"], expected=1, request=RequestKey("r", b"other"))
    with pytest.raises(RequestReused):
        await store.find_request(game, RequestKey("r", b"other"))

    assert 1 == await store.version(game)


async def test_request_ids_belong_to_their_game(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0, request=RequestKey("r", b"f"))

    other = await store.append(f"{game}2", [b"b"], expected=0, request=RequestKey("r", b"g"))

    assert Appended(1, 1) == other


async def test_of_racing_writers_one_wins(another: Open, game: str) -> None:
    stores = [another(), another()]

    results = await asyncio.gather(
        *(stores[n % 2].append(game, [b"%d" % n, b"!"], expected=0) for n in range(20)),
        return_exceptions=True,
    )

    assert [Appended(1, 2)] == [result for result in results if isinstance(result, Appended)]
    assert 19 == sum(isinstance(result, StaleVersion) for result in results)
    winner = next(n for n, result in enumerate(results) if isinstance(result, Appended))
    assert stored(b"%d" % winner, b"!") == list(await stores[0].read(game))


async def test_a_request_sent_from_two_processes_counts_once(another: Open, game: str) -> None:
    stores = [another(), another()]
    request = RequestKey("r", b"f")

    results = await asyncio.gather(
        *(stores[n % 2].append(game, [b"a"], expected=0, request=request) for n in range(20))
    )

    assert [False, *[True] * 19] == sorted(result.repeated for result in results)
    assert {(1, 1)} == {(result.first, result.last) for result in results}
    assert 1 == await stores[0].version(game)


async def test_writers_that_try_again_all_get_in(another: Open, game: str) -> None:
    stores = [another(), another()]

    async def write(number: int) -> None:
        store = stores[number % 2]
        while True:
            try:
                await store.append(game, [b"%d" % number], expected=await store.version(game))
                return
            except StaleVersion:
                continue

    await asyncio.gather(*(write(number) for number in range(20)))

    log = await stores[1].read(game)
    assert list(range(1, 21)) == [event.version for event in log]
    assert set(range(20)) == {int(event.payload) for event in log}


async def test_reading_resumes_at_every_version(store: EventStore, game: str) -> None:
    log = stored(b"a", b"b", b"c", b"d")
    await store.append(game, [event.payload for event in log], expected=0)

    for after in range(5):
        assert log[after:] == list(await store.read(game, after=after))
        for upto in range(6):
            assert log[after:upto] == list(await store.read(game, after=after, upto=upto))


async def test_following_resumes_at_every_version(store: EventStore, game: str) -> None:
    log = stored(b"a", b"b", b"c", b"d")
    await store.append(game, [event.payload for event in log], expected=0)

    for after in range(4):
        assert log[after:] == await follow(store, game, after=after, upto=4)


async def test_a_follower_catches_up_then_waits(another: Open, game: str) -> None:
    here, there, seen = another(), another(), list[StoredEvent]()
    await here.append(game, [b"a", b"b"], expected=0)

    follower = asyncio.create_task(follow(here, game, after=1, upto=3, seen=seen))
    await until(lambda: seen)
    await there.append(game, [b"c"], expected=2)

    assert stored(b"b", b"c", after=1) == await follower


async def test_a_game_can_be_followed_before_it_begins(store: EventStore, game: str) -> None:
    looks = Looks(store)
    follower = asyncio.create_task(follow(store, game, after=0, upto=1, read=looks))
    await until(lambda: looks.made)
    await store.append(game, [b"a"], expected=0)

    assert stored(b"a") == await follower


async def test_followers_see_every_event_once(another: Open, game: str) -> None:
    here, there = another(), another()
    starts = [0, 0, 10, 25]

    async def write() -> None:
        for version in range(0, 100, 2):
            await there.append(game, [b"%d" % version, b"+"], expected=version)

    async def late(after: int) -> Sequence[StoredEvent]:
        while await here.version(game) < after:
            await asyncio.sleep(0.001)
        return await follow(here, game, after=after, upto=100)

    seen, _ = await asyncio.gather(asyncio.gather(*(late(after) for after in starts)), write())

    assert [list(range(after + 1, 101)) for after in starts] == [
        [event.version for event in events] for events in seen
    ]


async def test_a_follower_that_leaves_does_not_disturb_the_others(store: EventStore, game: str) -> None:
    leaving = store.follow(game, after=0)
    await store.append(game, [b"a"], expected=0)
    await anext(leaving)
    seen = list[StoredEvent]()
    staying = asyncio.create_task(follow(store, game, after=0, upto=2, seen=seen))
    await until(lambda: seen)

    await leaving.aclose()  # type: ignore[attr-defined]
    await store.append(game, [b"b"], expected=1)

    assert stored(b"a", b"b") == await staying


async def test_a_cancelled_append_does_not_disturb_the_others(store: EventStore, game: str) -> None:
    cancelled = asyncio.create_task(store.append(game, [b"a"], expected=0))
    others = [asyncio.create_task(store.append(f"{game}{n}", [b"a"], expected=0)) for n in range(5)]
    await asyncio.sleep(0)
    cancelled.cancel()

    async with asyncio.timeout(PATIENCE):
        assert [Appended(1, 1)] * 5 == await asyncio.gather(*others)


async def test_a_snapshot_is_kept_and_can_be_replaced(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0)
    await store.save_snapshot(game, Snapshot(1, b"\x00 one"))
    await store.save_snapshot(game, Snapshot(2, b""))

    assert Snapshot(2, b"") == await store.snapshot(game)
    assert stored(b"a") == list(await store.read(game))


async def test_the_seed_is_set_once(store: EventStore, game: str) -> None:
    await store.append(game, [b"a"], expected=0, seed=b"first")
    await store.append(game, [b"b"], expected=1, seed=b"second")

    assert b"first" == await store.seed(game)
    assert not [event for event in await store.read(game) if b"first" in event.payload]


async def test_summaries_are_the_newest_in_the_order_asked(store: EventStore, game: str) -> None:
    await store.append(f"{game}a", [b"1"], expected=0, summary=b"A")
    await store.append(f"{game}a", [b"2"], expected=1)
    await store.append(f"{game}b", [b"1"], expected=0, summary=b"B")
    await store.append(f"{game}b", [b"2"], expected=1, summary=b"BB")

    summaries = await store.summaries([f"{game}b", f"{game}none", f"{game}a"])

    assert [b"BB", None, b"A"] == list(summaries)
    assert [] == list(await store.summaries([]))


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize("whose", ["", "mine:"])
async def test_shelves_page_in_order_also_with_equal_scores(
    store: EventStore, whose: str, limit: int
) -> None:
    shelf = f"{whose}{uuid.uuid4().hex}"
    listings = [Listing(f"g{n}", score) for n, score in enumerate([5, 7, 7, 7, 7, -3, 0, 2**53])]
    for listing in listings:
        await store.add_to_list(shelf, listing)

    pages: list[Listing] = []
    while page := await store.list_page(shelf, before=pages[-1] if pages else None, limit=limit):
        assert len(page) <= limit
        assert len(pages) < len(listings), "the pages never end"
        pages += page

    assert sorted(listings, key=lambda listing: (listing.score, listing.game), reverse=True) == pages


async def test_a_game_stands_once_on_a_shelf_where_it_was_first_until_it_is_delisted(
    store: EventStore,
) -> None:
    shelf = uuid.uuid4().hex
    for listing in (Listing("a", 1), Listing("b", 2), Listing("a", 3)):
        await store.add_to_list(shelf, listing)
    assert [Listing("b", 2), Listing("a", 1)] == list(await store.list_page(shelf, before=None, limit=9))

    await store.remove_from_list(shelf, "a")
    await store.remove_from_list(shelf, "never there")

    assert [Listing("b", 2)] == list(await store.list_page(shelf, before=None, limit=9))
    assert [Listing("b", 2)] == list(await store.list_page(shelf, before=Listing("a", 3), limit=9))
    assert [] == list(await store.list_page(f"{shelf}2", before=None, limit=9))


async def test_a_score_that_would_be_rounded_is_refused(store: EventStore) -> None:
    with pytest.raises(ValueError, match="score"):
        await store.add_to_list(uuid.uuid4().hex, Listing("a", 2**53 + 1))


async def test_all_who_ask_for_a_secret_get_the_same(another: Open) -> None:
    stores, name = [another(), another()], uuid.uuid4().hex

    secrets = await asyncio.gather(*(stores[n % 2].secret(name, b"%d" % n) for n in range(20)))

    assert 1 == len(set(secrets))
    assert secrets[0] == await stores[0].secret(name, b"late")


async def test_a_store_that_is_there_answers(store: EventStore) -> None:
    await store.ping()


async def test_the_time_is_in_microseconds_since_1970(store: EventStore) -> None:
    began = time.time()

    assert began - 1 < await store.time() / 1e6 < time.time() + 1
