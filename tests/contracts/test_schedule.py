"""Tests of the schedule of every store: each due game is taken by one caller at a time."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from contracts.conftest import Open
from gamehost.play.ports.event_store import EventStore
from gamehost.play.ports.schedule import Outlook

NOW = 1_800_000_000_000_000
LEASE = 1_000


@pytest.fixture(params=["", "clocks"])
async def agenda(request: pytest.FixtureRequest, another: Open) -> str:
    """The name of an empty schedule: a new one, and one of all games, which is spread over several keys."""
    name: str = request.param or uuid.uuid4().hex
    await another().remove_schedule(name)
    return name


async def due(store: EventStore, agenda: str, now: int, limit: int = 10) -> list[tuple[str, int]]:
    return [(found.game, found.at) for found in await store.due(agenda, now, limit=limit, lease=LEASE)]


async def test_nothing_is_due_on_an_empty_agenda(store: EventStore, agenda: str) -> None:
    assert [] == await due(store, agenda, NOW)


async def test_a_game_comes_up_at_its_moment_and_not_before(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)

    assert [] == await due(store, agenda, NOW - 1)
    assert [("a", NOW)] == await due(store, agenda, NOW)


async def test_the_earliest_come_first_and_no_more_than_asked_for(store: EventStore, agenda: str) -> None:
    for game, at in (("c", NOW - 1), ("a", NOW - 3), ("b", NOW - 2)):
        await store.schedule(agenda, game, at)

    assert [("a", NOW - 3), ("b", NOW - 2)] == await due(store, agenda, NOW, limit=2)
    assert [("c", NOW - 1)] == await due(store, agenda, NOW, limit=2)


async def test_agendas_do_not_mix(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)

    assert [] == await due(store, f"{agenda}2", NOW)


async def test_a_moment_only_ever_moves_forward(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)
    await store.schedule(agenda, "a", NOW + 50)
    await store.schedule(agenda, "a", NOW - 50)

    assert [("a", NOW - 50)] == await due(store, agenda, NOW)


async def test_what_one_process_sees_to_no_other_is_given(another: Open, agenda: str) -> None:
    stores = [another(), another()]
    await stores[0].schedule(agenda, "a", NOW)

    found = await asyncio.gather(*(due(store, agenda, NOW) for store in stores * 4))

    assert [("a", NOW)] == [each for part in found for each in part]


async def test_what_nobody_settled_comes_up_again_after_the_lease(another: Open, agenda: str) -> None:
    await another().schedule(agenda, "a", NOW)
    await due(another(), agenda, NOW)

    assert [] == await due(another(), agenda, NOW + LEASE - 1)
    assert [("a", NOW + LEASE)] == await due(another(), agenda, NOW + LEASE)


async def test_a_settled_game_is_put_down_for_later(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)
    (found,) = await store.due(agenda, NOW, limit=1, lease=LEASE)

    assert await store.settle(agenda, found, NOW + 5 * LEASE)

    assert [] == await due(store, agenda, NOW + 5 * LEASE - 1)
    assert [("a", NOW + 5 * LEASE)] == await due(store, agenda, NOW + 5 * LEASE)


async def test_a_settled_game_is_taken_off(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)
    (found,) = await store.due(agenda, NOW, limit=1, lease=LEASE)

    assert await store.settle(agenda, found, None)

    assert [] == await due(store, agenda, NOW + 100 * LEASE)


@pytest.mark.parametrize("later", [-1, 1, 2 * LEASE])
async def test_what_was_scheduled_meanwhile_cannot_be_settled_away(
    store: EventStore, agenda: str, later: int
) -> None:
    await store.schedule(agenda, "a", NOW)
    (found,) = await store.due(agenda, NOW, limit=1, lease=LEASE)
    await store.schedule(agenda, "a", NOW + later)

    assert not await store.settle(agenda, found, None)

    assert [("a", NOW + min(later, LEASE))] == await due(store, agenda, NOW + 10 * LEASE)


async def test_a_lease_that_has_passed_on_settles_nothing(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)
    (first,) = await store.due(agenda, NOW, limit=1, lease=LEASE)
    (second,) = await store.due(agenda, NOW + LEASE, limit=1, lease=LEASE)

    assert not await store.settle(agenda, first, None)
    assert await store.settle(agenda, second, None)


async def test_a_moment_that_no_store_could_keep_is_refused(store: EventStore, agenda: str) -> None:
    with pytest.raises(ValueError, match="score"):
        await store.schedule(agenda, "a", 2**60)


async def test_the_outlook_tells_the_first_game_and_their_number(store: EventStore, agenda: str) -> None:
    assert Outlook(None, 0) == await store.outlook(agenda)

    await store.schedule(agenda, "b", NOW + 5)
    await store.schedule(agenda, "a", NOW)
    assert Outlook(NOW, 2) == await store.outlook(agenda)
    await store.due(agenda, NOW, limit=1, lease=LEASE)

    assert Outlook(NOW + 5, 2) == await store.outlook(agenda)


async def test_a_removed_schedule_is_empty(store: EventStore, agenda: str) -> None:
    await store.schedule(agenda, "a", NOW)
    [taken] = await store.due(agenda, NOW, limit=1, lease=LEASE)

    await store.remove_schedule(agenda)
    await store.remove_schedule(agenda)

    assert not await store.settle(agenda, taken, NOW)
    assert Outlook(None, 0) == await store.outlook(agenda)
