"""Tests a whole game of the card game by clicks against a bot, from its creation to the result."""

from __future__ import annotations

from support.process import Serve
from web.conftest import Meet
from web.playing import hurry, play_whole, shows_its_end

# Patterns of choices that end the game soon.
WISHES = ("^Lay .*link", "^Lay", "^Commit", "^Build", "^Put a card")


def test_a_whole_game_against_a_bot(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna")
    hurry(anna)
    anna.open_table("tigris_cards", Seat_2="greedy")

    answers = play_whole(anna, serve, WISHES, hastened=28)

    assert answers > 20
    shows_its_end(anna.page, "The deck is empty.")
