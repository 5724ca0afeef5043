"""Tests of the bot queues of every store: payers take turns, games with people come first, none is lost."""

from __future__ import annotations

import uuid

import pytest

from contracts.conftest import Open
from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.schedule import (
    LONG,
    QUICK,
    RECHECK,
    Backlog,
    BotQueueKey,
    DueGame,
    TakenGames,
    ThinkingPrice,
)

NOW = 1_800_000_000_000_000
LEASE = 1_000
SECOND = 1_000_000
FREE = ThinkingPrice({QUICK: 1, LONG: SECOND})
HALF = ThinkingPrice({QUICK: 1, LONG: SECOND}, weight=2.0, burst=3 * SECOND)


@pytest.fixture
def agenda() -> str:
    return uuid.uuid4().hex


async def take(
    store: EventStore, agenda: str, now: int = NOW, price: ThinkingPrice = FREE, **room: int
) -> list[DueGame]:
    lease = LEASE if price is FREE else 60 * SECOND
    taken = await store.take(agenda, now, room=room or {LONG: 100}, lease=lease, price=price)
    return list(taken.due)


async def games(
    store: EventStore, agenda: str, now: int = NOW, price: ThinkingPrice = FREE, **room: int
) -> list[str]:
    return [due.game for due in await take(store, agenda, now, price, **room)]


async def waiting(store: EventStore, agenda: str, now: int = NOW) -> list[Backlog]:
    taken: TakenGames = await store.take(agenda, now, room={}, lease=LEASE, price=FREE)
    return sorted(taken.waiting, key=str)


async def line_up(store: EventStore, agenda: str, queue_key: BotQueueKey, *names: str, at: int = NOW) -> None:
    for game in names:
        await store.schedule(agenda, game, at, queue_key)


async def test_a_game_waits_in_its_bot_queue_from_its_moment_on(store: EventStore, agenda: str) -> None:
    queue_key = BotQueueKey(LONG, False, "ann", "search")
    await line_up(store, agenda, queue_key, "a")

    assert [] == await take(store, agenda, NOW - 1)
    [due] = await take(store, agenda)
    assert ("a", NOW, queue_key) == (due.game, due.at, due.queue_key)
    assert [] == await take(store, agenda)


async def test_each_queue_has_room_of_its_own(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, payer="eve"), "a", "b", at=NOW - 9)
    await line_up(store, agenda, BotQueueKey(QUICK, payer="ann"), "c")

    assert [] == await games(store, agenda, quick=0)
    assert ["c"] == await games(store, agenda, quick=2)
    assert ["a"] == await games(store, agenda, long=1)


async def test_payers_take_turns_however_many_games_one_of_them_has(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, payer="eve"), *(f"eve{n}" for n in range(6)), at=NOW - 100)
    await take(store, agenda, long=1)
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), "ann0", "ann1")
    await line_up(store, agenda, BotQueueKey(LONG, payer="bob"), "bob0")

    first = await games(store, agenda, long=2)
    then = await games(store, agenda, long=4)

    assert {"ann0", "bob0"} == set(first)
    assert {"eve1", "ann1", "eve2", "eve3"} == set(then)


async def test_who_has_thought_for_longer_waits_for_longer(store: EventStore, agenda: str) -> None:
    for payer in ("ann", "eve"):
        await line_up(store, agenda, BotQueueKey(LONG, payer=payer), *(f"{payer}{n}" for n in range(4)))
    for due in await take(store, agenda, long=2):
        costs = {"ann": -SECOND + 1, "eve": 2 * SECOND}
        assert await store.settle(agenda, due, None, due.queue_key, costs[due.queue_key.payer])

    assert ["ann1", "ann2"] == await games(store, agenda, long=2)


async def test_thinking_is_paid_for_although_the_game_was_scheduled_meanwhile(
    store: EventStore, agenda: str
) -> None:
    for payer in ("ann", "eve"):
        await line_up(store, agenda, BotQueueKey(LONG, payer=payer), f"{payer}0", f"{payer}1", f"{payer}2")
    for due in await take(store, agenda, long=2):
        await line_up(store, agenda, due.queue_key, due.game, at=NOW + SECOND)
        costs = {"ann": -SECOND + 1, "eve": 2 * SECOND}
        assert not await store.settle(agenda, due, None, due.queue_key, costs[due.queue_key.payer])

    assert ["ann1", "ann2"] == await games(store, agenda, long=2)


