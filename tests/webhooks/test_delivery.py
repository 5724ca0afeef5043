"""Tests what is delivered to webhooks, when it is repeated, and when a webhook is disabled."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from gamehost.play.ports.webhooks import DeliveryResult
from shedu.v1 import webhook_service_pb2 as pb
from support.keyed_service import KeyedService
from support.waiting import until
from support.webhooks import OK, URL, Delivery

DAY = 86400
FAILED, GONE = DeliveryResult(500, "the status was 500"), DeliveryResult(410, "the status was 410")


@pytest.fixture
def service() -> KeyedService:
    return KeyedService()


async def webhook_of(service: KeyedService, key: str, **fields: Any) -> pb.CreateWebhookResponse:
    created: pb.CreateWebhookResponse = await service.call("CreateWebhook", key, url=URL, **fields)
    return created


async def failures(service: KeyedService, key: str, webhook_id: str) -> list[pb.FailedDelivery]:
    found = await service.call("ListFailedDeliveries", key, webhook_id=webhook_id)
    return list(found.deliveries)


async def webhook_now(service: KeyedService, key: str) -> pb.Webhook:
    [webhook] = (await service.call("ListWebhooks", key)).webhooks
    return webhook


def alternating() -> Callable[[Delivery], DeliveryResult]:
    """Answers every delivery with a failure first."""
    known = set[str]()

    def answer(delivery: Delivery) -> DeliveryResult:
        if delivery.id in known:
            return OK
        known.add(delivery.id)
        return FAILED

    return answer


async def test_a_game_is_delivered_from_its_start_to_its_end(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann)

    game_id, tokens = await service.shared_table(ann, bob)
    await service.deliver()
    view = (await service.call("GetView", tokens[0], game_id=game_id)).view
    await service.finish(game_id, tokens)
    await service.deliver()

    assert ["game.started", "decision.asked"] == sorted(service.receiver.types[:2], reverse=True)
    assert "game.finished" == service.receiver.types[-1]
    started, *_, finished = [delivery.event for delivery in service.receiver.deliveries]
    facts = {"webhookId": created.webhook.webhook_id, "gameId": game_id, "title": "tides", "seat": 0}
    assert facts.items() <= started["data"].items()
    assert facts.items() <= finished["data"].items()
    assert {1, 2} >= set(finished["data"]["outcome"]["ranks"])
    [asked, *_] = [
        each.event["data"] for each in service.receiver.deliveries if each.event["type"] == "decision.asked"
    ]
    mine = next(decision for decision in view.decisions if decision.seat == 0)
    assert mine.decision_id == asked["decision"]["decisionId"]
    assert mine.prompt.english == asked["decision"]["prompt"]["english"]


async def test_receivers_can_verify_deliveries_with_the_library(service: KeyedService) -> None:
    service.now = int(datetime.datetime.now(tz=datetime.UTC).timestamp() * 1e6)  # the library checks the time
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann)
    await service.shared_table(ann, bob)
    await service.deliver()
    [first, *_] = service.receiver.deliveries

    event = Webhook(created.secret).verify(first.body, dict(first.headers))

    assert first.event == event
    with pytest.raises(WebhookVerificationError):
        Webhook(created.secret).verify(first.body + b" ", dict(first.headers))
    rotated = await service.call(
        "RotateWebhookSecret", ann, webhook_id=created.webhook.webhook_id, old_secret_seconds=60
    )
    await service.call("TestWebhook", ann, webhook_id=created.webhook.webhook_id)
    test = service.receiver.deliveries[-1]
    for secret in (created.secret, rotated.secret):
        assert "webhook.test" == Webhook(secret).verify(test.body, dict(test.headers))["type"]
    service.now += 61_000_000
    await service.call("TestWebhook", ann, webhook_id=created.webhook.webhook_id)
    test = service.receiver.deliveries[-1]
    Webhook(rotated.secret).verify(test.body, dict(test.headers))
    with pytest.raises(WebhookVerificationError):
        Webhook(created.secret).verify(test.body, dict(test.headers))


async def test_a_filter_selects_events(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann, event_types=["WEBHOOK_EVENT_TYPE_GAME_FINISHED"])

    game_id, tokens = await service.shared_table(ann, bob)
    await service.deliver()
    await service.finish(game_id, tokens)
    await service.deliver()

    assert ["game.finished"] == service.receiver.types


async def test_callers_get_the_events_of_their_own_seats(service: KeyedService) -> None:
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    await webhook_of(service, bob)
    await webhook_of(service, cid)

    game_id, tokens = await service.shared_table(ann, bob)
    await service.deliver()
    await service.finish(game_id, tokens)
    await service.deliver()

    assert {1} == {delivery.event["data"]["seat"] for delivery in service.receiver.deliveries}


async def test_a_new_webhook_gets_what_is_pending(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    await service.shared_table(ann, bob)
    await service.settled()

    await webhook_of(service, ann)
    await service.deliver()

    assert ["decision.asked"] == service.receiver.types


async def test_what_failed_is_repeated_with_the_same_id_and_body(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann)
    service.receiver.answer = alternating()

    await service.shared_table(ann, bob)
    await service.deliver()
    first = list(service.receiver.deliveries)
    listed = await failures(service, ann, created.webhook.webhook_id)
    await service.deliver(4.9)
    early = len(service.receiver.deliveries) - len(first)
    await service.deliver(0.2)

    assert (2, 0) == (len(first), early)
    again = service.receiver.deliveries[2:]
    assert {(each.id, each.body) for each in first} == {(each.id, each.body) for each in again}
    assert {each.id for each in first} == {each.delivery_id for each in listed}
    assert {(1, 500, "the status was 500")} == {
        (each.attempts, each.last_status, each.last_error) for each in listed
    }
    assert [] == await failures(service, ann, created.webhook.webhook_id)


async def test_waits_grow_and_a_delivery_is_given_up_after_a_day(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann, event_types=["WEBHOOK_EVENT_TYPE_GAME_STARTED"])
    service.receiver.answer = lambda _delivery: FAILED
    await service.shared_table(ann, bob)
    began, tried = service.seconds(), list[int]()

    while not tried or tried[-1] < DAY:
        before = len(service.receiver.deliveries)
        await service.deliver(5 if service.seconds() - began < 400 else 300)
        tried += [round(service.seconds() - began)] * (len(service.receiver.deliveries) - before)
        assert service.seconds() - began < 2 * DAY, tried
    await service.deliver(DAY)

    waits = [later - sooner for sooner, later in itertools.pairwise(tried)]
    assert waits[:-1] == sorted(waits[:-1])
    assert 7 <= len(tried) <= 15
    [given_up] = await failures(service, ann, created.webhook.webhook_id)
    assert (len(tried), False) == (given_up.attempts, given_up.HasField("next_attempt_time"))
    assert 1 == len({delivery.id for delivery in service.receiver.deliveries})


async def test_what_was_given_up_can_be_replayed(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann, event_types=["WEBHOOK_EVENT_TYPE_GAME_STARTED"])
    webhook_id = created.webhook.webhook_id
    service.receiver.answer = lambda _delivery: FAILED
    await service.shared_table(ann, bob)
    await service.deliver()
    for _ in range(20):
        await service.deliver(8 * 3600)
    tried = len(service.receiver.deliveries)
    service.receiver.answer = lambda _delivery: OK

    [failed] = await failures(service, ann, webhook_id)
    replayed = await service.call("ReplayDeliveries", ann, webhook_id=webhook_id)
    await service.deliver()
    again = await service.call(
        "ReplayDeliveries", ann, webhook_id=webhook_id, delivery_ids=[failed.delivery_id]
    )

    assert (1, 0) == (replayed.replayed, again.replayed)
    assert tried + 1 == len(service.receiver.deliveries)
    assert failed.delivery_id == service.receiver.deliveries[-1].id
    assert [] == await failures(service, ann, webhook_id)


async def test_410_disables_at_once(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: GONE
    await service.shared_table(ann, bob)
    await service.deliver()
    tried = len(service.receiver.deliveries)

    await service.deliver(DAY)

    webhook = await webhook_now(service, ann)
    assert (False, pb.WEBHOOK_DISABLED_REASON_GONE) == (webhook.enabled, webhook.disabled_reason)
    assert tried == len(service.receiver.deliveries)
    assert 1 == service.background.counts["webhook disabled: GONE"]
    service.receiver.answer = lambda _delivery: OK
    await service.call("UpdateWebhook", ann, webhook_id=created.webhook.webhook_id, enabled=True)
    await service.call("ReplayDeliveries", ann, webhook_id=created.webhook.webhook_id)
    await service.deliver()
    assert {"game.started", "decision.asked"} == {*service.receiver.types[tried:]}


async def test_a_webhook_that_fails_for_days_is_disabled(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: FAILED
    for _ in range(6):
        assert (await webhook_now(service, ann)).enabled
        await service.shared_table(ann, bob)
        await service.deliver(DAY)

    webhook = await webhook_now(service, ann)
    assert pb.WEBHOOK_DISABLED_REASON_FAILING == webhook.disabled_reason


async def test_a_success_ends_a_series_of_failures(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: FAILED
    await service.shared_table(ann, bob)
    await service.deliver()
    service.receiver.answer = lambda _delivery: OK
    await service.deliver(DAY)

    service.now += 5 * DAY * 1_000_000
    service.receiver.answer = lambda _delivery: FAILED
    await service.shared_table(ann, bob)
    await service.deliver()

    assert (await webhook_now(service, ann)).enabled


async def test_a_failing_webhook_is_paused_and_probed(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: FAILED
    for _ in range(10):
        await service.shared_table(ann, bob)
    await service.deliver()
    tried = len(service.receiver.deliveries)

    await service.deliver(5.1)
    probes = len(service.receiver.deliveries) - tried
    service.receiver.answer = lambda _delivery: OK
    await service.deliver(DAY)

    assert tried <= 12, "it stops after a few failures in a row"
    assert 1 == probes, "one message tries it after the pause"
    assert 20 == len({delivery.id for delivery in service.receiver.deliveries})


async def test_a_slow_or_failing_webhook_does_not_hold_up_others(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    bad = await service.call("CreateWebhook", ann, url="https://bad.example.com/")
    await webhook_of(service, bob)
    service.receiver.answer = lambda delivery: FAILED if "bad" in delivery.url else OK

    for _ in range(5):
        await service.shared_table(ann, bob)
    await service.deliver()

    good = [each for each in service.receiver.deliveries if each.url == URL]
    assert 10 == len({each.id for each in good})
    assert await failures(service, ann, bad.webhook.webhook_id)


async def test_slow_receivers_of_one_caller_leave_room_for_others(
    service: KeyedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    for number in range(10):
        for key in (ann, bob):
            await service.call("CreateWebhook", key, url=f"https://slow.example.com/{number}")
    for _ in range(2):
        await service.shared_table(ann, bob)
    await service.settled()
    service.now += 1
    await webhook_of(service, cid)
    await service.shared_table(cid, ann)
    await service.settled()
    held, answered = Counter[str](), asyncio.Event()
    answer = service.receiver.send

    async def slow(url: str, headers: Mapping[str, str], body: bytes) -> DeliveryResult:
        if url == URL:
            return await answer(url, headers, body)
        held[json.loads(body)["data"]["webhookId"]] += 1
        await answered.wait()
        return OK

    monkeypatch.setattr(service.receiver, "send", slow)
    worker = service.webhook_worker
    assert worker
    running = asyncio.create_task(worker.run())
    await until(lambda: "game.started" in service.receiver.types)
    # The most that two callers can have, each with two webhooks and four requests to each.
    assert (4, {4}) == (len(held), {*held.values()})
    answered.set()

    def all_had_a_turn() -> bool:
        service.now += 100_000
        return len(held) == 20

    await until(all_had_a_turn)
    worker.stop()
    await running


async def test_events_are_found_whose_marks_were_lost(service: KeyedService, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """As after a SIGKILL between the append and the marks."""
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann)
    await service.deliver()

    async def lost(*_: object, **__: object) -> list[str]:
        return []

    with monkeypatch.context() as patched:
        patched.setattr(service.store, "mark", lost)
        await service.shared_table(ann, bob)
        await service.settled()
    await service.deliver()
    before = service.receiver.types
    await service.deliver(61)

    assert [] == before
    assert {"game.started", "decision.asked"} == {*service.receiver.types}


async def test_an_event_that_is_noticed_again_has_the_same_id(service: KeyedService, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """As after a SIGKILL between putting a message into the queue and noting that."""
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann)
    mark = service.store.mark

    async def forgetful(board: str, **names: Any) -> Any:
        return [] if board.startswith("hook:") else await mark(board, **names)

    with monkeypatch.context() as patched:
        patched.setattr(service.store, "mark", forgetful)
        await service.shared_table(ann, bob)
        await service.deliver()
    await service.deliver(61)

    asked = [each.id for each in service.receiver.deliveries if each.event["type"] == "decision.asked"]
    assert len(asked) > 1
    assert 1 == len({*asked})


async def test_two_processes_deliver_once() -> None:
    one = KeyedService()
    two = KeyedService(one.store)
    ann, bob = await one.key("ann"), await one.key("bob")
    await webhook_of(one, ann)

    game_id, tokens = await one.shared_table(ann, bob)
    await two.deliver()
    await one.deliver()
    await one.finish(game_id, tokens)
    await two.deliver()
    await one.deliver()

    delivered = [delivery.id for each in (one, two) for delivery in each.receiver.deliveries]
    assert len(delivered) == len({*delivered})
    assert "game.finished" in one.receiver.types + two.receiver.types


async def test_a_deleted_webhook_gets_nothing_and_leaves_nothing(service: KeyedService) -> None:
    ann, bob = await service.key("ann"), await service.key("bob")
    created = await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: FAILED
    await service.shared_table(ann, bob)
    await service.deliver()
    tried = len(service.receiver.deliveries)

    await service.call("DeleteWebhook", ann, webhook_id=created.webhook.webhook_id)
    await service.shared_table(ann, bob)
    await service.deliver(DAY)

    name = f"hook:{created.webhook.webhook_id}"
    assert tried == len(service.receiver.deliveries)
    assert {} == dict(await service.store.whole_map(name))
    assert 0 == (await service.store.outlook(name)).games
    assert [] == list(await service.store.marks(name, after=0))


async def test_matchmaking_and_ratings_are_announced_once(service: KeyedService) -> None:
    ann = await service.key("ann")
    await webhook_of(service, ann)
    news = service.application.caller_news

    for _ in range(2):
        await news.matched("key:ann", ticket_id="t1", game_id="g" * 20, title="tides", seat=0)
        await news.rating_changed("key:ann", game_id="g" * 20, title="tides", seat=0, before=1500, after=1512)
        await news.matched("key:bob", ticket_id="t1", game_id="g" * 20, title="tides", seat=1)
        await service.deliver()

    assert ["game.matched", "rating.changed"] == sorted(service.receiver.types)
    matched, rated = sorted((each.event for each in service.receiver.deliveries), key=lambda it: it["type"])
    assert ("t1", "g" * 20) == (matched["data"]["ticketId"], matched["data"]["gameId"])
    assert {"before": 1500, "after": 1512} == rated["data"]["rating"]


async def test_test_deliveries_are_bounded_and_not_repeated(service: KeyedService) -> None:
    ann = await service.key("ann")
    created = await webhook_of(service, ann)
    service.receiver.answer = lambda _delivery: FAILED

    tested = await service.call("TestWebhook", ann, webhook_id=created.webhook.webhook_id)

    assert (False, 500, "the status was 500") == (tested.delivered, tested.status, tested.error)
    assert [tested.delivery_id] == [delivery.id for delivery in service.receiver.deliveries]
    assert {"webhookId": created.webhook.webhook_id} == service.receiver.deliveries[0].event["data"]
    assert [] == await failures(service, ann, created.webhook.webhook_id)
    for _ in range(9):
        await service.call("TestWebhook", ann, webhook_id=created.webhook.webhook_id)
    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal(
        "TestWebhook", ann, webhook_id=created.webhook.webhook_id
    )


async def test_a_webhook_with_a_full_queue_catches_up(service: KeyedService, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from gamehost.play.webhooks import delivery

    monkeypatch.setattr(delivery, "MOST_QUEUED", 4)
    ann, bob = await service.key("ann"), await service.key("bob")
    await webhook_of(service, ann, event_types=["WEBHOOK_EVENT_TYPE_GAME_STARTED"])
    service.receiver.answer = lambda _delivery: FAILED
    games = {(await service.shared_table(ann, bob))[0] for _ in range(4)}
    await service.deliver()
    games |= {(await service.shared_table(ann, bob))[0] for _ in range(4)}
    await service.deliver()
    service.receiver.answer = lambda _delivery: OK
    for _ in range(4):
        await service.deliver(3600)

    assert games == {delivery.event["data"]["gameId"] for delivery in service.receiver.deliveries}
