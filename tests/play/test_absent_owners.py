"""Tests that the owner of a seat that timed out is still asked about proposals."""

from __future__ import annotations

from shedu.v1 import game_pb2
from support.keyed_service import KeyedService
from support.started_game import StartedGame, kinds

MINUTE = game_pb2.Clock(per_decision={"seconds": 60})


async def deserted() -> tuple[StartedGame, int, int]:
    """Returns a game of two in which the first seat to decide timed out, that seat, and the other one."""
    game = await StartedGame.open("tigris", clock=MINUTE)
    (asked,) = await game.asked()
    await game.service.pass_time(61)
    assert (await game.view()).game.seats[asked.seat].taken_over
    return game, asked.seat, 1 - asked.seat


async def test_the_owner_of_a_seat_that_was_taken_over_is_asked() -> None:
    game, absent, other = await deserted()

    proposed = await game.call("ProposeAbandon", other)

    assert ["proposal_made"] == kinds(proposed.events)
    assert [absent] == list(proposed.view.proposal.waiting_for)
    assert not proposed.view.game.HasField("outcome")


async def test_without_the_owners_answer_nothing_is_undone() -> None:
    game, _, other = await deserted()
    start = (await game.view()).version
    await game.service.let_bots_play()
    await game.play()

    proposed = await game.call("ProposeUndo", other, to_version=start)

    assert ["proposal_made"] == kinds(proposed.events)


async def test_the_owner_answers_without_taking_the_seat_back() -> None:
    game, absent, other = await deserted()
    proposal = (await game.call("ProposeAbandon", other)).view.proposal.proposal_id

    answered = await game.call("AnswerProposal", absent, proposal_id=proposal, accept=True)

    assert "AGREED" == answered.view.game.outcome.reason


async def test_the_inbox_tells_the_owner_of_a_seat_that_was_taken_over() -> None:
    service = KeyedService()
    keys = [await service.key(name) for name in ("ann", "bob")]
    game_id, _ = await service.shared_table(*keys, title="tigris", clock=MINUTE)
    (asked,) = (await service.call("GetView", keys[0], game_id=game_id)).view.decisions
    await service.pass_time(61)

    await service.call("ProposeAbandon", keys[1 - asked.seat], game_id=game_id)
    inbox = [
        message.item.WhichOneof("kind")
        for message in await service.read_stream("WatchInbox", keys[asked.seat])
        if message.HasField("item")
    ]

    assert ["proposal"] == inbox


async def test_the_owner_takes_the_seat_back_before_proposing() -> None:
    game, absent, _ = await deserted()

    assert ("FAILED_PRECONDITION", "SEAT_NOT_PLAYING") == await game.refusal("ProposeAbandon", absent)

    await game.call("ReclaimSeat", absent)
    assert ["proposal_made"] == kinds((await game.call("ProposeAbandon", absent)).events)
