"""Folded games: cached within bounds, checked against the store, and rebuilt from the log alone."""

from __future__ import annotations

import asyncio
import random

from gamehost.play import tables
from gamehost.play.ports import Snapshot
from gamehost.play.tables import Tables
from gamehost.rules.catalog import CATALOG
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_pb2
from support.world import Service


async def test_another_process_sees_what_this_one_wrote():
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    game_id, (ann, bob) = await here.table("Ann", "Bob")
    await there.call("GetView", bob, game_id=game_id)

    await here.move(game_id, ann)

    assert (await here.call("GetView", bob, game_id=game_id)) == (
        await there.call("GetView", bob, game_id=game_id)
    )


async def test_the_log_alone_rebuilds_the_table():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)

    again = await Tables(service.store, service.codec, CATALOG).fresh(game_id)

    assert await service.house.tables.fresh(game_id) == again


async def test_snapshots_are_used_and_can_be_lost(monkeypatch):
    monkeypatch.setattr(tables, "SNAPSHOT_EVERY", 10)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    await asyncio.sleep(0.01)  # it is written when there is time
    table = await service.house.tables.fresh(game_id)
    snapshot = await service.store.snapshot(game_id)
    assert snapshot is not None
    assert table.version - snapshot.version < 40

    for payload in (snapshot.payload, b"", b"garbage", snapshot.payload[:-5]):
        await service.store.save_snapshot(game_id, Snapshot(snapshot.version, payload))
        assert table == await Tables(service.store, service.codec, CATALOG).fresh(game_id)


async def test_a_snapshot_of_another_shape_is_ignored():
    service = Service()
    game_id, _ = await service.table("Ann", "Bob")
    table = await service.house.tables.fresh(game_id)
    payload = service.codec.encode_table(table, with_state=True)

    assert table == service.codec.decode_table(game_id, payload)
    assert service.codec.decode_table(game_id, payload.replace(payload[2:10], b"\0" * 8)) is None


async def test_the_cache_stays_within_its_bounds():
    roomy, tight = Service(), Service(cache_bytes=60_000)
    for service in (roomy, tight):
        for _ in range(30):
            await service.table("Ann", "Bob")

    assert 30 == len(roomy.house.tables._entries)
    assert 1 <= len(tight.house.tables._entries) < 12
    assert tight.house.tables._weight <= 60_000


async def test_a_game_that_fell_out_of_the_cache_plays_on():
    service = Service(cache_bytes=1)
    games = [await service.table("Ann", "Bob") for _ in range(3)]
    coin = random.Random(4)

    for _ in range(20):
        game_id, tokens = coin.choice(games)
        view = (await service.call("GetView", game_id=game_id)).view
        await service.move(game_id, tokens[view.decisions[0].seat])


async def test_one_unreadable_entry_spoils_its_own_game_only():
    service = Service()
    good, (ann, _) = await service.table("Ann", "Bob")
    newer = game_pb2.Event(version=9).SerializeToString()  # of a kind that this release does not know
    for payload in (b"\xff\xff", newer):
        bad, (token, _) = await service.table("Cid", "Dot")
        await service.store.append(bad, [payload], expected=8)

        for name in ("GetView", "GetGame", "ListEvents", "ListLegalActions"):
            assert ("DATA_LOSS", "GAME_UNREADABLE") == await service.refusal(name, token, game_id=bad)

    assert await service.move(good, ann)
    assert 3 == len((await service.call("ListGames")).games)


async def test_a_store_that_lost_events_is_believed():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    other = Service()  # a store that never heard of the game

    service.house.tables._store = other.store

    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", ann, game_id=game_id)


async def test_a_seat_that_changed_hands_is_the_same_however_it_is_folded():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob", manual_start=True)
    await service.call("LeaveGame", ann, game_id=game_id)
    await service.call("AddBot", bob, game_id=game_id)

    again = await Tables(service.store, service.codec, CATALOG).fresh(game_id)

    assert await service.house.tables.fresh(game_id) == again
