"""Tests of Tides by clicks and keys, in two separate browsers."""

from __future__ import annotations

from playwright.sync_api import expect

from web.conftest import Pair


def test_pointing_at_a_card_plays_it(pair: Pair) -> None:
    anna, bert = pair
    card = anna.page.locator(".tide-hand .spot.lit").first
    name = card.get_attribute("data-tip")

    card.click()
    question = anna.page.locator(".confirm").inner_text()
    anna.confirm()
    bert.answer()

    assert name is not None
    expect(anna.page.locator(".event-log")).to_contain_text("Revealed.")
    played = question.split("\n")[0].removeprefix("Play ").removeprefix("The ").rstrip(".")
    assert played in anna.page.locator(".event-log").inner_text()
    expect(anna.page.locator(".tide-hand .spot")).to_have_count(4)


def test_a_game_is_played_by_keyboard_alone(pair: Pair) -> None:
    anna, _ = pair
    expect(anna.page.locator(".choice").first).to_be_visible()

    anna.page.locator(".choice").first.focus()
    anna.page.keyboard.press("Enter")
    expect(anna.page.get_by_role("button", name="Confirm")).to_be_focused()
    anna.page.keyboard.press("Enter")

    expect(anna.page.locator(".asking")).to_contain_text("Waiting for Bert")
    expect(anna.page.locator(".asking")).to_be_focused()


def test_loading_again_comes_back_to_the_same_place(pair: Pair) -> None:
    anna, bert = pair
    anna.answer()
    before = bert.page.locator(".tide-hand").inner_text()

    for person in pair:
        person.page.reload()

    expect(anna.page.locator(".asking")).to_contain_text("Waiting for Bert")
    expect(bert.page.locator(".tide-hand")).to_be_visible()
    assert before == bert.page.locator(".tide-hand").inner_text()


def test_every_event_is_told_to_screen_readers(pair: Pair) -> None:
    anna, bert = pair
    anna.answer()
    bert.answer()

    told = anna.page.get_by_test_id("announcer")

    expect(told).to_contain_text("Anna has chosen a card.")
    expect(told).to_contain_text("Revealed.")
    expect(told).to_contain_text("Your turn: Round 1 of 3, card 2 of 5")
