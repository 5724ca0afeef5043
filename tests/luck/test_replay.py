"""Tests that `shedu replay` shows games of every title step by step."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console

from gamehost.codec.exported_game import recorded_game
from gamehost.codec.process_codec import CODEC
from gamehost.commands.recorded.replay import ReplayFrames, next_step
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat

from .games import finished

EACH = pytest.mark.parametrize("title", CATALOG)


async def reel_of(title: str) -> ReplayFrames:
    return ReplayFrames(recorded_game(CODEC, await finished(title)))


def shown(reel: ReplayFrames, number: int, seat: Seat | None) -> str:
    page = io.StringIO()
    Console(file=page, width=120, color_system=None).print(reel.frame(number, seat))
    return page.getvalue()


@EACH
async def test_every_kind_of_viewer_is_shown_every_kind_of_step(title):
    reel = await reel_of(title)
    coin = random.Random(title)
    started = next(at for at, step in enumerate(reel.steps, 1) if step.after.state is not None)
    last = len(reel.steps)

    for number in [1, started, *coin.sample(range(started, last), 5), last]:
        for seat in (None, *map(Seat, range(len(reel.names)))):
            frame = shown(reel, number, seat)

            assert f"step {number} of {last}" in frame
            whose = "a spectator's view" if seat is None else f"the view of {reel.names[seat]}"
            assert (whose in frame) == (number >= started)


@EACH
async def test_each_action_is_told_in_the_words_of_the_title(title):
    reel = await reel_of(title)
    rules = reel.game.rules
    asked = [at for at, step in enumerate(reel.steps, 1) if step.before and step.before.decisions]

    for number in random.Random(title).sample(asked, 10):
        step = reel.steps[number - 1]
        seat = step.records[0].seat
        words = {rules.describe(action).english for action in rules.legal_actions(step.before.state, seat)}
        did = [line for line in shown(reel, number, None).splitlines() if line.startswith("> ")]

        assert 1 == len(did)
        assert any(" ".join(did).startswith(f"> {reel.names[seat]}: {text[:40]}") for text in words)


@pytest.mark.parametrize(
    ("key", "to"), [("", 6), ("b", 4), ("9", 9), ("0", 1), ("999", 31), ("q", None), ("?", 6)]
)
def test_keys_turn_the_page(key, to):
    assert to == next_step(key, 5, 31)


def test_the_last_page_ends_it():
    assert next_step("", 31, 31) is None
    assert 1 == next_step("b", 1, 31)
