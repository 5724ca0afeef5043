"""Tests of proposals, to which every person of a game must agree: undo and abandon."""

from __future__ import annotations

import asyncio

import pytest

from gamehost.play.table.events import SeatResigned, SeatTakenOver
from gamehost.play.tables import current as table_cache
from gamehost.play.tables.current import TableCache
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2
from support.service import Service
from support.started_game import StartedGame, kinds

EACH = pytest.mark.parametrize("title", CATALOG)
CLOSED = ("FAILED_PRECONDITION", "PROPOSAL_CLOSED")
NOT_ASKED = ("FAILED_PRECONDITION", "NOT_ASKED")


async def four(**fields):
    """Returns a game of four seats after five moves."""
    game = await StartedGame.open("tigris_cards", seat_count=4, **fields)
    await game.play(5)
    return game


@EACH
async def test_everyone_else_is_asked_and_everyone_sees_it(title):
    game = await StartedGame.open(title, seat_count=max(CATALOG[title].seats))
    others = [*range(1, max(CATALOG[title].seats))]

    made = await game.call("ProposeAbandon", 0)

    proposal = game_pb2.Proposal(
        proposal_id=made.view.proposal.proposal_id, seat=0, abandon=True, waiting_for=others
    )
    assert [proposal] == [event.proposal_made.proposal for event in made.events]
    for seat in (None, 0, *others):
        assert proposal == (await game.view(seat)).proposal


async def test_it_is_done_when_the_last_one_accepts():
    game = await four()
    proposal_id = (await game.call("ProposeAbandon", 2)).view.proposal.proposal_id
    accept = {"proposal_id": proposal_id, "accept": True}

    first = await game.call("AnswerProposal", 3, **accept)
    second = await game.call("AnswerProposal", 0, **accept)
    last = await game.call("AnswerProposal", 1, **accept)

    assert [[0, 1], [1]] == [list(each.view.proposal.waiting_for) for each in (first, second)]
    assert [["proposal_answered"]] * 2 == [kinds(first.events), kinds(second.events)]
    assert ["proposal_answered", "game_abandoned", "seed_revealed"] == kinds(last.events)
    assert not last.view.HasField("proposal")


@EACH
async def test_an_abandoned_game_is_over_without_a_winner_and_shows_its_luck(title):
    game = await StartedGame.open(title)
    await game.play(3)
    seat, answer = await game.answer()

    last = await game.agree("ProposeAbandon", 1)

    assert game_pb2.GAME_STATUS_FINISHED == last.view.game.status
    assert game_pb2.Outcome(reason="AGREED") == last.view.game.outcome
    assert not last.view.decisions
    assert last.events[-1].seed_revealed.seed == (await game.call("GetFairness")).fairness.seed != b""
    assert ("ABORTED", "DECISION_ANSWERED") == await game.refusal("PlayAction", seat, **answer)


async def test_a_game_that_never_tells_its_seed_keeps_it_when_abandoned():
    game = await StartedGame.open("tides", reveal=game_pb2.REVEAL_POLICY_NEVER)

    last = await game.agree("ProposeAbandon", 1)

    assert ["proposal_answered", "game_abandoned"] == kinds(last.events)


