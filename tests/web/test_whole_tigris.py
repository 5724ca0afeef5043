"""Tests a whole game of Tigris & Euphrates by clicks against a bot, from its creation to the result."""

from __future__ import annotations

from support.process import Serve
from web.conftest import Meet
from web.playing import hurry, play_whole, shows_its_end

# Patterns of choices that end the game soon.
WISHES = ("^Swap tiles", "^Swap ", "^Commit")


def test_a_whole_game_against_a_bot(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna")
    hurry(anna)
    anna.open_table("tigris", Seat_2="random")

    answers = play_whole(anna, serve, WISHES, hastened=32)

    assert answers > 20
    shows_its_end(anna.page, "The bag is empty.")
