"""Tests of forks: they start at a position of another game, and show only what the caller knew of it."""

from __future__ import annotations

import random
import re

import pytest

from gamehost.commands.recorded.verify import verify_game
from gamehost.play.table.redaction import witnessed_events as seen_by
from gamehost.play.table.table import without_undone
from gamehost.play.use_cases import fork_game
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.copying import replace
from luck.games import exported
from shedu.v1 import game_pb2
from support.keyed_service import KeyedService
from support.service import Service
from support.started_game import StartedGame, board, kinds

EACH = pytest.mark.parametrize("title", CATALOG)


def questions(view):
    """Returns the decisions; ids that the service makes are left out, since they differ between games."""
    return [
        (re.sub(r"^\d+\.\d+$", "", asked.decision_id), asked.seat, list(asked.kinds), asked.prompt)
        for asked in view.decisions
    ]


WHOEVER = pytest.mark.parametrize("seat", [None, 0, 1], ids=["a spectator", "seat 0", "seat 1"])


async def sandbox(game, seat=None, **fields):
    """Forks a game; returns the fork and the response."""
    answer = await game.call("ForkGame", seat, **fields)
    return StartedGame(game.service, answer.game.game_id, list(answer.seat_tokens), "sandbox"), answer


async def boundaries(game):
    """Returns the versions at which calls ended since the start of the game."""
    events = await game.events(0)
    start = kinds(events).index("game_started")
    return [event.version for event in events[start:] if not event.continues]


@EACH
@WHOEVER
async def test_a_fork_of_a_running_game_looks_to_its_caller_as_the_game_did(title, seat):
    game = await StartedGame.open(title)
    await game.play(8)
    for version in (None, *(await boundaries(game))[-4:]):
        asked = {} if version is None else {"version": version}
        before = await game.view(seat, **asked)

        fork, answer = await sandbox(game, seat, **asked)

        origin = game_pb2.ForkOrigin(game_id=game.game_id, version=before.version, imagined=True)
        assert origin == answer.game.fork_of
        if seat is not None:
            assert board(before) == board(await fork.view(seat))
            assert questions(before) == questions(await fork.view(seat))


@EACH
async def test_it_is_a_private_game_of_its_own_with_every_seat_the_callers(title):
    game = await StartedGame.open(title)
    await game.play(3)
    before = await game.view()

    fork, answer = await sandbox(game, 0)

    assert (game_pb2.GAME_STATUS_PLAYING, game_pb2.VISIBILITY_PRIVATE) == (
        answer.game.status,
        answer.game.visibility,
    )
    assert before.game.seats == answer.game.seats
    assert len(answer.game.seats) == len(answer.seat_tokens)
    assert [*range(len(fork.tokens))] == [(await fork.view(seat)).seat for seat in range(len(fork.tokens))]
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await fork.refusal("GetView")
    assert [game.game_id] == [each.game_id for each in (await game.service.call("ListGames")).games]
    assert before == await game.view()


@EACH
async def test_it_plays_to_its_end_and_its_luck_can_be_checked(title):
    game = await StartedGame.open(title)
    await game.play(5)
    fork, _ = await sandbox(game, 1)

    await fork.play(4)
    await fork.call("ProposeUndo", 0, to_version=(await boundaries(fork))[1])
    ended = await fork.finish()

    verdict = verify_game(await exported(game.service, fork.game_id, fork.tokens[0]))
    assert ended.game.outcome.ranks
    assert verdict.verified, verdict.text
    assert "position it began with" in verdict.text


@EACH
async def test_a_fork_of_a_finished_game_has_the_real_position(title):
    game = await StartedGame.open(title)
    await game.play(6)
    version = (await game.view()).version
    await game.finish()

    fork, answer = await sandbox(game, None, version=version)

    assert not answer.game.fork_of.imagined
    for seat in range(len(fork.tokens)):
        truth = await game.view(None, version=version, as_seat=seat)
        assert board(truth) == board(await fork.view(seat))


@pytest.mark.parametrize(
    ("policy", "seat", "imagined"),
    [
        ("REVEAL_POLICY_PARTICIPANTS", 0, False),
        ("REVEAL_POLICY_PARTICIPANTS", None, True),
        ("REVEAL_POLICY_NEVER", 0, True),
    ],
)
async def test_what_a_finished_game_does_not_reveal_is_imagined(policy, seat, imagined):
    game = await StartedGame.open("tides", reveal=policy)
    version = (await game.view()).version
    await game.finish()

    _, answer = await sandbox(game, seat, version=version)

    assert imagined == answer.game.fork_of.imagined


@EACH
@WHOEVER
async def test_a_position_is_imagined_from_nothing_but_what_the_caller_knows(title, seat):
    """In a world that the caller cannot tell from this one, the same luck gives the same fork."""
    game = await StartedGame.open(title)
    for salt in range(6):
        for _ in range(3):
            if await game.asked():
                await game.play()
        table = await game.table()
        records = await game.service.application.tables.records(game.game_id, after=0)
        rules, known = table.rules, table.view(seat)
        seen = seen_by(table, records, seat)
        other = replace(table, state=rules.imagine(known, SeededChance(b"other", salt), seen))

        here, there = (fork_game.imagined(each, records, seat, b"seed") for each in (table, other))

        assert here == there
        assert known == rules.view(here, seat)