async def test_a_refusal_ends_it():
    game = await four()
    proposal_id = (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id
    await game.call("AnswerProposal", 1, proposal_id=proposal_id, accept=True)

    refused = await game.call("AnswerProposal", 2, proposal_id=proposal_id, accept=False)

    assert ["proposal_answered"] == kinds(refused.events)
    assert not refused.view.HasField("proposal")
    assert CLOSED == await game.refusal("AnswerProposal", 3, proposal_id=proposal_id, accept=True)
    assert proposal_id != (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id


@EACH
async def test_it_lapses_with_the_next_action(title):
    game = await StartedGame.open(title)
    await game.play(2)
    proposal_id = (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id

    played = await game.play()

    assert not played.view.HasField("proposal")
    assert CLOSED == await game.refusal("AnswerProposal", 1, proposal_id=proposal_id, accept=True)


@pytest.mark.parametrize(
    ("event", "asked"), [(SeatResigned(3, "random"), [1, 2]), (SeatTakenOver(3, "random"), [1, 2, 3])]
)
async def test_it_lapses_when_a_bot_plays_on_for_a_seat(event, asked):
    game = await four()
    proposal_id = (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id

    await game.service.append_events(game.game_id, event)

    assert CLOSED == await game.refusal("AnswerProposal", 1, proposal_id=proposal_id, accept=True)
    assert asked == list((await game.call("ProposeAbandon", 0)).view.proposal.waiting_for)
    refused = await game.refusal("ProposeAbandon", 3)
    assert ("FAILED_PRECONDITION", "SEAT_NOT_PLAYING") == refused


async def test_it_stays_when_tokens_are_revoked():
    game = await four()
    proposal = (await game.call("ProposeAbandon", 0)).view.proposal

    await game.call("RevokeSeatTokens", 3)

    assert proposal == (await game.view()).proposal


async def test_one_at_a_time():
    game = await StartedGame.open("tides")
    start = (await game.view()).version
    await game.play(2)
    made = await game.call("ProposeAbandon", 0)

    for seat in (0, 1):
        for name, fields in (("ProposeAbandon", {}), ("ProposeUndo", {"to_version": start})):
            refused = await game.refusal(name, seat, **fields)
            assert ("FAILED_PRECONDITION", "PROPOSAL_PENDING") == refused
    assert made.view.proposal == (await game.view()).proposal


async def test_only_who_is_asked_may_answer_and_once():
    game = await four()
    proposal_id = (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id
    accept = {"proposal_id": proposal_id, "accept": True}
    await game.call("AnswerProposal", 1, **accept)

    assert NOT_ASKED == await game.refusal("AnswerProposal", 0, **accept)
    assert NOT_ASKED == await game.refusal("AnswerProposal", 1, **accept)
    assert CLOSED == await game.refusal("AnswerProposal", 2, proposal_id="proposal.99", accept=True)
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await game.refusal("AnswerProposal", None, **accept)
    assert [2, 3] == list((await game.view()).proposal.waiting_for)


async def test_a_repeated_answer_is_answered_the_same():
    game = await StartedGame.open("tides")
    made = [await game.call("ProposeAbandon", 0, request_id="stop") for _ in range(2)]
    accept = {"proposal_id": made[0].view.proposal.proposal_id, "accept": True, "request_id": "yes"}

    answers = [await game.call("AnswerProposal", 1, **accept) for _ in range(3)]

    assert made[0] == made[1]
    assert [answers[0]] * 3 == answers
    assert answers[0].view.version == (await game.view()).version


async def test_a_game_that_has_not_begun_or_is_over_cannot_be_stopped():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    assert ("FAILED_PRECONDITION", "GAME_NOT_STARTED") == await service.refusal(
        "ProposeAbandon", ann, game_id=game_id
    )
    bob = await service.join(game_id)
    await service.finish(game_id, [ann, bob])

    for name, fields in (("ProposeAbandon", {}), ("AnswerProposal", {"proposal_id": "proposal.9"})):
        refused = await service.refusal(name, bob, game_id=game_id, **fields)
        assert ("FAILED_PRECONDITION", "GAME_FINISHED") == refused


async def test_the_open_proposal_survives_a_snapshot(monkeypatch):
    monkeypatch.setattr(table_cache, "SNAPSHOT_EVERY", 1)
    game = await StartedGame.open("tigris_cards", seat_count=4)
    start = (await game.view()).version
    await game.play(5)
    await game.call("ProposeUndo", 3, to_version=start)
    await game.service.settled()
    assert (await game.service.store.snapshot(game.game_id)).version == (await game.view()).version

    cold = await TableCache(game.service.store, game.service.codec, CATALOG).current(game.game_id)

    assert await game.table() == cold
    assert cold.proposal is not None


async def test_two_last_answers_at_once_are_both_heard():
    game = await four()
    proposal_id = (await game.call("ProposeAbandon", 0)).view.proposal.proposal_id
    accept = {"proposal_id": proposal_id, "accept": True}

    await asyncio.gather(*(game.call("AnswerProposal", seat, **accept) for seat in (1, 2, 3)))

    assert game_pb2.GAME_STATUS_FINISHED == (await game.view()).game.status
