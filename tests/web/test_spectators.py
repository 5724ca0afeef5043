"""Tests that spectators see no hands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.process import Serve
from web.conftest import Meet
from web.playing import join

HAND = ".tide-hand .spot, .tray .spot"


@pytest.mark.parametrize("title", ["tides", "tigris", "tigris_cards"])
def test_a_spectator_sees_no_hand(meet: Meet, serve: Serve, title: str) -> None:
    game_id, tokens = serve.table(title=title)
    anna, carl = meet("Anna"), meet("Carl")
    anna.take_seat(game_id, title, 0, tokens[0])
    expect(anna.page.locator(HAND).first).to_be_visible()

    carl.page.goto(f"/games/{game_id}")
    expect(carl.page.locator(".players")).to_contain_text("You are watching.")
    expect(carl.page.locator(".board-area .board > *").first).to_be_visible()

    assert 0 == carl.page.locator(HAND).count()
    assert 0 == carl.page.locator(".choice").count()


def test_a_spectator_is_told_no_card_of_a_hand(meet: Meet, serve: Serve) -> None:
    game_id, tokens = serve.table()
    anna, carl = meet("Anna"), meet("Carl")
    anna.take_seat(game_id, "tides", 0, tokens[0])
    expect(anna.page.locator(HAND)).to_have_count(5)
    held = [spot.get_attribute("data-tip") or "" for spot in anna.page.locator(HAND).all()]
    names = [label.split(",")[0].split(":")[0] for label in held]

    carl.page.goto(f"/games/{game_id}")
    expect(carl.page.locator(".event-log li").first).to_be_visible()
    content = carl.page.content()

    assert all(name in anna.page.content() for name in names)
    assert [] == [name for name in names if name in content]


def test_a_game_is_watched_with_the_link_for_spectators_alone(meet: Meet, serve: Serve) -> None:
    anna, carl, dora = (meet(name) for name in ("Anna", "Carl", "Dora"))
    address = anna.open_table("tides", Spectators="token")
    link = anna.page.get_by_label("Spectator link").input_value()
    join(serve, address)

    carl.page.goto(link)
    dora.page.goto(address)

    assert re.fullmatch(r".*/games/[a-z0-9]{20}#watch=.+", link)
    expect(carl.page.locator(".players")).to_contain_text("You are watching.")
    expect(dora.page.locator("main")).to_contain_text("You need the spectator link")
    assert "#" not in carl.page.url
    carl.page.reload()
    expect(carl.page.locator(".players")).to_contain_text("You are watching.")
    expect(anna.page.get_by_label("Spectator link")).to_have_value(link)