async def test_who_comes_later_has_a_turn_before_who_had_one_since_and_used_little(
    store: EventStore, agenda: str
) -> None:
    """On a busy machine a bot may use little CPU time in a long time: its payer is charged almost nothing."""
    await line_up(store, agenda, BotQueueKey(LONG, payer="eve"), *(f"eve{n}" for n in range(9)))

    async def turn(now: int) -> str:
        [due] = await take(store, agenda, now, HALF, long=1)
        assert await store.settle(agenda, due, None, due.queue_key, -SECOND + 1)
        await waiting(store, agenda, now + SECOND // 2)  # a process without free capacity asks, too
        return due.game[:3]

    before = [await turn(NOW + number * SECOND) for number in range(3)]
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), "ann0", at=NOW + 3 * SECOND)
    after = [await turn(NOW + number * SECOND) for number in range(3, 6)]

    assert ["eve"] * 3 == before
    assert "ann" in after[:2]


async def test_what_one_used_alone_is_soon_forgotten(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, payer="eve"), *(f"eve{n:02}" for n in range(40)))
    assert 20 == len(await take(store, agenda, price=HALF, long=20))
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), *(f"ann{n:02}" for n in range(20)))

    taken = [
        game
        for turn in range(12)
        for game in await games(store, agenda, NOW + turn * SECOND // 10, HALF, long=1)
    ]

    assert ["ann"] * 5 == [game[:3] for game in taken[:5]]
    assert {"ann", "eve"} == {game[:3] for game in taken[5:]}


async def test_the_background_comes_last_and_comes(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, True, "eve"), "eve0", "eve1", at=NOW - 100)
    await line_up(store, agenda, BotQueueKey(LONG, False, "ann"), "ann0", "ann1")

    assert ["ann0", "ann1"] == await games(store, agenda, long=2)
    assert ["eve0", "eve1"] == await games(store, agenda, long=2)


async def test_the_background_is_limited_in_time_for_each_payer(store: EventStore, agenda: str) -> None:
    """In this test a second of thinking counts twice, and three seconds may be used in advance."""
    await line_up(store, agenda, BotQueueKey(LONG, True, "eve"), *(f"eve{n}" for n in range(6)))
    await line_up(store, agenda, BotQueueKey(LONG, True, "ann"), "ann0")

    first = await games(store, agenda, price=HALF)
    at_once = await games(store, agenda, price=HALF)
    soon = await games(store, agenda, NOW + SECOND - 1, HALF)
    later = await games(store, agenda, NOW + SECOND, HALF)
    much_later = await games(store, agenda, NOW + 20 * SECOND, HALF)

    assert {"ann0", "eve0", "eve1"} == set(first)
    assert ([], [], ["eve2"]) == (at_once, soon, later)
    assert "eve3" in much_later


async def test_people_are_not_limited_in_time(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, False, "ann"), *(f"ann{n}" for n in range(9)))

    assert 9 == len(await take(store, agenda, price=HALF))


async def test_a_lease_is_renewed_until_it_has_ended(another: Open, agenda: str) -> None:
    mine, theirs = another(), another()
    await line_up(mine, agenda, BotQueueKey(LONG), "a")
    [due] = await take(mine, agenda)

    renewed = await mine.renew(agenda, due, NOW + 3 * LEASE)
    before = await take(theirs, agenda, NOW + 3 * LEASE - 1)
    [after] = await take(theirs, agenda, NOW + 3 * LEASE)

    assert (True, []) == (renewed, before)
    assert not await mine.renew(agenda, due, NOW + 9 * LEASE)
    assert not await mine.settle(agenda, due, None, due.queue_key)
    assert await theirs.settle(agenda, after, None, after.queue_key)
    assert [] == await take(mine, agenda, NOW + 2 * RECHECK)


