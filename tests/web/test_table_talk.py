"""Tests of undo, agreed ends, rematches and forks in the web client."""

from __future__ import annotations

import random
import re
import struct

import pytest
from playwright.sync_api import expect

from support.browser import Person, next_asked
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet, Pair
from web.playing import advance, say, started


def more(person: Person, name: str) -> None:
    person.page.get_by_text("More", exact=True).click()
    person.page.get_by_role("button", name=name).click()


@pytest.mark.parametrize("title", ["stone_age"])
def test_a_move_that_revealed_nothing_is_taken_back_at_once(pair: Pair) -> None:
    first = next_asked(pair)
    assert first is not None
    first.offered()
    before = first.page.locator(".board-area").inner_text()

    say(first, [], random.Random(1))
    first.page.get_by_role("button", name="Undo").click()

    expect(first.page.locator(".event-log")).to_contain_text(f"{first.name} undid a move.")
    first.offered()
    assert before == first.page.locator(".board-area").inner_text()


def test_a_sealed_choice_is_taken_back_if_the_other_agrees(pair: Pair) -> None:
    anna, bert = pair
    anna.answer()
    bert.answer()
    expect(anna.page.locator(".choice").first).to_be_visible()

    more(anna, "Ask to undo my last move")
    expect(bert.page.locator(".proposal")).to_contain_text("Anna asks to undo a move.")
    bert.page.get_by_role("button", name="Accept").click()

    for person in pair:
        expect(person.page.locator(".event-log")).to_contain_text("Anna undid a move.")
        expect(person.page.locator(".tide-hand .spot.lit").first).to_be_visible()


def test_a_proposal_that_is_refused_changes_nothing(pair: Pair) -> None:
    anna, bert = pair

    more(anna, "Offer to end without a winner")
    expect(bert.page.locator(".proposal")).to_contain_text("Anna offers to end the game without a winner.")
    bert.page.get_by_role("button", name="Decline").click()

    expect(anna.page.locator(".event-log")).to_contain_text("Bert declines.")
    expect(anna.page.locator(".proposal")).to_be_hidden()
    anna.answer()


def test_a_game_that_all_want_to_stop_ends_without_a_winner(pair: Pair) -> None:
    anna, bert = pair

    more(anna, "Offer to end without a winner")
    bert.page.get_by_role("button", name="Accept").click()

    for person in pair:
        expect(person.page.locator(".result h2")).to_have_text("The game ended without a winner")


def test_a_result_is_shared_as_a_picture_and_the_same_people_play_again(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve)
    advance(serve, game, tokens)
    pair = meet("Anna"), meet("Bert")
    for seat, person in enumerate(pair):
        person.take_seat(game, "tides", seat, tokens[seat])

    with pair[0].page.expect_download() as download:
        pair[0].page.get_by_role("button", name="Share image").click()
    picture = download.value.path().read_bytes()
    assert (b"\x89PNG", (1200, 630)) == (picture[:4], struct.unpack(">II", picture[16:24]))
    for person in pair:
        person.page.get_by_role("button", name="Rematch").click()

    for person in pair:
        expect(person.page.locator(".choice").first).to_be_visible()
    anna, bert = pair
    assert f"{serve.url}/games/{game}" != anna.page.url == bert.page.url


def test_a_sandbox_is_played_from_all_seats(pair: Pair) -> None:
    anna, bert = pair
    anna.answer()
    bert.answer()
    before = anna.page.url

    anna.page.get_by_role("link", name="Replay").click()
    anna.page.get_by_role("button", name="Open a sandbox from here").click()
    expect(anna.page.locator(".hot-seat")).to_be_visible()
    anna.answer()
    anna.page.get_by_role("button", name=re.compile("Continue as")).click()
    anna.answer()

    expect(anna.page.locator(".event-log")).to_contain_text("Revealed.")
    assert before != anna.page.url


def test_a_game_without_spectators_is_joined_by_its_link(meet: Meet) -> None:
    anna, bert, carl = meet("Anna"), meet("Bert"), meet("Carl")
    address = anna.open_table("tides", Spectators="none")

    bert.page.goto(address)
    expect(bert.page.locator("main")).to_contain_text("This game is private. Join to see it.")
    bert.sit_down(address)
    expect(bert.page.locator(".choice").first).to_be_visible()
    carl.page.goto(address)

    expect(carl.page.locator("main")).to_contain_text("Only players can see this game.")


def test_after_a_resignation_the_hands_of_all_are_shown(pair: Pair) -> None:
    anna, bert = pair
    hand = anna.page.locator(".tide-hand .spot, .tide-hand [data-tip]")
    cards = [spot.get_attribute("data-tip") for spot in bert.page.locator(".tide-hand .spot").all()]
    own = [spot.get_attribute("data-tip") for spot in hand.all()]

    more(bert, "Resign")
    bert.page.get_by_role("button", name="Yes, resign").click()
    for person in pair:
        expect(person.page.locator(".result h2")).to_have_text("Anna wins")
        expect(person.page.locator(".event-log")).to_contain_text("Bert resigned.")
    anna.page.get_by_role("group", name="View as").get_by_role("button", name="Bert").click()

    wait_until(lambda: cards == [spot.get_attribute("data-tip") for spot in hand.all()])
    assert cards != own
    anna.page.get_by_role("group", name="View as").get_by_role("button", name="Bert").click()
    wait_until(lambda: own == [spot.get_attribute("data-tip") for spot in hand.all()])
