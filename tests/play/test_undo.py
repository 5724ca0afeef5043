"""Tests of undo: immediate where nothing was learnt, otherwise by agreement; the log keeps everything."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from gamehost.play.table.events import SeatResigned
from gamehost.play.table.undo_window import MOST_CHECKPOINTS
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.stores.memory import MemoryEventStore
from rules.facts import FACTS
from support.keyed_service import KeyedService
from support.service import Service
from support.started_game import StartedGame, board, kinds

EACH = pytest.mark.parametrize("title", CATALOG)
FREE = pytest.mark.parametrize("title", [title for title in CATALOG if not FACTS[title].all_final])
# Titles in which a seat takes several actions in a row.
LONG = pytest.mark.parametrize(
    "title", [title for title in CATALOG if not (FACTS[title].all_final or FACTS[title].short)]
)


def ids(view):
    return [decision.decision_id for decision in view.decisions]


async def ids_after_undo(game, before, acted):
    """The ids of what was asked before its seat acted at this version, once that is taken back.

    An id of the title gets a suffix. An id that the frame made is new besides: it has the version of the last
    answer of its seat.
    """
    table = await game.table()
    if all(decision.id for decision in table.rules.decisions(table.state)):
        return [f"{name}~1" for name in ids(before)]
    made = {before.seat: f"{before.seat}.{acted}"}
    return [f"{made.get(decision.seat, decision.decision_id)}~1" for decision in before.decisions]


async def two_free_actions(game):
    """Plays until a seat makes two actions in a row that it may undo alone; returns the views around them."""
    for _ in range(100):
        first, played = await game.play_until_free()
        if [first.seat] != [decision.seat for decision in played.view.decisions]:
            continue
        again = await game.play()
        if again.view.HasField("undo_to_version"):
            return first, played.view, again.view
    raise AssertionError("no seat made two such actions in a row")


async def lucky(game):
    """Plays until an answer would draw luck; returns the view and that answer, which is not sent."""
    for _ in range(500):
        seat, answer = await game.answer()
        if await draws(game, seat, answer):
            return await game.view(seat), answer
        await game.call("PlayAction", seat, **answer)
    raise AssertionError("no action drew luck")


async def draws(game, seat, answer):
    table = await game.table()
    chance = SeededChance(await game.service.application.tables.seed(game.game_id), table.position)
    title = game.service.codec.titles[table.rules.title]
    action = title.action.decode(getattr(answer["action"], table.rules.title))
    table.rules.decide(table.state, seat, action, chance)
    return bool(chance.taken)


@FREE
async def test_what_taught_nothing_is_taken_back_at_once(title):
    game = await StartedGame.open(title)
    before, played = await game.play_until_free()

    undone = await game.call("ProposeUndo", before.seat)

    assert ["move_undone"] == kinds(undone.events)
    told = undone.events[0].move_undone
    assert (before.seat, before.version) == (told.seat, told.to_version)
    assert played.view.version + 1 == undone.view.version
    assert board(before) == board(undone.view)
    assert await ids_after_undo(game, before, played.view.version) == ids(undone.view)


@LONG
async def test_free_actions_are_taken_back_one_by_one(title):
    game = await StartedGame.open(title)
    first, second, last = await two_free_actions(game)
    assert [second.version] == [last.undo_to_version]

    once = (await game.call("ProposeUndo", first.seat)).view
    assert board(second) == board(once)
    assert first.version == once.undo_to_version
    twice = (await game.call("ProposeUndo", first.seat)).view

    assert board(first) == board(twice)
    assert first.version not in (twice.undo_to_version, once.version)


@LONG
async def test_or_with_one_leap(title):
    game = await StartedGame.open(title)
    first, _, _ = await two_free_actions(game)

    undone = await game.call("ProposeUndo", first.seat, to_version=first.version)

    assert ["move_undone"] == kinds(undone.events)
    assert board(first) == board(undone.view)


@FREE
async def test_nothing_is_free_once_another_has_acted(title):
    game = await StartedGame.open(title)
    for _ in range(100):
        before, played = await game.play_until_free()
        if played.view.decisions[0].seat != before.seat:
            break

    await game.play()

    assert not (await game.view(before.seat)).HasField("undo_to_version")
    assert ["proposal_made"] == kinds((await game.call("ProposeUndo", before.seat)).events)


@LONG
async def test_nobody_takes_back_alone_what_another_did(title):
    game = await StartedGame.open(title, seat_count=2)
    for _ in range(100):
        before, played = await game.play_until_free()
        if played.view.decisions[0].seat == before.seat:
            continue
        answered = await game.play()
        if answered.view.HasField("undo_to_version"):
            break

    asked = await game.call("ProposeUndo", answered.view.seat, to_version=before.version)

    assert played.view.version == answered.view.undo_to_version
    assert ["proposal_made"] == kinds(asked.events)


@EACH
async def test_nothing_is_free_once_luck_was_drawn_and_undone_luck_comes_again(title):
    game = await StartedGame.open(title)
    before, answer = await lucky(game)
    first = await game.call("PlayAction", before.seat, **answer)
    assert not first.view.HasField("undo_to_version")

    undone = await game.agree("ProposeUndo", before.seat)
    answer["decision_id"] = next(d.decision_id for d in undone.view.decisions if d.seat == before.seat)
    again = await game.call("PlayAction", before.seat, **answer)

    assert board(before) == board(await game.view(before.seat, version=undone.view.version))
    assert [getattr(event, title) for event in first.events] == [
        getattr(event, title) for event in again.events
    ]
    assert board(first.view) == board(again.view)


async def test_a_sealed_choice_stays_unless_both_agree():
    """TT-4."""
    game = await StartedGame.open("tides")
    hand = board(await game.view(0))
    chosen = await game.service.move(game.game_id, game.tokens[0])
    assert not chosen.view.HasField("undo_to_version")

    asked = await game.call("ProposeUndo", 0)
    undone = await game.call("AnswerProposal", 1, proposal_id=asked.view.proposal.proposal_id, accept=True)

    assert ["proposal_made"] == kinds(asked.events)
    assert ["proposal_answered", "move_undone"] == kinds(undone.events)
    assert hand == board(await game.view(0))


@FREE
async def test_only_the_seat_itself_is_told_that_it_may_go_back(title):
    game = await StartedGame.open(title, seat_count=2)
    before, played = await game.play_until_free()

    views = [await game.view(seat) for seat in (before.seat, 1 - before.seat, None)]

    assert [True, False, False] == [view.HasField("undo_to_version") for view in views]
    assert played.view == views[0]


@EACH
async def test_an_old_tab_cannot_answer_what_is_asked_again(title):
    game = await StartedGame.open(title)
    seat, answer = await game.answer()
    await game.call("PlayAction", seat, **answer)

    await game.agree("ProposeUndo", seat)

    assert ("ABORTED", "DECISION_ANSWERED") == await game.refusal("PlayAction", seat, **answer)


@EACH
async def test_the_log_loses_nothing_and_every_version_can_still_be_seen(title):
    game = await StartedGame.open(title)
    await game.play(6)
    seat = (await game.events())[-1].seat
    events, version = await game.events(seat), (await game.view()).version
    views = [await game.view(seat, version=at) for at in range(1, version + 1)]

    await game.agree("ProposeUndo", seat)
    await game.play(3)

    assert events == (await game.events(seat))[:version]
    assert views == [await game.view(seat, version=at) for at in range(1, version + 1)]


@pytest.mark.parametrize(
    ("title", "deep"),
    [
        (title, deep)
        for title in CATALOG
        for deep in (1, MOST_CHECKPOINTS + 5)
        if deep == 1 or not FACTS[title].short
    ],
)
async def test_a_process_that_saw_nothing_of_it_goes_back_as_far(title, deep):
    """Beyond the cached tables the log is read, also by a stream."""
    store = MemoryEventStore()
    here, there = Service(store, luck="x"), Service(store, luck="x")
    game = await StartedGame.open(title, service=here)
    views = [await game.view(0)]
    for _ in range(deep):
        await game.play()
        views.append(await game.view(0))
    async with aclosing(there.watch(game.tokens[0], game_id=game.game_id)) as stream:
        await anext(stream)

        undone = await game.agree("ProposeUndo", 1, to_version=views[0].version)

        async for message in stream:
            if message.happened.view.version == undone.view.version:
                break
    cold = (await Service(store).call("GetView", game.tokens[0], game_id=game.game_id)).view
    assert board(views[0]) == board(cold)
    assert cold == message.happened.view == await game.view(0)


@EACH
async def test_undone_twice_and_before_an_earlier_undo(title):
    game = await StartedGame.open(title)
    views = [await game.view(0)]
    for _ in range(4):
        await game.play()
        views.append(await game.view(0))

    await game.agree("ProposeUndo", 0, to_version=views[3].version)
    await game.play()
    undone = await game.agree("ProposeUndo", 0, to_version=views[1].version)

    assert board(views[1]) == board(await game.view(0))
    assert all(name.endswith("~2") for name in ids(undone.view))
    for lost in (views[2], views[3], views[4]):
        refused = await game.refusal("ProposeUndo", 0, to_version=lost.version)
        assert ("FAILED_PRECONDITION", "NO_WAY_BACK") == refused


@LONG
async def test_a_repeated_call_undoes_once_and_is_answered_the_same(title):
    game = await StartedGame.open(title)
    first, _, _ = await two_free_actions(game)

    answers = [await game.call("ProposeUndo", first.seat, request_id="once") for _ in range(3)]
    await game.play()
    later = await game.call("ProposeUndo", first.seat, request_id="once")

    assert answers == [later] * 3


@EACH
async def test_against_bots_nobody_is_asked(title):
    game = await StartedGame.open(title, seat_count=2)
    before = await game.view(0)
    await game.play(6)

    await game.service.append_events(game.game_id, SeatResigned(1, "random"))
    undone = await game.call("ProposeUndo", 0, to_version=before.version)

    assert ["move_undone"] == kinds(undone.events)
    assert board(before) == board(undone.view)
    assert "random" == undone.view.game.seats[1].bot_level
    refused = await game.refusal("ProposeUndo", 1, to_version=before.version)
    assert ("FAILED_PRECONDITION", "SEAT_NOT_PLAYING") == refused


async def test_one_caller_on_all_seats_asks_nobody():
    service = KeyedService()
    ann = await service.key("ann")
    game_id, tokens = await service.shared_table(ann, ann)
    await service.move(game_id, tokens[0])

    undone = await service.call("ProposeUndo", ann, game_id=game_id, seat=0)

    assert ["move_undone"] == kinds(undone.events)


@EACH
async def test_there_is_no_way_to_where_the_game_never_stood(title):
    game = await StartedGame.open(title)
    start = (await game.view()).version
    batch = (await game.play(3)).events
    (*_, undoable), now = await game.events(), (await game.view()).version

    for version, code, reason in [
        (1, "FAILED_PRECONDITION", "NO_WAY_BACK"),
        (start - 1, "FAILED_PRECONDITION", "NO_WAY_BACK"),
        (now, "FAILED_PRECONDITION", "NOTHING_TO_UNDO"),
        (now + 1, "OUT_OF_RANGE", "VERSION_IN_FUTURE"),
        *((event.version, "FAILED_PRECONDITION", "NO_WAY_BACK") for event in batch if event.continues),
    ]:
        assert (code, reason) == await game.refusal("ProposeUndo", undoable.seat, to_version=version)
    assert now == (await game.view()).version


@EACH
async def test_there_must_be_something_to_undo(title):
    game = await StartedGame.open(title)

    refused = await game.refusal("ProposeUndo", 0)

    assert ("FAILED_PRECONDITION", "NOTHING_TO_UNDO") == refused


async def test_only_who_plays_may_undo_and_only_while_it_goes_on():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    assert ("FAILED_PRECONDITION", "GAME_NOT_STARTED") == await service.refusal(
        "ProposeUndo", ann, game_id=game_id
    )
    bob = await service.join(game_id)
    _, (eve, _) = await service.table("Eve", "Fay")

    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal("ProposeUndo", game_id=game_id)
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
        "ProposeUndo", eve, game_id=game_id
    )
    await service.finish(game_id, [ann, bob])
    assert ("FAILED_PRECONDITION", "GAME_FINISHED") == await service.refusal(
        "ProposeUndo", bob, game_id=game_id
    )


@FREE
async def test_of_two_who_act_at_once_one_is_told(title):
    """An undo and an answer at the same time: the second is checked against the state after the first."""
    game = await StartedGame.open(title)
    for _ in range(100):
        before, played = await game.play_until_free()
        if played.view.decisions[0].seat != before.seat:
            break
    seat, answer = await game.answer()

    undone, played = await asyncio.gather(
        game.call("ProposeUndo", before.seat),
        game.call("PlayAction", seat, **answer),
        return_exceptions=True,
    )

    if kinds(undone.events) == ["move_undone"]:
        assert "DECISION_ANSWERED" == played.reason
    else:
        assert ["proposal_made"] == kinds(undone.events)
