"""Tests of clocks when a seat is reclaimed from a bot: the time gained is bounded."""

from __future__ import annotations

from typing import Any

import pytest

from shedu.v1 import game_service_pb2 as pb
from support.service import Service

MINUTE = {"per_decision": {"seconds": 60}}
BANK = {"bank": {"initial": {"seconds": 600}}}
HALVES = [60, 30, 15, 7.5, 3.75, 1.875]


async def clock_of(service: Service, game_id: str, seat: int = 0) -> Any:
    return (await service.call("GetView", game_id=game_id)).view.clocks[seat]


async def reclaimed(service: Service, game_id: str, token: str) -> float:
    """Reclaims a seat, and returns the seconds that it gets."""
    await service.call("ReclaimSeat", token, game_id=game_id)
    clock = await clock_of(service, game_id)
    assert clock.remaining.ToMicroseconds() == clock.deadline.ToMicroseconds() - service.now
    given: float = clock.remaining.ToMicroseconds() / 1e6
    return given


async def out_of_time(service: Service, clock: dict[str, Any]) -> tuple[str, list[str]]:
    """Creates a game whose seats timed out, before the bots answer."""
    game_id, tokens = await service.full_table("tides", clock=clock)
    await service.pass_time(600)
    return game_id, tokens


@pytest.mark.parametrize("clock", [MINUTE, BANK], ids=["per decision", "bank"])
async def test_taking_a_seat_back_again_and_again_does_not_refill_its_time(clock: dict[str, Any]) -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, clock)

    given = []
    for _ in HALVES:
        given.append(await reclaimed(service, game_id, tokens[0]))
        await service.pass_time(given[-1])

    assert given == HALVES
    assert ("FAILED_PRECONDITION", "NO_TIME_LEFT") == await service.refusal(
        "ReclaimSeat", tokens[0], game_id=game_id
    )
    seat = (await service.call("GetGame", game_id=game_id)).game.seats[0]
    assert seat.taken_over


async def test_with_time_for_each_decision_the_next_one_has_it_whole() -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, MINUTE)
    for given in HALVES:
        assert given == await reclaimed(service, game_id, tokens[0])
        await service.pass_time(given)

    await service.settled()
    await service.bot_worker.run_once()  # one of the two bots answers

    assert 0 == (await clock_of(service, game_id)).reclaims
    await service.call("ReclaimSeat", tokens[0], game_id=game_id)
    await service.call("ReclaimSeat", tokens[1], game_id=game_id)
    await service.move(game_id, tokens[1])
    assert 60 == (await clock_of(service, game_id)).remaining.seconds


async def test_an_answer_in_time_makes_the_next_reclaim_whole_again() -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, MINUTE)
    for given in HALVES[:2]:
        assert given == await reclaimed(service, game_id, tokens[0])
        if given == HALVES[0]:
            await service.pass_time(given)
    await service.move(game_id, tokens[0])
    await service.call("ReclaimSeat", tokens[1], game_id=game_id)
    await service.move(game_id, tokens[1])
    await service.pass_time(60)

    assert 60 == await reclaimed(service, game_id, tokens[0])


async def test_a_bank_does_not_forget_how_often_a_seat_was_taken_back() -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, BANK)
    assert 60 == await reclaimed(service, game_id, tokens[0])
    await service.move(game_id, tokens[0])
    await service.let_bots_play()
    await service.pass_time(60)

    assert 30 == await reclaimed(service, game_id, tokens[0])
    assert 2 == (await clock_of(service, game_id)).reclaims


async def test_undoing_does_not_make_the_next_reclaim_whole_again() -> None:
    """An answer that replaces an undone one does not count as a new answer."""
    service = Service()
    seats = [{}, {"bot_level": "random"}]
    created = await service.call("CreateGame", title="stone_age", seats=seats, clock=MINUTE)
    game_id, ann = created.game.game_id, await service.join(created.game.game_id)
    await service.let_bots_play()
    await service.move(game_id, ann)
    await service.let_bots_play()
    await service.pass_time(60)
    assert 60 == await reclaimed(service, game_id, ann)

    await service.call("ProposeUndo", ann, game_id=game_id)
    await service.move(game_id, ann)
    await service.let_bots_play()
    await service.pass_time(60)

    assert 30 == await reclaimed(service, game_id, ann)


async def test_how_often_a_seat_was_taken_back_is_kept_by_the_log() -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, BANK)
    await reclaimed(service, game_id, tokens[0])

    other = Service(service.store)

    views: list[pb.View] = [(await s.call("GetView", game_id=game_id)).view for s in (service, other)]
    assert views[0] == views[1]
    assert [1, 0] == [clock.reclaims for clock in views[1].clocks]


async def test_who_resigns_while_a_bot_plays_takes_nothing_back() -> None:
    service = Service()
    game_id, tokens = await out_of_time(service, BANK)

    await service.call("Resign", tokens[0], game_id=game_id)

    clock = await clock_of(service, game_id)
    assert (0, 0) == (clock.remaining.ToMicroseconds(), clock.reclaims)
