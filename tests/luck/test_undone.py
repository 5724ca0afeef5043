"""Tests export, replay and verification of games with undo, an early end, or a start by fork."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from gamehost.codec.exported_game import ExportedGame, export_lines, parse_export, recorded_game
from gamehost.codec.process_codec import CODEC
from gamehost.commands.recorded.replay import ReplayFrames
from gamehost.commands.recorded.verify import verify_game
from gamehost.rules.catalog import CATALOG
from support.started_game import StartedGame

from .games import exported
from .test_proof import altered

EACH = pytest.mark.parametrize("title", CATALOG)


async def undone(title: str) -> ExportedGame:
    """Plays 12 actions, undoes 10 of them, plays 2 more, ends the game by agreement, and exports it."""
    game = await StartedGame.open(title, "undone")
    await game.play(2)
    back = (await game.view()).version
    await game.play(10)
    await game.agree("ProposeUndo", 0, to_version=back)
    await game.play(2)
    await game.agree("ProposeAbandon", 1)
    return await exported(game.service, game.game_id)


async def forked(title: str) -> ExportedGame:
    game = await StartedGame.open(title, "forked")
    await game.play(3)
    answer = await game.call("ForkGame", 0)
    fork = StartedGame(game.service, answer.game.game_id, list(answer.seat_tokens))
    await fork.play(4)
    await fork.agree("ProposeAbandon", 0)
    return await exported(fork.service, fork.game_id, fork.tokens[0])


BOTH = pytest.mark.parametrize("kind", [undone, forked])


@EACH
@BOTH
async def test_it_is_as_its_seed_says(title, kind):
    game = await kind(title)

    verdict = verify_game(parse_export(export_lines(game)))

    assert verdict.verified, verdict.text
    assert verdict.decisions == (14 if kind is undone else 4)


@EACH
@BOTH
async def test_it_is_replayed(title, kind):
    reel = ReplayFrames(recorded_game(CODEC, await kind(title)))

    for number in range(1, len(reel.steps) + 1):
        for seat in (None, 0):
            Console(file=io.StringIO(), width=120).print(reel.frame(number, seat))
    assert "AGREED" == reel.steps[-1].after.outcome.reason


async def test_the_draws_that_were_undone_are_checked_too():
    game = await undone("stone_age")
    to = next(event.move_undone.to_version for event in game.events if event.HasField("move_undone"))
    at = next(n for n in range(to, len(game.events)) if game.events[n].stone_age.HasField("dice_rolled"))

    def cheat(copy):
        faces = copy.events[at].stone_age.dice_rolled.faces
        faces[0] = faces[0] % 6 + 1

    verdict = altered(game, cheat)

    assert at + 1 == verdict.mismatch["version"]
    assert "the seed leads to a different event" == verdict.mismatch["why"]


@EACH
async def test_an_undo_leads_where_the_game_stood_and_nowhere_else(title):
    game = await undone(title)
    at = next(n for n, event in enumerate(game.events) if event.HasField("move_undone"))
    to = game.events[at].move_undone.to_version
    boundaries = {event.version for event in game.events if not event.continues}

    for other in (1, to + 1, to + 2, at, 999):
        verdict = altered(
            game, lambda copy, other=other: setattr(copy.events[at].move_undone, "to_version", other)
        )

        assert verdict.mismatch, other
        if other not in boundaries or other < to:
            assert game.events[at - 1].HasField("proposal_answered")  # the call that caused the undo
            assert at == verdict.mismatch["version"]


@EACH
async def test_only_a_sandbox_begins_in_the_middle(title):
    game = await forked(title)
    placed = next(event.version for event in game.events if event.HasField("position_placed"))

    def deny(copy):
        copy.game.ClearField("fork_of")
        copy.events[0].game_created.ClearField("fork_of")

    verdict = altered(game, deny)

    assert "the events do not follow from the state before them" == verdict.mismatch["why"]
    assert 1 < verdict.mismatch["version"] <= placed


async def test_a_header_that_denies_the_sandbox_is_found():
    game = await forked("tides")

    verdict = altered(game, lambda copy: copy.game.ClearField("fork_of"))

    assert verdict.unchecked
    assert "fork_of" in verdict.text


async def test_a_position_that_was_withheld_is_said_to_be_unchecked():
    game = await forked("tides")
    at = next(n for n, event in enumerate(game.events) if event.HasField("position_placed"))

    verdict = altered(game, lambda copy: copy.events[at].position_placed.ClearField("state"))

    assert not verdict.verified
