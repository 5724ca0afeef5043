"""Tests of folded games: cached within bounds, checked against the store, rebuilt from the log."""

from __future__ import annotations

import asyncio
import random

import pytest

from gamehost.play import throttle
from gamehost.play.ports.event_log import Snapshot
from gamehost.play.tables import current as table_cache
from gamehost.play.tables import past_versions
from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from gamehost.stores.memory import MemoryEventStore
from gamehost.titles.tides.rules.events import CardChosen, CardsRevealed
from shedu.v1 import game_pb2
from support.service import Service, tables_from_logs


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

    again = await TableCache(service.store, service.codec, CATALOG).current(game_id)

    assert await service.application.tables.current(game_id) == again


async def test_snapshots_are_used_and_can_be_lost(monkeypatch):
    monkeypatch.setattr(table_cache, "SNAPSHOT_EVERY", 10)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    await service.settled()
    table = await service.application.tables.current(game_id)
    snapshot = await service.store.snapshot(game_id)
    assert snapshot is not None
    assert table.version - snapshot.version < 40

    for payload in (snapshot.payload, b"", b"garbage", snapshot.payload[:-5]):
        await service.store.save_snapshot(game_id, Snapshot(snapshot.version, payload))
        assert table == await TableCache(service.store, service.codec, CATALOG).current(game_id)


async def test_a_snapshot_of_another_shape_is_ignored():
    service = Service()
    game_id, _ = await service.table("Ann", "Bob")
    table = await service.application.tables.current(game_id)
    payload = service.codec.encode_table(table, with_state=True)

    assert table == service.codec.decode_table(game_id, payload)
    assert service.codec.decode_table(game_id, payload.replace(payload[2:10], b"\0" * 8)) is None


async def test_the_cache_stays_within_its_bounds():
    roomy, tight = Service(), Service(cache_bytes=60_000)
    for service in (roomy, tight):
        for _ in range(30):
            await service.table("Ann", "Bob")

    assert 30 == roomy.meter.games
    assert 1 <= tight.meter.games < 12
    assert 0 < tight.meter.bytes <= 60_000 < roomy.meter.bytes


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


async def lose(store: MemoryEventStore, game_id: str, after: int = 0) -> None:
    """Removes the events after that version, and the record of answered requests, from a store."""
    kept = await store.whole_game(game_id)
    assert kept is not None
    assert await store.remove_game(game_id, len(kept.events))
    if after:
        await store.append(game_id, kept.events[:after], expected=0, seed=kept.seed, summary=kept.summary)


async def test_a_store_that_lost_a_game_is_believed():
    store = MemoryEventStore()
    service = Service(store)
    game_id, (ann, _) = await service.table("Ann", "Bob")

    await lose(store, game_id)

    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", ann, game_id=game_id)


async def test_a_seat_that_changed_hands_is_the_same_however_it_is_folded():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob", manual_start=True)
    await service.call("LeaveGame", ann, game_id=game_id)
    await service.call("AddBot", bob, game_id=game_id)

    again = await TableCache(service.store, service.codec, CATALOG).current(game_id)

    assert await service.application.tables.current(game_id) == again


async def forked(more: int) -> tuple[Service, Service, str, list[str]]:
    """Returns two processes on a store that lost a move which both saw, and has another one in its place."""
    store = MemoryEventStore()
    here, there = Service(store), Service(store)
    game_id, tokens = await here.table("Ann", "Bob")
    before = await store.version(game_id)
    await here.move(game_id, tokens[0], choice=0)
    await there.call("GetView", tokens[1], game_id=game_id)
    await lose(store, game_id, before)
    another = Service(store)
    await another.move(game_id, tokens[0], choice=1)
    for token in tokens[1:] * more:
        await another.call("ProposeAbandon", token, game_id=game_id)
    return here, there, game_id, tokens


@pytest.mark.parametrize("more", [0, 1], ids=["with the same number", "and more after it"])
async def test_a_table_of_events_that_the_store_has_lost_is_shown_to_nobody(more: int):
    """A failover may lose the last move, and a restored backup many: the store decides what the game is."""
    here, there, game_id, _ = await forked(more)
    true = await TableCache(there.store, there.codec, CATALOG).current(game_id)

    assert true == await there.application.tables.current(game_id)
    assert true == await here.application.tables.current(game_id)


async def test_a_move_on_events_that_the_store_has_lost_is_planned_anew():
    _, there, game_id, (_, bob) = await forked(0)
    asked = await Service(there.store).request(game_id, bob)

    await there.call("PlayAction", bob, **asked)

    log = [record.event for record in await there.application.tables.records(game_id, after=0)]
    chosen = {event.seat: event.card for event in log if isinstance(event, CardChosen)}
    revealed = {event.cards for event in log if isinstance(event, CardsRevealed)}
    assert {(chosen[Seat(0)], chosen[Seat(1)])} == revealed


async def test_earlier_tables_are_the_same_in_whatever_order_they_are_asked_for(monkeypatch):
    """The cache holds few of them, so that one is folded from another or from the first event."""
    monkeypatch.setattr(past_versions, "PAST_TABLES_BYTES", 150_000)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    head = (await service.application.tables.current(game_id)).version
    expected = {
        version: await tables_from_logs(service).at_version(game_id, version) for version in range(1, head)
    }

    for version in random.Random(5).sample(range(1, head), head - 1) * 2:
        assert expected[version] == await service.application.tables.at_version(game_id, version)

    assert 0 < service.meter.most_bytes["earlier_tables"] <= 150_000


async def test_many_who_ask_for_the_same_have_it_folded_once(monkeypatch):
    service, folded = Service(), list[int]()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    head, fold = (await service.application.tables.current(game_id)).version, table_cache.fold
    monkeypatch.setattr(
        table_cache,
        "fold",
        lambda table, records, **how: folded.append(len(records)) or fold(table, records, **how),
    )

    await asyncio.gather(
        *(service.application.tables.at_version(game_id, head - 1 - late % 2) for late in range(40))
    )

    assert sum(folded) <= 2 * head


async def test_a_long_way_is_folded_in_stretches_with_others_in_between(monkeypatch):
    monkeypatch.setattr(table_cache, "FOLD_BATCH", 5)
    monkeypatch.setattr(throttle, "SLICE", -1.0)
    service, turns = Service(), 0
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    head = (await service.application.tables.current(game_id)).version
    folding = asyncio.create_task(service.application.tables.at_version(game_id, head - 1))

    while not folding.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns >= head // 5


async def test_earlier_tables_of_a_store_that_lost_events_are_forgotten():
    store = MemoryEventStore()
    service = Service(store)
    game_id, tokens = await service.table("Ann", "Bob")
    for token in tokens * 2:
        await service.move(game_id, token)
    head = (await service.application.tables.current(game_id)).version
    await service.application.tables.at_version(game_id, head - 1)
    before = service.meter.recent_bytes["earlier_tables"]

    await lose(store, game_id)
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", game_id=game_id)

    assert 0 == service.meter.recent_bytes["earlier_tables"] < before
