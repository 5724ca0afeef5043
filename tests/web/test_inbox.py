"""Tests that the pages outside of games show live which games need attention."""

from __future__ import annotations

from playwright.sync_api import expect

from support.process import Serve
from web.conftest import Meet


def test_your_turn_is_told_on_every_page_while_it_lasts(meet: Meet, serve: Serve) -> None:
    game, tokens = serve.table()
    serve.move(game, tokens[0])
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])
    expect(anna.page.locator(".asking")).to_contain_text("Waiting for")
    anna.page.get_by_role("link", name="Lobby").click()
    expect(anna.page.locator("h1")).to_have_text("Lobby")
    expect(anna.page.locator(".attention")).to_be_hidden()

    serve.move(game, tokens[1])

    for name in ("Lobby", "Games", "My games"):
        anna.page.get_by_role("link", name=name, exact=name == "Games").click()
        expect(anna.page.locator(".attention")).to_contain_text("Tides of Time Your turn")
        expect(anna.page.locator("nav .badge")).to_have_text("1")
    anna.page.locator(".attention a").click()
    expect(anna.page.locator(".choice").first).to_be_visible()
    expect(anna.page.locator("nav .badge")).to_be_hidden()


def test_a_game_that_ended_elsewhere_is_told_until_it_is_looked_at(meet: Meet, serve: Serve) -> None:
    game, tokens = serve.table()
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])
    anna.page.get_by_role("link", name="Games", exact=True).click()
    expect(anna.page.locator(".attention")).to_contain_text("Your turn")

    serve.post(f"/v1/games/{game}:resign", {}, tokens[1])

    expect(anna.page.locator(".attention")).to_contain_text("The game is over.")
    anna.page.locator(".attention a").click()
    expect(anna.page.locator(".result")).to_be_visible()
    anna.page.get_by_role("link", name="Games", exact=True).click()
    expect(anna.page.locator(".title-card").first).to_be_visible()
    expect(anna.page.locator(".attention")).to_be_hidden()
