"""Tests that metrics count every move, refusal, write and cached game exactly once."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from prometheus_client import REGISTRY

from gamehost.api.pipeline import metrics
from gamehost.api.pipeline.status import RpcError
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.stores.memory import MemoryEventStore
from support.service import Service
from support.waiting import until


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def moves() -> float:
    return value("shedu_moves_total", title="tides")


def refusals(method: str, reason: str) -> float:
    return value("shedu_refusals_total", method=method, reason=reason)


async def test_a_move_counts_once_however_often_it_is_sent():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    before = moves()

    await service.call("PlayAction", ann, **request, validate_only=True)
    rehearsed = moves()
    for _ in range(3):
        await service.call("PlayAction", ann, **request, request_id="once")

    assert (before, before + 1) == (rehearsed, moves())


async def test_moves_of_bots_count_and_joining_does_not():
    service = Service()
    before = moves()
    game_id, (ann,) = await service.table("Ann")
    await service.call("AddBot", ann, game_id=game_id)
    seated = moves()

    await service.let_bots_play()

    answered = (
        service.background.counts["tides random moved"] + service.background.counts["tides greedy moved"]
    )
    assert before == seated
    assert 0 < answered == moves() - before


async def test_a_refusal_counts_by_what_the_caller_was_told():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    before = refusals("PlayAction", "NOT_YOUR_DECISION")

    refused = await service.refusal("PlayAction", bob, **request)

    assert ("FAILED_PRECONDITION", "NOT_YOUR_DECISION") == refused
    assert before + 1 == refusals("PlayAction", "NOT_YOUR_DECISION")


async def test_what_titles_refuse_counts_as_their_rules():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    request["action"] = (await service.request(game_id, bob))["action"]  # a card that Ann does not hold
    before = refusals("PlayAction", metrics.RULES)

    refused = await service.refusal("PlayAction", ann, **request)

    assert ("FAILED_PRECONDITION", "CARD_NOT_IN_HAND") == refused
    assert before + 1 == refusals("PlayAction", metrics.RULES)
    assert 0 == refusals("PlayAction", "CARD_NOT_IN_HAND")


class Away(MemoryEventStore):
    """A store that fails every append once `gone` is set."""

    gone = False

    async def append(self, *arguments, **settings):
        if self.gone:
            raise StoreUnavailable("away")
        return await super().append(*arguments, **settings)


async def test_writes_are_timed_and_those_that_fail_counted():
    store = Away()
    service = Service(store)
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    timed, failed = value("shedu_append_seconds_count"), value("shedu_append_failures_total")

    await service.move(game_id, ann)
    store.gone = True
    with pytest.raises(RpcError):
        await service.move(game_id, bob)

    assert timed + 1 == value("shedu_append_seconds_count")
    assert failed + 1 == value("shedu_append_failures_total")


async def test_a_cold_process_reads_a_game_once():
    warm = Service()
    game_id, (ann, _) = await warm.table("Ann", "Bob")
    cold = Service(warm.store)
    hits, misses = value("shedu_cache_hits_total"), value("shedu_cache_misses_total")
    empty = value("shedu_cache_games"), value("shedu_cache_bytes")

    for _ in range(3):
        await cold.call("GetView", ann, game_id=game_id)
    await cold.refusal("GetView", ann, game_id="nosuchgame")

    assert misses + 1 == value("shedu_cache_misses_total")
    assert hits + 2 == value("shedu_cache_hits_total")
    assert (0, 0) == empty
    assert 1 == value("shedu_cache_games")
    assert cold.meter.bytes == value("shedu_cache_bytes") > 0


async def test_the_cache_tells_what_it_has_let_go():
    service = Service(cache_bytes=1)
    games = [(await service.table(name, "Bob"))[0] for name in "ABC"]

    assert 1 == value("shedu_cache_games")
    assert service.meter.bytes == value("shedu_cache_bytes") > 0
    for game_id in games:
        service.application.tables.discard(game_id)
    assert (0, 0) == (value("shedu_cache_games"), value("shedu_cache_bytes"))


async def test_watchers_show_as_watched_games_unread_changes_and_bytes_of_recent_things():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    names = "shedu_watched_games", "shedu_unread_changes"
    before = [value(name) for name in names]

    async with aclosing(service.watch(game_id=game_id)) as stream:
        while (await anext(stream)).WhichOneof("kind") != "caught_up":
            pass
        await service.move(game_id, ann)
        await until(lambda: value("shedu_unread_changes"))
        during = [value(name) for name in names]

    assert [0, 0] == before
    assert [1, 1] == during
    assert [0, 0] == [value(name) for name in names]
    assert service.meter.recent_bytes == {
        cache: value("shedu_recent_bytes", cache=cache) for cache in service.meter.recent_bytes
    }
    assert service.meter.recent_bytes["messages"] > 0
