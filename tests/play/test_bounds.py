"""Tests of the bounds on what a seat can repeat, and that logs from before the bounds can be read."""

from __future__ import annotations

from gamehost.play.use_cases import seat_limits
from support.long_logs import lengthen
from support.service import Service, info, tables_from_logs
from support.started_game import StartedGame

REACHED = ("FAILED_PRECONDITION", "SEAT_LIMIT_REACHED")


async def test_a_seat_makes_so_many_proposals_and_no_more():
    game = await StartedGame.open("tides")
    for _ in range(seat_limits.MAX_PROPOSALS):
        proposal = (await game.call("ProposeAbandon", 0)).view.proposal
        await game.call("AnswerProposal", 1, proposal_id=proposal.proposal_id, accept=False)
    before = (await game.view()).version

    error = await game.service.error("ProposeAbandon", game.tokens[0], game_id=game.game_id)

    assert ("SEAT_LIMIT_REACHED", "100") == (error.reason, info(error).metadata["limit"])
    assert before == (await game.view()).version
    other = (await game.call("ProposeAbandon", 1)).view.proposal
    await game.call("AnswerProposal", 0, proposal_id=other.proposal_id, accept=True)
    assert (await game.view()).game.outcome.reason == "AGREED"


async def test_a_snapshot_remembers_how_many_there_were():
    game = await StartedGame.open("tides")
    service, length = game.service, 2 * seat_limits.MAX_PROPOSALS + 50
    await lengthen(service.application.tables, service.store, service.codec, game.game_id, length)

    elsewhere = Service(service.store)

    token = game.tokens[0]
    assert REACHED == await elsewhere.refusal("ProposeAbandon", token, game_id=game.game_id)


async def test_a_log_from_before_the_bounds_is_read_and_played_on():
    game = await StartedGame.open("tides")
    service, length = game.service, 10 * seat_limits.MAX_PROPOSALS
    await lengthen(service.application.tables, service.store, service.codec, game.game_id, length)

    assert length == (await tables_from_logs(service).current(game.game_id)).version
    assert length == len((await game.call("ListEvents", page_size=1000)).events)
    assert length < (await game.play()).view.version


async def test_a_seat_takes_back_so_often_and_no_more(monkeypatch):
    monkeypatch.setattr(seat_limits, "MAX_UNDOS", 3)
    game = await StartedGame.open("tigris", seat_count=2)
    for _ in range(3):
        _, played = await game.play_until_free()
        seat = played.view.seat
        await game.call("ProposeUndo", seat)
    _, played = await game.play_until_free()

    refusals = [await game.refusal("ProposeUndo", played.view.seat) for _ in range(2)]

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