@pytest.mark.parametrize("relics", [False, True], ids=["draft", "relics"])
async def test_two_worlds_that_differ_in_a_sealed_choice_fork_into_the_same_bytes(relics):
    logs = []
    for choice in (0, 2):
        service = Service(luck="the same")
        game_id, tokens = await service.table("Ann", "Bob")
        for _ in range(4 if relics else 0):
            for token in tokens:
                await service.move(game_id, token)
        await service.move(game_id, tokens[0], choice)
        fork = await service.call("ForkGame", tokens[1], game_id=game_id, request_id="a-request-of-bob")
        stored = await service.store.read(fork.game.game_id)
        logs.append([fork.SerializeToString(), *(each.payload for each in stored)])

    assert logs[0] == logs[1]


@EACH
async def test_its_luck_is_its_own(title):
    game = await StartedGame.open(title)
    await game.play(2)

    forks = [await sandbox(game, 0) for _ in range(2)]

    commitments = {answer.game.commitment for _, answer in forks}
    assert 3 == len({*commitments, (await game.view()).game.commitment})


@EACH
async def test_the_placed_position_is_told_to_nobody_until_the_end(title):
    game = await StartedGame.open(title)
    await game.play(2)
    fork, _ = await sandbox(game, 0)

    running = [each for each in await fork.events(1) if each.HasField("position_placed")]
    await fork.agree("ProposeAbandon", 1)
    over = [each for each in await fork.events(1) if each.HasField("position_placed")]

    assert [b""] == [each.position_placed.state for each in running]
    assert [True] == [bool(each.position_placed.state) for each in over]


@EACH
async def test_in_the_middle_of_what_a_call_led_to_it_is_the_position_before(title):
    game = await StartedGame.open(title)
    for _ in range(100):
        before, played = (await game.view(0)), await game.play()
        if len(played.events) > 1:
            break

    fork, answer = await sandbox(game, 0, version=played.events[0].version)

    assert before.version == answer.game.fork_of.version
    assert board(before) == board(await fork.view(0))


@EACH
async def test_a_fork_of_a_fork(title):
    game = await StartedGame.open(title)
    await game.play(3)
    first, _ = await sandbox(game, 0)
    await first.play(3)
    before = await first.view(1)

    second, answer = await sandbox(first, 1)

    assert first.game_id == answer.game.fork_of.game_id
    assert board(before) == board(await second.view(1))
    await second.play(2)


@EACH
async def test_what_was_undone_is_not_remembered(title):
    game = await StartedGame.open(title)
    start = (await game.view()).version
    await game.play(6)
    await game.agree("ProposeUndo", 0, to_version=start)
    table, records = await game.table(), await game.service.application.tables.records(game.game_id, after=0)

    seen = seen_by(table, records, 0)
    fork, _ = await sandbox(game, 0)

    assert table.position == len(seen)
    assert sum(len(batch) for batch in without_undone(records)) < len(records)
    assert board(await game.view(0)) == board(await fork.view(0))


@EACH
async def test_in_a_sandbox_nobody_is_asked_and_it_never_goes_back_before_its_beginning(title):
    game = await StartedGame.open(title)
    await game.play(3)
    fork, answer = await sandbox(game, 0)
    await fork.play(3)

    undone = await fork.call("ProposeUndo", 1, to_version=answer.game.version)

    assert ["move_undone"] == kinds(undone.events)
    assert board(await game.view(0)) == board(await fork.view(0))
    await fork.play()
    for version in range(1, answer.game.version):
        refused = await fork.refusal("ProposeUndo", 0, to_version=version)
        assert ("FAILED_PRECONDITION", "NO_WAY_BACK") == refused


async def test_a_repeated_call_opens_one_sandbox_even_when_the_game_has_gone_on():
    game = await StartedGame.open("tides")
    once = {"request_id": "a-request-of-ann-s"}
    first = [await game.call("ForkGame", 0, **once) for _ in range(2)]
    await game.finish()

    again = await game.call("ForkGame", 0, **once)
    bobs = await game.call("ForkGame", 1, **once, version=first[0].game.fork_of.version)

    assert [again] * 2 == first
    assert again.game.game_id != bobs.game.game_id
    assert ("INVALID_ARGUMENT", "REQUEST_ID_REUSED") == await game.refusal("ForkGame", 0, **once, version=9)


async def test_what_was_not_being_played_cannot_be_forked():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    not_started = ("FAILED_PRECONDITION", "GAME_NOT_STARTED")
    assert not_started == await service.refusal("ForkGame", ann, game_id=game_id)
    bob = await service.join(game_id)
    ended = await service.finish(game_id, [ann, bob])

    for version in range(1, 8):
        assert not_started == await service.refusal("ForkGame", ann, game_id=game_id, version=version)
    assert ("FAILED_PRECONDITION", "GAME_FINISHED") == await service.refusal("ForkGame", ann, game_id=game_id)
    assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == await service.refusal(
        "ForkGame", ann, game_id=game_id, version=ended.view.version + 1
    )