async def test_a_settled_game_waits_next_time_where_it_belongs_then(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, False, "ann", "search"), "a")
    [due] = await take(store, agenda)

    assert await store.settle(agenda, due, NOW + 5, BotQueueKey(QUICK, True, "ann", "greedy"))

    assert [] == await take(store, agenda, NOW + 5, long=1)
    [again] = await take(store, agenda, NOW + 5, quick=1)
    assert ("a", NOW + 5, BotQueueKey(QUICK, True, "ann", "greedy")) == (
        again.game,
        again.at,
        again.queue_key,
    )


async def test_a_game_that_moves_to_another_bot_queue_waits_once(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, False, "ann", "search"), "a")
    assert [Backlog(LONG, False, "search", 1)] == await waiting(store, agenda)

    await line_up(store, agenda, BotQueueKey(QUICK, False, "ann", "greedy"), "a")

    assert [Backlog(QUICK, False, "greedy", 1)] == await waiting(store, agenda)
    assert ["a"] == await games(store, agenda, long=9, quick=9)
    assert [] == await waiting(store, agenda)


async def test_how_many_wait_is_told_by_queue_and_level(store: EventStore, agenda: str) -> None:
    await line_up(store, agenda, BotQueueKey(LONG, True, "eve", "search"), "a", "b", "c")
    await line_up(store, agenda, BotQueueKey(LONG, True, "ann", "search"), "d")
    await line_up(store, agenda, BotQueueKey(QUICK, False, "ann", "greedy"), "e")
    await take(store, agenda, long=1)

    expected = [Backlog(LONG, True, "search", 3), Backlog(QUICK, False, "greedy", 1)]
    assert expected == await waiting(store, agenda)


@pytest.mark.parametrize("later", [-1, 1, 2 * LEASE])
async def test_what_was_scheduled_meanwhile_cannot_be_settled_away(
    store: EventStore, agenda: str, later: int
) -> None:
    await line_up(store, agenda, BotQueueKey(LONG), "a")
    [due] = await take(store, agenda)
    await line_up(store, agenda, BotQueueKey(LONG), "a", at=NOW + later)

    assert not await store.settle(agenda, due, None, due.queue_key)

    assert ["a"] == await games(store, agenda, NOW + 10 * LEASE)


async def test_a_game_without_a_queue_key_waits_too(store: EventStore, agenda: str) -> None:
    """An earlier release schedules games without one."""
    await store.schedule(agenda, "old", NOW)
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), "new")

    assert {"old", "new"} == set(await games(store, agenda))


async def test_a_game_that_waits_in_a_bot_queue_is_found_by_a_worker_without_queues(
    store: EventStore, agenda: str
) -> None:
    """A rollback to an earlier release needs this."""
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), "a")
    await waiting(store, agenda)

    found = await store.due(agenda, NOW + RECHECK, limit=1, lease=LEASE)

    assert ["a"] == [due.game for due in found]


async def test_a_bot_that_was_taken_up_is_not_asked_before_the_time_it_was_scheduled_for(
    store: EventStore, agenda: str
) -> None:
    """The lease ends before that time, which must not make it due."""
    await line_up(store, agenda, BotQueueKey(LONG, payer="ann"), "a")
    [due] = await take(store, agenda)
    await store.schedule(agenda, "a", NOW + 5 * SECOND, due.queue_key)

    early, in_time = await games(store, agenda, NOW + 2 * LEASE), await games(store, agenda, NOW + 5 * SECOND)

    assert ([], ["a"]) == (early, in_time)


async def test_thinking_is_paid_for_although_others_were_taken_up_in_between(
    store: EventStore, agenda: str
) -> None:
    """In the background queue, in which a payer waits when its time is used up."""
    background = BotQueueKey(LONG, True, "ann")
    await line_up(store, agenda, background, "a", "b")
    [due] = await take(store, agenda, NOW, HALF, long=1)
    later = NOW + 10 * SECOND
    await take(store, agenda, later, HALF, quick=1)
    await store.settle(agenda, due, None, background, 60 * SECOND)

    assert [] == await games(store, agenda, later, HALF, long=1)
