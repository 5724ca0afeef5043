"""Tests that names of any length and script fit on every page."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gamehost.rules.catalog import CATALOG
from support.process import Serve
from web.conftest import Meet
from web.playing import started

LONG, RIGHT_TO_LEFT = "W" * 40, "שרה מלכת הנהר"
LISTS = {"/lobby": ".game-row", "/mine": ".game-row"}  # the same for all titles
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("title", CATALOG)
def test_no_name_makes_a_page_wider_than_the_screen(meet: Meet, serve: Serve, title: str) -> None:
    game, tokens = started(serve, title, (LONG, RIGHT_TO_LEFT), visibility="VISIBILITY_PUBLIC")
    anna = meet("Anna", viewport={"width": 390, "height": 844})
    anna.take_seat(game, title, 0, tokens[0])

    places = {f"/games/{game}": ".board-area"}
    for path, place in (places | LISTS if title == "tides" else places).items():
        anna.page.goto(path)
        expect(anna.page.locator(place).first).to_be_visible()
        expect(anna.page.locator("main")).to_contain_text(LONG)

        assert 0 >= anna.page.evaluate(WIDER), path


def test_the_direction_of_a_name_does_not_turn_the_sentence(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve, names=(LONG, RIGHT_TO_LEFT))
    serve.move(game, tokens[0])
    anna = meet("Anna")

    anna.take_seat(game, "tides", 0, tokens[0])

    isolated = f"\u2068{RIGHT_TO_LEFT}\u2069"
    expect(anna.page.locator(".asking")).to_contain_text(f"Waiting for {isolated}")
    expect(anna.page.locator(".players")).to_contain_text(isolated)
