"""Tests that games that never start are abandoned."""

from __future__ import annotations

from gamehost.play.background.schedule import CLOCKS
from gamehost.play.proof import prove
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_pb2
from support.service import Service

HOUR = 3_600_000_000


async def game(service: Service, game_id: str) -> game_pb2.Game:
    found: game_pb2.Game = (await service.call("GetGame", game_id=game_id)).game
    return found


async def test_a_game_says_when_it_expires() -> None:
    service = Service(expiry=72 * HOUR)

    created = (await service.call("CreateGame", title="tides")).game

    assert service.now + 72 * HOUR == created.expire_time.ToMicroseconds()


async def test_a_game_that_has_not_started_is_abandoned_when_it_expires_and_not_before() -> None:
    service = Service(expiry=HOUR)
    game_id, _ = await service.table("Ann")

    await service.pass_time(3599.999)
    assert game_pb2.GAME_STATUS_GATHERING == (await game(service, game_id)).status

    await service.pass_time(0.001)
    ended = await game(service, game_id)
    assert game_pb2.GAME_STATUS_FINISHED == ended.status
    assert game_pb2.Outcome(reason="EXPIRED") == ended.outcome
    assert not ended.HasField("expire_time")
    events = (await service.call("ListEvents", game_id=game_id)).events
    assert ["game_abandoned", "seed_revealed"] == [event.WhichOneof("kind") for event in events[-2:]]
    assert "GAME_FINISHED" == (await service.error("JoinGame", game_id=game_id, seat=1)).reason


async def test_an_expired_game_leaves_the_list_of_those_that_gather() -> None:
    service = Service(expiry=HOUR)
    game_id, _ = await service.table("Ann")

    await service.pass_time(3600)

    gathering = await service.call("ListGames", status="GAME_STATUS_GATHERING")
    finished = await service.call("ListGames", status="GAME_STATUS_FINISHED")
    assert ([], [game_id]) == ([g.game_id for g in gathering.games], [g.game_id for g in finished.games])


async def test_a_game_that_has_started_does_not_expire() -> None:
    service = Service(expiry=HOUR)
    game_id, _ = await service.table("Ann", "Bob")
    assert not (await game(service, game_id)).HasField("expire_time")

    await service.pass_time(100 * 3600)

    assert game_pb2.GAME_STATUS_PLAYING == (await game(service, game_id)).status


async def test_without_an_expiry_a_game_waits_for_ever() -> None:
    service = Service()
    game_id, _ = await service.table("Ann")
    assert not (await game(service, game_id)).HasField("expire_time")

    await service.pass_time(1e6)

    assert game_pb2.GAME_STATUS_GATHERING == (await game(service, game_id)).status


async def test_two_processes_abandon_a_game_once() -> None:
    store = MemoryEventStore()
    first, second = Service(store, expiry=HOUR), Service(store, expiry=HOUR)
    game_id, _ = await first.table("Ann")
    second.now = first.now = first.now + HOUR

    await first.timeout_worker.check(game_id)
    await second.timeout_worker.check(game_id)

    events = (await second.call("ListEvents", game_id=game_id)).events
    assert 1 == [event.WhichOneof("kind") for event in events].count("game_abandoned")


async def test_an_expired_game_can_be_verified() -> None:
    service = Service(expiry=HOUR)
    game_id, _ = await service.table("Ann")
    await service.pass_time(3600)
    tables = service.application.tables

    proof = prove(
        game_id,
        (await tables.current(game_id)).rules,
        await tables.records(game_id, after=0),
        await tables.seed(game_id),
    )

    assert proof.table.outcome is not None
    assert "EXPIRED" == proof.table.outcome.reason


async def test_a_look_too_early_changes_nothing() -> None:
    service = Service(expiry=HOUR)
    game_id, _ = await service.table("Ann")

    await service.store.schedule(CLOCKS, game_id, service.now)
    await service.pass_time(1)

    assert game_pb2.GAME_STATUS_GATHERING == (await game(service, game_id)).status