async def test_who_may_not_look_may_not_fork():
    game = await StartedGame.open("tides", visibility="VISIBILITY_UNLISTED")
    fork, _ = await sandbox(game, 0)

    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await fork.refusal("ForkGame")
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await game.service.refusal(
        "ForkGame", game.tokens[1], game_id=fork.game_id
    )


async def test_who_may_not_look_in_may_not_fork_either():
    game = await StartedGame.open("tides", spectators={"policy": "SPECTATOR_POLICY_NONE"})

    assert ("PERMISSION_DENIED", "NO_SPECTATORS") == await game.refusal("ForkGame")
    assert await sandbox(game, 0)


@EACH
async def test_a_spectator_forks_no_more_than_it_is_shown(title):
    game = await StartedGame.open(title, spectators={"delay": 5})
    await game.play(8)
    shown, now = await game.view(), await game.view(0)

    _, answer = await sandbox(game)

    assert shown.version < now.version
    assert shown.version == answer.game.fork_of.version
    refused = await game.refusal("ForkGame", None, version=shown.version + 1)
    assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == refused
    assert now.version == (await sandbox(game, 0))[1].game.fork_of.version


@EACH
async def test_no_version_before_its_position_was_placed_can_be_forked(title):
    fork, answer = await sandbox(await StartedGame.open(title), 0)

    for version in range(1, answer.game.version):
        refused = await fork.refusal("ForkGame", 0, version=version)
        assert ("FAILED_PRECONDITION", "GAME_NOT_STARTED") == refused


async def test_the_seats_are_the_callers_by_name_where_callers_have_names():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)

    fork = (await service.call("ForkGame", bob, game_id=game_id)).game

    for seat in (0, 1):
        view = (await service.call("GetView", bob, game_id=fork.game_id, seat=seat)).view
        assert seat == view.seat
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", ann, game_id=fork.game_id)


async def test_a_sandbox_counts_among_the_unfinished_games_of_its_caller():
    service = KeyedService(open_games=2)
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)
    await service.call("ForkGame", ann, game_id=game_id)

    refused = await service.refusal("ForkGame", ann, game_id=game_id)

    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == refused
    assert await service.call("ForkGame", bob, game_id=game_id)


async def test_many_versions_of_many_games_can_be_forked():
    coin = random.Random(5)
    for title in CATALOG:
        game = await StartedGame.open(title, seed=coin.random())
        await game.play(20)
        for version in coin.sample(await boundaries(game), 5):
            fork, _ = await sandbox(game, coin.choice([None, 0, 1]), version=version)
            await fork.play(3)


@EACH
async def test_a_bot_in_the_own_seat_shows_what_it_would_do(title):
    game = await StartedGame.open(title)
    await game.play(3)
    seat, asked = await game.answer()
    seats = [{"bot_level": "random"} if each == seat else {} for each in range(len(game.tokens))]

    fork, answer = await sandbox(game, seat, seats=seats)
    before = await fork.view(seat)
    refusal = await fork.refusal("PlayAction", seat, decision_id="any", action=asked["action"])
    await fork.service.let_bots_play()

    assert [each.get("bot_level", "") for each in seats] == [each.bot_level for each in answer.game.seats]
    assert questions(await game.view(seat)) == questions(before)
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == refusal
    assert seat in {event.seat for event in await fork.events(seat, after=before.version)}
    assert seat not in {asked.seat for asked in await fork.asked()}


@pytest.mark.parametrize(
    "seats",
    [
        [{}],
        [{}, {}, {}],
        [{"bot_level": "random"}, {"bot_level": "random"}],
        [{"bot_level": "oracle"}, {}],
        [{"reserved_for": "key:ann"}, {}],
    ],
    ids=["too few", "too many", "bots alone", "unknown level", "reserved"],
)
async def test_seats_that_a_sandbox_cannot_have_are_refused(seats):
    game = await StartedGame.open("tides")

    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == await game.refusal("ForkGame", 0, seats=seats)


async def test_a_game_that_allows_no_hints_is_forked_after_its_end_only():
    game = await StartedGame.open("tides", forks="FORK_POLICY_AFTER_END")
    version = (await game.view()).version
    assert game_pb2.FORK_POLICY_AFTER_END == (await game.view()).game.forks

    for seat in (None, 0):
        for fields in ({}, {"version": version}):
            assert ("FAILED_PRECONDITION", "GAME_NOT_OVER") == await game.refusal("ForkGame", seat, **fields)
    await game.finish()

    assert (await sandbox(game, 0, version=version))[1].game.fork_of.version == version
    rematch = await game.call("Rematch", 0)
    assert game_pb2.FORK_POLICY_AFTER_END == rematch.game.forks
