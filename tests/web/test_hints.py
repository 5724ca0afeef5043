"""Tests of hints by a bot, and of the sentences about what is pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Response, expect

from gamehost.rules.catalog import CATALOG
from shedu.v1.game_service_pb2 import ForkGameResponse
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet
from web.playing import advance, asked, started

# What is pointed at, and what its sentence begins with.
SENTENCES = {
    "stone_age": {
        ".ground >> nth=6": "Hut: two people",
        ".sale >> nth=0": "Card: costs",
        ".sale >> nth=4": "Building",
    },
    "tides": {".tide-hand .spot >> nth=0": "(Palace|Library|Garden|Temple|Stronghold|No suit): "},
    "tigris": {
        ".dock .spot[data-key='leader:2']": "Farm and farmer",
        "[data-name='E1']": "River: only farms",
    },
    "tigris_cards": {
        "[data-key='card:0,0']": "Treasure: ",
        "[data-key='gap:0']": "Link: ",
        "[data-key=calamity]": "Calamity",
    },
}


@pytest.mark.parametrize("title", CATALOG)
def test_a_bot_gives_a_hint_that_leaves_nothing_behind(meet: Meet, serve: Serve, title: str) -> None:
    game, tokens = started(serve, title)
    advance(serve, game, tokens, moves=2)
    seat = asked(serve, game, tokens[0])["seat"]
    anna = meet("Anna", habits={"words": False})
    forks: list[ForkGameResponse] = []
    anna.page.on("response", lambda reply: note_fork(reply, forks))
    anna.take_seat(game, title, seat, tokens[seat])

    anna.page.get_by_role("button", name="Hint").click()

    expect(anna.page.locator(".advice")).to_contain_text(re.compile("Hint: .{8,}"))
    [fork] = forks
    wait_until(lambda: is_over(serve, fork))
    assert asked(serve, game, tokens[seat])["seat"] == seat


def note_fork(reply: Response, forks: list[ForkGameResponse]) -> None:
    if reply.url.endswith("ForkGame"):
        forks.append(ForkGameResponse.FromString(reply.body()))


def is_over(serve: Serve, fork: ForkGameResponse) -> bool:
    game = serve.get(f"/v1/games/{fork.game.game_id}", fork.seat_tokens[0])["game"]
    return bool(game["status"] == "GAME_STATUS_FINISHED")


def test_a_game_whose_creator_wants_none_has_no_hints(meet: Meet) -> None:
    anna = meet("Anna")

    anna.page.goto("/create/tides")
    anna.page.get_by_label("Your name").fill("Anna")
    anna.page.get_by_label("Seat 2").select_option("random")
    anna.page.get_by_text("Advanced", exact=True).click()
    anna.page.get_by_label("Hints and sandboxes").select_option("Only after the game")
    anna.page.get_by_role("button", name="Create game").click()

    expect(anna.page.locator(".choice").first).to_be_attached()
    expect(anna.page.get_by_role("button", name="Hint")).to_have_count(0)


@pytest.mark.parametrize("title", SENTENCES)
def test_what_is_pointed_at_is_told_in_a_sentence(meet: Meet, serve: Serve, title: str) -> None:
    game, tokens = started(serve, title)
    anna = meet("Anna", has_touch=True)
    anna.take_seat(game, title, 0, tokens[0])
    anna.page.locator(".board").wait_for()
    tip = anna.page.get_by_role("tooltip")

    for target, sentence in SENTENCES[title].items():
        anna.page.locator(target).hover(force=True)
        expect(tip.locator("span").first).to_have_text(re.compile(f"^{sentence}"))
    anna.page.mouse.move(1, 1)
    expect(tip).to_have_count(0)

    last = anna.page.locator(target)
    last.focus()
    anna.page.keyboard.press("Shift")
    anna.page.keyboard.press("Tab")
    anna.page.keyboard.press("Shift+Tab")
    expect(tip).to_be_visible()
    anna.page.keyboard.press("Escape")
    expect(tip).to_have_count(0)

    with pressed(last):
        expect(tip.locator("span").first).to_have_text(re.compile(f"^{sentence}"))
    anna.see()
    expect(anna.page.locator(".narrowed, .confirm")).to_have_count(0)


@contextmanager
def pressed(target: Locator) -> Iterator[None]:
    """Presses a finger on the middle of the target."""
    box = target.bounding_box()
    assert box is not None
    session = target.page.context.new_cdp_session(target.page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    yield
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
