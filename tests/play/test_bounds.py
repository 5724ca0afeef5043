"""What a seat can do without end is bounded, and logs from before the bounds can be read."""

from __future__ import annotations

from gamehost.play.use_cases import seat_limits
from support.long_logs import lengthen
from support.service import Service, folded_anew, info
from support.started_game import Parlour

REACHED = ("FAILED_PRECONDITION", "SEAT_LIMIT_REACHED")


async def test_a_seat_makes_so_many_proposals_and_no_more():
    parlour = await Parlour.open("tides")
    for _ in range(seat_limits.MAX_PROPOSALS):
        proposal = (await parlour.call("ProposeAbandon", 0)).view.proposal
        await parlour.call("AnswerProposal", 1, proposal_id=proposal.proposal_id, accept=False)
    before = (await parlour.view()).version

    error = await parlour.service.error("ProposeAbandon", parlour.tokens[0], game_id=parlour.game_id)

    assert ("SEAT_LIMIT_REACHED", "100") == (error.reason, info(error).metadata["limit"])
    assert before == (await parlour.view()).version
    other = (await parlour.call("ProposeAbandon", 1)).view.proposal
    await parlour.call("AnswerProposal", 0, proposal_id=other.proposal_id, accept=True)
    assert (await parlour.view()).game.outcome.reason == "AGREED"


async def test_a_snapshot_remembers_how_many_there_were():
    parlour = await Parlour.open("tides")
    service, length = parlour.service, 2 * seat_limits.MAX_PROPOSALS + 50
    await lengthen(service.house.tables, service.store, service.codec, parlour.game_id, length)

    elsewhere = Service(service.store)

    token = parlour.tokens[0]
    assert REACHED == await elsewhere.refusal("ProposeAbandon", token, game_id=parlour.game_id)


async def test_a_log_from_before_the_bounds_is_read_and_played_on():
    parlour = await Parlour.open("tides")
    service, length = parlour.service, 10 * seat_limits.MAX_PROPOSALS
    await lengthen(service.house.tables, service.store, service.codec, parlour.game_id, length)

    assert length == (await folded_anew(service).current(parlour.game_id)).version
    assert length == len((await parlour.call("ListEvents", page_size=1000)).events)
    assert length < (await parlour.play()).view.version


async def test_a_seat_takes_back_so_often_and_no_more(monkeypatch):
    monkeypatch.setattr(seat_limits, "MAX_UNDOS", 3)
    parlour = await Parlour.open("tigris", seat_count=2)
    for _ in range(3):
        _, played = await parlour.play_until_free()
        seat = played.view.seat
        await parlour.call("ProposeUndo", seat)
    _, played = await parlour.play_until_free()

    refusals = [await parlour.refusal("ProposeUndo", played.view.seat) for _ in range(2)]

    assert seat == played.view.seat
    assert [REACHED] * 2 == refusals


async def test_a_seat_that_was_taken_too_often_is_not_left_any_more():
    service = Service()
    game_id, _ = await service.table()
    for _ in range(seat_limits.MAX_TIMES_TAKEN - 1):
        token = await service.join(game_id, seat=0)
        await service.call("LeaveGame", token, game_id=game_id)
    ann = await service.join(game_id, seat=0)

    refusal = await service.refusal("LeaveGame", ann, game_id=game_id)
    bob = await service.join(game_id, seat=1)

    assert refusal == REACHED
    assert (await service.move(game_id, ann)).view.version
    assert (await service.move(game_id, bob)).view.version


async def test_tokens_are_revoked_so_often_and_no_more():
    service = Service()
    game_id, (token, _) = await service.table("Ann", "Bob")
    for _ in range(seat_limits.MAX_GENERATION - 1):
        token = (await service.call("RevokeSeatTokens", token, game_id=game_id)).seat_token

    refusal = await service.refusal("RevokeSeatTokens", token, game_id=game_id)

    assert refusal == REACHED
    assert (await service.move(game_id, token)).view.version
