"""Tests of the table of Tigris: drag and drop, zoom and pan, the log, pieces that fly, and sounds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from support.browser import Person
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet
from web.playing import asked, play, started

USUAL = {"words": False, "confirming": "turn"}
# Notes the frequency of every sound, and every piece that flies.
NOTE = """
  window.notes = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    notes.push(this.frequency.value);
    start.apply(this, at);
  };
  window.flown = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this.classList.contains('flying')) flown.push(document.querySelectorAll('.flying').length);
    return animate.apply(this, how);
  };
"""


@pytest.fixture
def mover(meet: Meet, serve: Serve) -> tuple[Person, str, list[str], int]:
    """Someone whose turn it is in a game of Tigris, with the game, its tokens and the seat."""
    game, tokens = started(serve, "tigris")
    seat = asked(serve, game, tokens[0])["seat"]
    anna = meet("Anna", habits=USUAL, reduced_motion="no-preference")
    anna.context.add_init_script(NOTE)
    anna.take_seat(game, "tigris", seat, tokens[seat])
    anna.keep("preferences", {**USUAL, "sound": False})
    anna.page.reload()
    anna.page.locator(".dock .spot.lit").first.wait_for()
    return anna, game, tokens, seat


def centre(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person: Person, piece: Locator, place: Locator) -> None:
    mouse = person.page.mouse
    mouse.move(*centre(piece))
    mouse.down()
    mouse.move(*centre(place), steps=4)
    expect(person.page.locator(".dragged")).to_be_visible()
    mouse.up()
    expect(person.page.locator(".dragged")).to_have_count(0)


def space(person: Person, name: str) -> Locator:
    return person.page.locator(f".cell[data-name='{name}']")


def test_pieces_are_dragged_and_the_log_leads_to_earlier_positions(
    mover: tuple[Person, str, list[str], int],
) -> None:
    anna, *_ = mover
    page, log = anna.page, anna.page.locator(".event-log")
    leader = page.locator(".dock .spot[data-key='leader:4']")

    drag(anna, leader, space(anna, "A5"))
    expect(page.locator(".narrowed")).to_be_visible()
    page.keyboard.press("Escape")
    drag(anna, leader, space(anna, "A2"))
    expect(log).to_contain_text("places the king at A2")
    expect(space(anna, "A2")).to_have_attribute("aria-label", re.compile("^A2: king of "))

    log.get_by_role("button", name="The game started.").click()
    expect(page.locator(".prompt")).to_have_text("An earlier position")
    expect(space(anna, "A2")).to_have_attribute("aria-label", "A2: empty")
    expect(page.locator(".cell[aria-disabled=false], .dock .spot.lit")).to_have_count(0)
    page.get_by_role("button", name="Back to the current position").click()
    expect(page.locator(".prompt.mine")).to_be_visible()
    expect(space(anna, "A2")).to_have_attribute("aria-label", re.compile("^A2: king of "))

    leader.click()
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for words in ("Move the king", "Withdraw the king", "Swap tiles", "End the turn"):
            expect(page.locator(".dock .offer", has_text=words)).to_be_in_viewport(ratio=1)


def test_the_board_is_zoomed_and_panned(mover: tuple[Person, str, list[str], int]) -> None:
    anna, *_ = mover
    page, box = anna.page, anna.page.locator(".zoom-box")
    whole = space(anna, "H6").bounding_box()

    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    before = space(anna, "H6").bounding_box()
    x, y = centre(box)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 120, y - 60, steps=6)
    page.mouse.up()
    after = space(anna, "H6").bounding_box()

    assert whole
    assert before
    assert after
    assert before["width"] > 2.5 * whole["width"]
    assert (-120, -60) == (round(after["x"] - before["x"]), round(after["y"] - before["y"]))
    expect(page.locator(".narrowed, .confirm")).to_have_count(0)  # panning is no click
    page.get_by_role("button", name="Show the whole board").click()
    wait_until(lambda: whole == space(anna, "H6").bounding_box())
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    wait_until(lambda: (space(anna, "H6").bounding_box() or whole)["width"] > whole["width"])


def test_pieces_of_others_fly_and_sounds_are_heard_if_they_are_wanted(
    mover: tuple[Person, str, list[str], int], serve: Serve
) -> None:
    anna, game, tokens, seat = mover
    play_kinds(serve, game, tokens[seat], "endTurn")

    play_kinds(serve, game, tokens[1 - seat], "placeLeader", "chooseSpace")
    expect(anna.page.locator(".event-log")).to_contain_text("Bert places" if seat == 0 else "Anna places")
    wait_until(lambda: anna.page.evaluate("flown") == [1])
    expect(anna.page.locator(".flying")).to_have_count(0)
    assert [] == anna.page.evaluate("notes")
    anna.page.get_by_text("Settings").click()
    anna.page.get_by_label("Sounds").check()
    play_kinds(serve, game, tokens[1 - seat], "endTurn")

    expect(anna.page.locator(".prompt.mine")).to_be_visible()
    wait_until(lambda: {262, 523, 784} <= set(anna.page.evaluate("notes")))
    anna.page.emulate_media(reduced_motion="reduce")
    play_kinds(serve, game, tokens[seat], "endTurn")
    play_kinds(serve, game, tokens[1 - seat], "placeLeader", "chooseSpace")
    expect(anna.page.locator(".event-log li", has_text=" places the ")).to_have_count(2)
    assert [1] == anna.page.evaluate("flown")


def play_kinds(serve: Serve, game: str, token: str, *kinds: str) -> None:
    """Plays the first legal action of each of these kinds."""
    for kind in kinds:
        legal: Any = serve.get(f"/v1/games/{game}/legalActions", token)
        actions = [found["action"] for found in legal["actions"]]
        fitting = [action for action in actions if kind in action["tigris"]]
        play(serve, game, token, legal["decision"], fitting[0])
