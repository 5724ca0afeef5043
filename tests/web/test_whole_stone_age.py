"""Tests a whole game of Stone Age by clicks against a bot, from its creation to the result."""

from __future__ import annotations

from support.process import Serve
from web.conftest import Meet
from web.playing import hurry, play_whole, shows_its_end

# Patterns of choices that end the game soon.
WISHES = ("on (tile|building)", "on forest", "^Pay [0-9]", "none; spend", "^Feed")


def test_a_whole_game_against_a_bot(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna")
    hurry(anna)
    rounds = ("The game ends after this many rounds", "4")
    anna.open_table("stone_age", (rounds,), Seat_2="greedy")

    answers = play_whole(anna, serve, WISHES, hastened=4)

    assert answers > 20
    shows_its_end(anna.page, "All rounds were played.")
