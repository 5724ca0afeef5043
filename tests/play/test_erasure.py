"""Tests that nothing is kept of players who have deleted their data, whatever is recorded at that time."""

from __future__ import annotations

import json
from typing import Any

from gamehost.play.players.histories import history_map, public_map
from gamehost.play.players.opponents import recent_map
from gamehost.play.players.players import ERASURE_PAUSE, PlayerSettings
from gamehost.play.players.rating_sequence import ratings_map
from gamehost.play.ports.maps import MapChange
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService

from .test_matchmaking import ticket
from .test_matchmaking_faults import InterruptedStore
from .test_rating_sequence import ratings_of, rebuilt


async def kept_of(service: KeyedService, player: str) -> set[str]:
    """Returns the maps that have something of a player, apart from games that others have played, too."""
    names = history_map(player), public_map(player), recent_map(player)
    maps = {name: await service.store.whole_map(name) for name in names}
    ranked = {name for name in maps if await service.store.ranking_size(name)}
    rated = {ratings_map("tides")} if f"player:{player}" in await ratings_of(service) else set()
    listed = await service.store.place_of(ratings_map("tides"), player) is not None
    return (
        {name for name, fields in maps.items() if fields} | ranked | rated | ({"listed"} if listed else set())
    )


async def erase(service: KeyedService, key: str) -> str:
    """Deletes the data of a caller; returns the player key that it had."""
    handle = (await service.call("GetProfile", key)).player.handle
    assert service.application.players
    profile = await service.application.players.profiles.with_handle(handle)
    await service.call("ErasePlayerData", key, handle=handle)
    return profile.key


async def test_games_that_are_recorded_after_an_erasure_bring_nothing_back() -> None:
    service = KeyedService(players=PlayerSettings(min_games=1))
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    for loser in (0, 1, 1):
        game_id, tokens = await service.shared_table(ann, bob, rated=True)
        await service.call("Resign", tokens[loser], game_id=game_id)
        await service.record_finished_games()
    game_id, tokens = await service.shared_table(ann, bob, rated=True)
    await service.call("Resign", tokens[1], game_id=game_id)
    service.now += 1

    erased = await erase(service, ann)
    await service.record_finished_games()

    assert set() == await kept_of(service, erased)
    # The game counts for the other player as if nobody had been erased.
    assert [4] == [json.loads(each)[2] for each in (await ratings_of(service)).values()]
    assert [] == await rebuilt(service)


async def test_a_rebuild_brings_nothing_back() -> None:
    service = KeyedService(players=PlayerSettings(min_games=1))
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    game_id, tokens = await service.shared_table(ann, bob, rated=True)
    await service.call("Resign", tokens[1], game_id=game_id)
    await service.record_finished_games()
    erased = await erase(service, ann)
    left = await ratings_of(service)
    lost = await service.store.whole_map(ratings_map("tides"))
    await service.store.change_map(ratings_map("tides"), MapChange(remove=list(lost)))

    await rebuilt(service, restore=True, lost=True)

    assert set() == await kept_of(service, erased)
    assert left == await ratings_of(service)


async def test_games_that_are_rated_again_after_an_erasure_bring_nothing_back() -> None:
    service = KeyedService(players=PlayerSettings(min_games=1))
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    late, tokens = await service.shared_table(bob, cid, rated=True)
    await service.call("Resign", tokens[1], game_id=late)
    schedule = await service.store.due("finished", service.now, limit=9, lease=100_000_000)
    assert service.application.players
    # As if it had ended in a process of a release that did not enter it.
    await service.application.players.ends.remove("tides", late)
    service.now += 1
    game_id, tokens = await service.shared_table(ann, bob, rated=True)
    await service.call("Resign", tokens[1], game_id=game_id)
    await service.record_finished_games()
    erased = await erase(service, ann)

    assert [late] == [each.game for each in schedule]
    assert 1 == len(await ratings_of(service))
    await service.record_finished_games(200)

    assert set() == await kept_of(service, erased)
    assert 2 == len(await ratings_of(service))
    assert [] == await rebuilt(service)


async def test_a_game_that_is_recorded_during_an_erasure_brings_nothing_back() -> None:
    store = MemoryEventStore()
    slow: Any = InterruptedStore(store, lambda name, _: name.startswith("player:"))
    first, second = KeyedService(slow), KeyedService(store)
    ann, bob = [await second.key(name) for name in ("ann", "bob")]
    game_id, tokens = await second.shared_table(ann, bob, rated=True)
    await second.call("GetProfile", ann)
    await second.call("Resign", tokens[1], game_id=game_id)
    slow.before = second.record_finished_games

    erased = await erase(first, ann)

    assert slow.before is None
    assert set() == await kept_of(second, erased)


async def test_recent_opponents_are_forgotten_also_those_of_tickets_that_wait() -> None:
    service = KeyedService()
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    for key in (ann, bob):
        await ticket(service, key)
    await service.match_tickets()
    former = (await service.profile("ann")).key
    met = await kept_of(service, former)
    for key in (ann, cid):
        await ticket(service, key)

    await erase(service, ann)
    left = await kept_of(service, former)
    await service.match_tickets()

    assert ({recent_map(former)}, set()) == (met, left)
    assert set() == await kept_of(service, former)
    assert recent_map((await service.profile("cid")).key) in await kept_of(
        service, (await service.profile("cid")).key
    )


async def test_a_caller_erases_its_data_at_most_every_ten_minutes() -> None:
    service = KeyedService()
    ann = await service.key("ann")
    await erase(service, ann)
    service.now += ERASURE_PAUSE - 1
    handle = (await service.call("GetProfile", ann)).player.handle

    early = await service.refusal("ErasePlayerData", ann, handle=handle)
    service.now += 1
    await erase(service, ann)

    assert "RESOURCE_EXHAUSTED" == early[0]
    assert 2 == len((await service.profile("ann")).erased)
