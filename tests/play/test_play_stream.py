"""Tests of PlayStream: each item is a PlayAction call, and its error does not end the stream."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.rpc import code_pb2, error_details_pb2
from structlog.testing import capture_logs

from gamehost.api.pipeline import play_stream
from gamehost.api.pipeline.quotas import Limits
from gamehost.api.pipeline.status import RpcError, reason_of
from gamehost.play.errors import InvalidRequest
from shedu.v1 import game_service_pb2 as pb
from support.keyed_service import KeyedService
from support.play_streams import play_talk
from support.service import Service
from support.waiting import PATIENCE, until

MOLEHILL = {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}}


def refusal(result: pb.PlayStreamResult) -> tuple[str, str]:
    assert result.HasField("error"), result
    return code_pb2.Code.Name(result.error.code), reason_of(result.error)


async def item(service: Service, game_id: str, token: str, number: int = 0, **fields: Any) -> dict[str, Any]:
    play = await service.request(game_id, token)
    return {"correlation_id": number, "token": token, "play": {**play, **fields}}


async def test_items_of_many_games_are_answered_as_play_action_answers():
    service = Service()
    tables = [await service.table("Ann", "Bob") for _ in range(5)]
    seats = [(game_id, token) for game_id, tokens in tables for token in tokens]
    items = [
        await item(service, *seat, number, request_id=f"request-{number}", legal_actions_limit=5)
        for number, seat in enumerate(seats)
    ]

    async with play_talk(service) as talk:
        talk.send(*items[:4])
        talk.send(*items[4:])
        talk.close()
        results = await talk.rest()

    assert set(range(10)) == set(results)
    for number, (_, token) in enumerate(seats):
        again = await service.call("PlayAction", token, **items[number]["play"])
        assert again == results[number].response


async def test_an_item_without_a_token_has_the_credential_of_the_stream():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, (_, seat_of_bob) = await service.shared_table(ann, bob)
    first = await item(service, game_id, ann, 1)
    del first["token"]

    async with play_talk(service, ann) as talk:
        talk.send(first, await item(service, game_id, seat_of_bob, 2))
        results = await talk.results(2)

    assert {"response"} == {result.WhichOneof("result") for result in results.values()}


async def test_every_bad_item_gets_its_own_typed_error_and_the_stream_goes_on():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    good = await item(service, game_id, ann, 1)
    other = {"game_id": "a" * 20, "decision_id": "x", "action": MOLEHILL}
    before = (await service.call("GetGame", game_id=game_id)).game.version

    async with play_talk(service) as talk:
        talk.send(
            {"correlation_id": 2},
            {"correlation_id": 3, "play": {}},
            {"correlation_id": 4, "token": ann, "play": other},
            {"correlation_id": 5, "token": "wrong", "play": good["play"]},
            {"correlation_id": 6, "token": "ü\n" * 10, "play": good["play"]},
            {"correlation_id": 7, "token": "x" * 8193, "play": good["play"]},
            {"correlation_id": 8, "play": good["play"]},
            {"correlation_id": 9, "token": bob, "play": good["play"]},
            {"correlation_id": 10, "token": ann, "play": {**good["play"], "read_mask": {"paths": ["hand"]}}},
            {
                "correlation_id": 11,
                "token": ann,
                "play": {**good["play"], "action": MOLEHILL, "decision_id": "x"},
            },
            {"correlation_id": 12, "token": ann, "play": {**good["play"], "game_id": "nowhere"}},
        )
        results = await talk.results(11)
        after = (await service.call("GetGame", game_id=game_id)).game.version
        talk.send(good)
        played = (await talk.results(12))[1]

    assert {
        2: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
        3: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
        4: ("NOT_FOUND", "GAME_NOT_FOUND"),
        5: ("UNAUTHENTICATED", "TOKEN_INVALID"),
        6: ("UNAUTHENTICATED", "TOKEN_INVALID"),
        7: ("UNAUTHENTICATED", "TOKEN_INVALID"),
        8: ("UNAUTHENTICATED", "TOKEN_MISSING"),
        9: ("FAILED_PRECONDITION", "NOT_YOUR_DECISION"),
        10: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
        11: ("ABORTED", "DECISION_ANSWERED"),
        12: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
    } == {number: refusal(result) for number, result in results.items()}
    assert {"play"} == fields_named(results[2])
    assert {"game_id", "decision_id", "action"} == fields_named(results[3])
    assert {"read_mask"} == fields_named(results[10])
    assert before == after
    assert played.HasField("response")


def fields_named(result: pb.PlayStreamResult) -> set[str]:
    found = error_details_pb2.BadRequest()
    assert any(detail.Unpack(found) for detail in result.error.details)
    return {violation.field for violation in found.field_violations}


async def test_an_item_is_refused_with_the_error_of_the_call():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request = await item(service, game_id, ann, 1)
    await service.move(game_id, ann)

    async with play_talk(service) as talk:
        talk.send(request)
        result = (await talk.results(1))[1]

    assert (await service.error("PlayAction", ann, **request["play"])).status == result.error


@pytest.mark.parametrize("count", [0, 101])
async def test_a_message_with_too_many_items_ends_the_stream_after_what_came_before(count: int):
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    good = await item(service, game_id, ann, 1)

    async with play_talk(service) as talk:
        talk.send(good)
        talk.send(*[good] * count)
        with pytest.raises(RpcError, match="INVALID_ARGUMENT: items") as caught:
            await talk.rest()

    assert "INVALID_REQUEST" == caught.value.reason
    assert talk.messages[0].results[0].HasField("response")


async def test_an_unreadable_message_ends_the_stream():
    service = Service()

    def unreadable() -> Any:
        raise InvalidRequest("body", "is not a shedu.v1.PlayStreamRequest")

    async with play_talk(service) as talk:
        talk.send_message(unreadable)
        with pytest.raises(RpcError, match="INVALID_ARGUMENT: body"):
            await talk.rest()


async def test_a_repeated_item_is_applied_once_over_another_stream_and_the_unary_call():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    once = await item(service, game_id, ann, 1, request_id="once")
    async with play_talk(service) as talk:
        talk.send(once)
        first = (await talk.results(1))[1].response
    await service.move(game_id, bob)

    async with play_talk(service) as talk:
        talk.send(once, {**once, "correlation_id": 2})
        again = await talk.results(2)

    assert [first] * 2 == [each.response for each in again.values()]
    assert first == await service.call("PlayAction", ann, **once["play"])


async def test_every_item_counts_as_a_call():
    service = Service(limits=Limits(calls_per_second=3))
    item_of_nobody = {"play": {"game_id": "a" * 20, "decision_id": "x", "action": MOLEHILL}}

    async with play_talk(service) as talk:
        talk.send(*({"correlation_id": number, **item_of_nobody} for number in range(10)))
        results = await talk.results(10)

    codes = [refusal(result)[0] for result in results.values()]
    assert 5 == codes.count("NOT_FOUND")  # a burst of six calls, of which one opened the stream
    assert 5 == codes.count("RESOURCE_EXHAUSTED")


async def test_a_stream_takes_a_slot_and_needs_a_credential_where_one_is_asked_for():
    service = KeyedService(limits=Limits(streams_per_caller=1))
    ann = await service.key("ann")

    with pytest.raises(RpcError, match="UNAUTHENTICATED"):
        async with play_talk(service) as talk:
            await talk.rest()
    async with play_talk(service, ann) as first:
        first.send({"correlation_id": 1})
        await first.results(1)
        with pytest.raises(RpcError, match="RESOURCE_EXHAUSTED"):
            async with play_talk(service, ann) as second:
                await second.rest()


async def test_items_have_log_lines_of_their_own():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    items = [await item(service, game_id, ann, 1), await item(service, game_id, bob, 2)]

    with capture_logs() as lines:
        async with play_talk(service) as talk:
            talk.send(*items, {"correlation_id": 3})
            talk.close()
            await talk.rest()

    calls = [line for line in lines if line["event"] == "call"]
    plays = [line for line in calls if line["method"] == "PlayAction"]
    [stream] = [line for line in calls if line["method"] == "PlayStream"]
    assert [("INVALID_ARGUMENT", None), ("OK", 0), ("OK", 1)] == sorted(
        ((line["code"], line.get("seat")) for line in plays), key=str
    )
    assert {"play_stream"} == {line["transport"] for line in plays}
    assert ("OK", len(talk.messages)) == (stream["code"], stream["messages"])
    assert ann not in str(lines)


async def test_results_that_are_ready_together_are_sent_together():
    service = Service()
    tables = [await service.table("Ann", "Bob") for _ in range(20)]
    items = [await item(service, game_id, ann, number) for number, (game_id, (ann, _)) in enumerate(tables)]

    async with play_talk(service) as talk:
        talk.send(*items)
        await talk.results(20)

    assert len(talk.messages) < 20


async def test_a_message_of_results_has_a_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(play_stream, "FRAME_BYTES", 1)
    service = Service()

    async with play_talk(service) as talk:
        talk.send(*({"correlation_id": number} for number in range(7)))
        await talk.results(7)

    assert [1] * 7 == [len(message.results) for message in talk.messages]


async def test_no_more_items_are_read_than_may_be_in_flight(monkeypatch: pytest.MonkeyPatch):
    """A client that does not read its answers cannot make the service buffer more and more."""
    monkeypatch.setattr(play_stream, "MOST_IN_FLIGHT", 3)
    service = Service()

    async with play_talk(service) as talk:
        for number in range(10):
            talk.send({"correlation_id": number})
        with capture_logs() as lines:
            await talk.next()
            for _ in range(100):
                await asyncio.sleep(0)
        assert len(lines) <= 3
        assert 10 == len(await talk.results(10))


def hold_appends(service: Service, held: asyncio.Event, go_on: asyncio.Event) -> None:
    """Lets appends wait for `go_on`, and sets `held` when the first one waits."""
    append = service.store.append

    async def slow(*arguments: Any, **fields: Any) -> Any:
        held.set()
        await go_on.wait()
        return await append(*arguments, **fields)

    service.store.append = slow  # type: ignore[method-assign]


async def test_a_drain_answers_what_was_read_and_says_go_away():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request, held, go_on = await item(service, game_id, ann, 1), asyncio.Event(), asyncio.Event()
    hold_appends(service, held, go_on)
    async with play_talk(service) as idle, play_talk(service) as busy:
        busy.send(request)
        rest = [asyncio.create_task(talk.rest()) for talk in (busy, idle)]
        await asyncio.wait_for(held.wait(), PATIENCE)

        service.dispatch.drain()
        go_on.set()
        results, nothing = await asyncio.wait_for(asyncio.gather(*rest), PATIENCE)

    assert results[1].HasField("response")
    assert {} == nothing
    assert [pb.GO_AWAY_REASON_DRAINING] * 2 == [talk.messages[-1].go_away.reason for talk in (busy, idle)]


async def test_a_drain_answers_every_item_of_a_message_that_was_read(monkeypatch: pytest.MonkeyPatch):
    """Also those that have not begun, because as many as may be in flight are: they can be sent elsewhere."""
    monkeypatch.setattr(play_stream, "MOST_IN_FLIGHT", 1)
    service, held, go_on = Service(), asyncio.Event(), asyncio.Event()
    tables = [await service.table("Ann", "Bob") for _ in range(3)]
    items = [await item(service, game_id, ann, number) for number, (game_id, (ann, _)) in enumerate(tables)]
    hold_appends(service, held, go_on)
    async with play_talk(service) as talk:
        talk.send(*items)
        rest = asyncio.create_task(talk.rest())
        await asyncio.wait_for(held.wait(), PATIENCE)

        service.dispatch.drain()
        go_on.set()
        results = await asyncio.wait_for(rest, PATIENCE)

    assert {0, 1, 2} == results.keys()
    assert results.pop(0).HasField("response")
    assert {("UNAVAILABLE", "DRAINING")} == {refusal(result) for result in results.values()}


async def test_a_stream_that_comes_during_a_drain_is_sent_away():
    service = Service()
    service.dispatch.drain()

    async with play_talk(service) as talk:
        talk.send({"correlation_id": 1})
        assert {} == await talk.rest()

    assert pb.GO_AWAY_REASON_DRAINING == talk.messages[-1].go_away.reason


async def test_whoever_leaves_leaves_nothing_behind():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    request, held = await item(service, game_id, ann, 1), asyncio.Event()

    async def never(*_: Any, **__: Any) -> Any:
        held.set()
        await asyncio.Event().wait()

    service.store.append = never  # type: ignore[method-assign]
    before = asyncio.all_tasks()
    async with play_talk(service) as talk:
        talk.send(request)
        reading = asyncio.create_task(talk.next())
        await asyncio.wait_for(held.wait(), PATIENCE)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)

    await until(lambda: asyncio.all_tasks() <= before)
