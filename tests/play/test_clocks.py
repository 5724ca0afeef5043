"""Tests of clocks: the time of a seat, its time-out, and what happens then."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.service import Service
from support.started_game import kinds

MINUTE = {"per_decision": {"seconds": 60}}
FORFEIT = game_pb2.TIMEOUT_POLICY_FORFEIT


async def view(service: Service, game_id: str, token: str | None = None) -> pb.View:
    seen: pb.View = (await service.call("GetView", token, game_id=game_id)).view
    return seen


async def events(service: Service, game_id: str) -> list[game_pb2.Event]:
    return list((await service.call("ListEvents", game_id=game_id, page_size=1000)).events)


def clocks(shown: pb.View | game_pb2.Event, now: int = 0) -> list[tuple[float, float | None]]:
    """Returns for every seat the remaining seconds, and the seconds to its deadline if its clock runs."""
    return [
        (
            clock.remaining.ToMicroseconds() / 1e6,
            (clock.deadline.ToMicroseconds() - now) / 1e6 if clock.HasField("deadline") else None,
        )
        for clock in shown.clocks
    ]


async def happened(service: Service, game_id: str) -> list[str]:
    return kinds(await events(service, game_id))


async def test_a_game_without_a_clock_presses_nobody() -> None:
    service = Service()
    game_id, _ = await service.table("Ann", "Bob")

    shown = await view(service, game_id)

    assert not shown.game.HasField("clock")
    assert [] == list(shown.clocks)
    assert not any(decision.HasField("deadline") for decision in shown.decisions)
    assert not any(event.clocks for event in await events(service, game_id))


async def test_before_the_start_nobodys_time_runs() -> None:
    service = Service()
    game_id = (await service.call("CreateGame", title="tides", clock=MINUTE)).game.game_id

    await service.pass_time(3600)

    assert [(60, None), (60, None)] == clocks(await view(service, game_id))


async def test_the_time_left_is_in_every_view_event_and_decision() -> None:
    service = Service()
    game_id, _ = await service.full_table("tides", clock=MINUTE)

    shown = await view(service, game_id)

    assert [(60, 60), (60, 60)] == clocks(shown, service.now)
    assert [60, 60] == [
        (decision.deadline.ToMicroseconds() - service.now) / 1e6 for decision in shown.decisions
    ]
    assert {2} == {len(event.clocks) for event in await events(service, game_id)}
    legal = await service.call("ListLegalActions", _[0], game_id=game_id)
    assert shown.decisions[0] == legal.decision


async def test_each_question_gets_the_whole_time() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", clock=MINUTE)
    asked = (await view(service, game_id)).decisions[0].seat
    await service.pass_time(59)

    played = await service.move(game_id, tokens[asked])

    assert 1 == len(played.view.decisions)
    running = played.view.decisions[0].seat
    assert (60, 60) == clocks(played.view, service.now)[running]
    assert clocks(played.view) == clocks(played.events[-1]) == clocks(played.events[0])


async def test_anothers_answer_does_not_renew_my_time() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock=MINUTE)
    await service.pass_time(40)

    await service.move(game_id, tokens[0])

    assert [(60, None), (20, 20)] == clocks(await view(service, game_id), service.now)
    await service.pass_time(20)
    assert ["seat_taken_over"] == (await happened(service, game_id))[-1:]
    assert [False, True] == [seat.taken_over for seat in (await view(service, game_id)).game.seats]


@pytest.mark.parametrize(
    ("used", "left"),
    [(5, 40), (12, 38), (39, 11)],
    ids=["the cap is kept", "what was used is gone", "the increment comes after the answer"],
)
async def test_a_bank_loses_what_was_used_and_gains_the_increment_up_to_the_cap(used: int, left: int) -> None:
    service = Service()
    bank = {"initial": {"seconds": 40}, "increment": {"seconds": 10}}
    game_id, tokens = await service.full_table("tides", clock={"bank": bank})
    await service.pass_time(used)

    played = await service.move(game_id, tokens[0])

    assert [(left, None), (40 - used, 40 - used)] == clocks(played.view, service.now)


async def test_who_starts_the_game_gains_nothing_by_it() -> None:
    service = Service()
    bank = {"initial": {"seconds": 40}, "increment": {"seconds": 10}, "cap": {"seconds": 90}}

    game_id, _ = await service.full_table("tides", clock={"bank": bank})

    assert [(40, 40), (40, 40)] == clocks(await view(service, game_id), service.now)


async def test_a_bank_with_a_higher_cap_fills_up_to_it() -> None:
    service = Service()
    bank = {"initial": {"seconds": 40}, "increment": {"seconds": 10}, "cap": {"seconds": 45}}
    game_id, tokens = await service.full_table("tides", clock={"bank": bank})
    assert (40, 40) == clocks(await view(service, game_id), service.now)[0]

    played = await service.move(game_id, tokens[0])

    assert (45, None) == clocks(played.view)[0]
    assert 45 == (await view(service, game_id)).game.clock.bank.cap.seconds


async def test_a_bank_is_for_the_whole_game() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock={"bank": {"initial": {"seconds": 60}}})
    for used in (10, 20):
        await service.pass_time(used)
        for token in tokens:
            await service.move(game_id, token)

    assert [(30, 30), (30, 30)] == clocks(await view(service, game_id), service.now)
    await service.pass_time(30)
    assert [True, True] == [seat.taken_over for seat in (await view(service, game_id)).game.seats]


async def test_days_are_days() -> None:
    service = Service()
    game_id, _ = await service.full_table("tides", clock={"days": 3})

    await service.pass_time(3 * 86400 - 1)
    assert "seat_taken_over" not in await happened(service, game_id)

    await service.pass_time(1)
    assert ["seat_taken_over", "seat_taken_over"] == (await happened(service, game_id))[-2:]


async def test_a_seat_is_taken_over_when_its_time_is_up_and_not_before() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", clock=MINUTE)
    asked = (await view(service, game_id)).decisions[0].seat
    await service.pass_time(59.999)
    assert "seat_taken_over" not in await happened(service, game_id)

    await service.pass_time(0.001)

    shown = await view(service, game_id)
    bots = (await service.call("GetTitle", title="tigris")).title.bots
    (chosen,) = [bot.level for bot in bots if bot.default]
    seat = shown.game.seats[asked]
    assert (chosen, chosen, True) == (shown.game.clock.bot_level, seat.bot_level, seat.taken_over)
    assert {"tigris timed out": 1} == {k: n for k, n in service.background.counts.items() if "timed" in k}
    last = (await events(service, game_id))[-1]
    assert not last.HasField("seat")
    assert None is clocks(shown)[asked][1]
    refused = await service.error(
        "PlayAction", tokens[asked], **await service.request(game_id, tokens[asked])
    )
    assert "SEAT_TAKEN_OVER" == refused.reason


async def test_the_bot_plays_for_the_seat_and_the_owner_takes_it_back() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", clock=MINUTE)
    asked = (await view(service, game_id)).decisions[0].seat
    await service.pass_time(60)
    before = (await view(service, game_id)).version

    await service.let_bots_play()

    moved = await events(service, game_id)
    assert {asked} == {event.seat for event in moved if event.version > before}
    await service.call("ReclaimSeat", tokens[asked], game_id=game_id)
    seat = (await view(service, game_id)).game.seats[asked]
    assert ("", False) == (seat.bot_level, seat.taken_over)
    await service.move(game_id, tokens[1 - asked])
    await service.let_bots_play()
    while asked not in {decision.seat for decision in (await view(service, game_id)).decisions}:
        await service.move(game_id, tokens[1 - asked])
    await service.move(game_id, tokens[asked])


async def test_a_seat_that_is_taken_back_has_the_whole_time() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock=MINUTE)
    await service.pass_time(100)

    await service.call("ReclaimSeat", tokens[0], game_id=game_id)

    assert [(60, 60), (60, None)] == clocks(await view(service, game_id), service.now)


@pytest.mark.parametrize(
    ("bank", "renewed"),
    [
        ({"initial": {"seconds": 600}}, 60),
        ({"initial": {"seconds": 600}, "increment": {"seconds": 90}}, 90),
        ({"initial": {"seconds": 60}}, 10),
        ({"initial": {"seconds": 4}}, 4),
    ],
    ids=["a tenth", "one increment", "ten seconds", "never above the cap"],
)
async def test_a_bank_that_is_taken_back_begins_again_with_little(bank: dict[str, Any], renewed: int) -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock={"bank": bank})
    await service.pass_time(600)

    await service.call("ReclaimSeat", tokens[0], game_id=game_id)

    assert [(renewed, renewed), (0, None)] == clocks(await view(service, game_id), service.now)


async def test_only_what_was_taken_over_is_taken_back() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock=MINUTE)

    assert ("FAILED_PRECONDITION", "SEAT_NOT_TAKEN_OVER") == await service.refusal(
        "ReclaimSeat", tokens[0], game_id=game_id
    )
    await service.pass_time(60)
    request = {"game_id": game_id, "request_id": "once"}
    first = await service.call("ReclaimSeat", tokens[0], **request)
    assert first == await service.call("ReclaimSeat", tokens[0], **request)
    assert 1 == (await happened(service, game_id)).count("seat_reclaimed")


async def test_an_answer_that_comes_too_late_is_refused_though_nobody_has_noticed_yet() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock=MINUTE)
    request = await service.request(game_id, tokens[0])
    service.now += 60_000_000

    assert ("FAILED_PRECONDITION", "TIME_UP") == await service.refusal("PlayAction", tokens[0], **request)
    service.now -= 1
    await service.call("PlayAction", tokens[0], **request)


async def test_in_a_game_of_two_a_forfeit_is_the_others_victory() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock={**MINUTE, "on_timeout": FORFEIT})
    await service.move(game_id, tokens[1])

    await service.pass_time(60)

    shown = await view(service, game_id)
    assert game_pb2.Outcome(ranks=[2, 1], reason="TIMED_OUT") == shown.game.outcome
    assert ["seat_resigned", "game_finished", "seed_revealed"] == (await happened(service, game_id))[-3:]
    assert (await events(service, game_id))[-3].seat_resigned.timed_out
    assert not any(clock.HasField("deadline") for clock in shown.clocks)


async def test_who_is_out_of_time_first_loses_however_late_it_is_noticed() -> None:
    service = Service()
    clock = {"bank": {"initial": {"seconds": 60}}, "on_timeout": FORFEIT}
    game_id, tokens = await service.full_table("tides", clock=clock)
    await service.pass_time(10)
    await service.move(game_id, tokens[0])
    await service.pass_time(5)
    await service.move(game_id, tokens[1])  # seat 0 has 50 seconds left, seat 1 has 45

    await service.pass_time(1000)

    assert [1, 2] == list((await view(service, game_id)).game.outcome.ranks)


async def test_when_all_are_out_of_time_at_once_nobody_wins() -> None:
    service = Service()
    game_id, _ = await service.full_table("tides", clock={**MINUTE, "on_timeout": FORFEIT})

    await service.pass_time(60)

    assert game_pb2.Outcome(reason="DESERTED") == (await view(service, game_id)).game.outcome


async def test_in_a_larger_game_a_bot_plays_on_for_a_forfeit() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", 3, clock={**MINUTE, "on_timeout": FORFEIT})
    asked = (await view(service, game_id)).decisions[0].seat

    await service.pass_time(60)
    await service.let_bots_play()

    shown = await view(service, game_id)
    seat = shown.game.seats[asked]
    assert (True, False, True) == (seat.resigned, seat.taken_over, bool(seat.bot_level))
    assert asked not in {decision.seat for decision in shown.decisions}
    assert "SEAT_RESIGNED" == (await service.error("ReclaimSeat", tokens[asked], game_id=game_id)).reason


async def test_of_many_processes_that_notice_one_enforces() -> None:
    store = MemoryEventStore()
    services = [Service(store) for _ in range(4)]
    game_id, _ = await services[0].full_table("tigris", clock=MINUTE)
    for service in services:
        await service.call("GetView", game_id=game_id)
        service.now += 60_000_000

    keepers = [service.application.timeout_worker(service.background) for service in services]
    await asyncio.gather(*(keeper.check(game_id) for keeper in keepers))  # as if each held the lease
    await asyncio.gather(*(service.timeout_worker.run_once() for service in services))

    assert 1 == (await happened(services[0], game_id)).count("seat_taken_over")
    assert 1 == sum(service.background.counts["tigris timed out"] for service in services)


async def test_a_process_that_never_saw_the_game_enforces_too() -> None:
    store = MemoryEventStore()
    first, second = Service(store), Service(store)
    game_id, _ = await first.full_table("tigris", clock=MINUTE)

    await second.pass_time(60)

    assert 1 == (await happened(first, game_id)).count("seat_taken_over")


async def test_what_is_read_from_the_log_has_the_same_clocks() -> None:
    store = MemoryEventStore()
    first, second = Service(store), Service(store)
    game_id, tokens = await first.full_table("tides", clock={"bank": {"initial": {"seconds": 60}}})
    await first.pass_time(7)
    await first.move(game_id, tokens[0])

    assert await view(first, game_id, tokens[1]) == await view(second, game_id, tokens[1])
    await first.application.tables.store_snapshot(await first.application.tables.current(game_id))
    assert await view(first, game_id) == await view(Service(store), game_id)


async def test_time_travel_shows_the_clocks_of_then() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides", clock=MINUTE)
    then = await view(service, game_id)
    await service.pass_time(30)
    await service.move(game_id, tokens[0])

    again = (await service.call("GetView", game_id=game_id, version=then.version)).view

    assert clocks(then) == clocks(again)


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock"),
        ({"per_decision": {"nanos": 999_999_999}}, "clock.per_decision"),
        ({"per_decision": {"seconds": 86401}}, "clock.per_decision"),
        ({"per_decision": {"seconds": -5}}, "clock.per_decision"),
        ({"days": 0}, "clock.days"),
        ({"days": 31}, "clock.days"),
        ({"bank": {}}, "clock.bank.initial"),
        ({"bank": {"initial": {"seconds": 60}, "increment": {"seconds": -1}}}, "clock.bank.increment"),
        ({**MINUTE, "on_timeout": 9}, "clock.on_timeout"),
        ({**MINUTE, "bot_level": "Nobody"}, "clock.bot_level"),
        ({**MINUTE, "bot_level": "nobody"}, "clock.bot_level"),
    ],
)
async def test_a_clock_that_makes_no_sense_is_refused_by_field(clock: dict[str, Any], field: str) -> None:
    service = Service()

    error = await service.error("CreateGame", title="tides", clock=clock)

    assert "INVALID_REQUEST" == error.reason
    assert field in error.status.message
