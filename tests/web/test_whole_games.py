"""Whole games on screens of three sizes: nothing scrolls or jumps.

A few decisions are made by pointing and by keys, the rest over the API; `python3 tests web` makes all so.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import mean
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from support.browser import Person, next_asked
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet
from web.playing import LIT, asked, move, point_at, press, replies, started

TITLES: dict[str, tuple[dict[str, Any], str | re.Pattern[str]]] = {
    "stone_age": ({"options": {"stone_age": {"maxRounds": 2}}}, "All rounds were played."),
    "tides": ({}, "All rounds were played."),
    # As the tiles fall.
    "tigris": ({}, re.compile("The bag is empty|No more moves are possible|Few treasures are left")),
    "tigris_cards": ({}, re.compile(r"The deck is empty\.|No card was played for several turns\.")),
}
WIDE, TABLET, PHONE = (
    {"width": width, "height": height} for width, height in ((1440, 780), (1024, 768), (390, 844))
)
FULL = bool(os.environ.get("SHEDU_TEST_FULL"))
POINTED = 2000 if FULL else 8  # decisions of both together by pointing and by keys
# How Anna decides: by pointing, by keys, or by each in turn.
HANDS = ("mouse", "keys") if FULL else ("both",)
MOST_CLICKS = 8
MOST_KEYS = 6
MOST_PAUSES = 40  # of 60 ms, until a key has changed nothing
# A player who has changed no setting.
USUAL = {"words": False, "confirming": "turn"}
# Until the game is over, notes every element that moved by at least a pixel, also right after a click, and
# every change after which the page could be scrolled. The list of kingdoms at the end of the side panel is
# as long as there are kingdoms. At the end of a game the result takes the place of the choices.
WATCH = """() => {
  const moved = window.moved = [];
  const over = () => document.querySelector('.shell.over') !== null;
  const path = (node) => node?.className?.baseVal ?? node?.className ?? path(node?.parentElement);
  new PerformanceObserver((list) => {
    if (over()) return;
    for (const { sources } of list.getEntries())
      for (const { node, previousRect: from, currentRect: to } of sources)
        if (Math.hypot(from.x - to.x, from.y - to.y) >= 1 && !node?.parentElement?.closest('.kingdom-list'))
          moved.push(`${node && path(node)} from ${from.x},${from.y} to ${to.x},${to.y}`);
  }).observe({ type: 'layout-shift' });
  const page = document.documentElement;
  new MutationObserver(() => {
    const room = [scrollX, scrollY, page.scrollWidth - innerWidth, page.scrollHeight - innerHeight];
    if (room.some(Boolean)) moved.push(`the page scrolls: ${room}`);
  }).observe(document.body, { childList: true, subtree: true });
}"""

# What keys can do now: the decision, whether Enter takes what has the focus, how many pieces digits choose, a
# space whose name can be typed, and what was chosen. Nothing while the page shows or sends a move.
KEYS_NOW = """() => {
  const { decision } = document.querySelector('.asking').dataset;
  if (document.querySelector('.confirm .primary:disabled')) return null;  // the move is being sent
  const count = (selector) => document.querySelectorAll(selector).length;
  const lit = count('.pop .spot.lit, .dock .spot.lit') || count('.board-area .spot.lit');
  const focus = document.activeElement;
  const ready = focus.matches('.confirm .primary:enabled')
    || ((!lit || count('.narrowed')) && focus.matches('.cell[aria-disabled=false]'));
  const space = document.querySelector('.cell[aria-disabled=false]')?.dataset.name;
  const chosen = document.querySelectorAll('[aria-pressed=true], .answers, .narrowed');
  const words = [...chosen].map((at) => at.textContent).join();
  return !decision || ready || lit || space ? [decision, ready, lit, space, focus.dataset.key, words] : null;
}"""
# The page moves the focus 50 ms after a digit; timers end in their order.
FOCUSED = "() => new Promise((done) => setTimeout(done, 60))"
# Targets of a telephone that are smaller than a finger; a tap on the map magnifies it.
SMALL = """() => {
  const targets = '.dock .lit, .pop .lit, .stage .spot.lit, .actions button:enabled';
  return [...document.querySelectorAll(targets)]
    .filter((target) => target.offsetParent)
    .map((target) => [target.textContent, target.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 43.5)
    .map(([words, { width, height }]) => `${words}: ${width} x ${height}`);
}"""

# Returns the question, what was chosen and the buttons in view, for the message of a failure.
SHOWN = """(lit) => {
  const inView = (at) => {
    const { left, right, top, bottom } = at.getBoundingClientRect();
    return at.checkVisibility() && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
  };
  const words = (selector) => [...document.querySelectorAll(selector)]
    .filter(inView)
    .map((at) => at.ariaLabel ?? at.innerText);
  return {
    decision: document.querySelector('.asking')?.dataset.decision,
    status: words('.asking > *'),
    answer: words('.confirm > p, .narrowed > span'),
    buttons: words('.board-area button, .actions button:enabled'),
    lit: document.querySelectorAll(lit).length,
  };
}"""


@contextmanager
def telling(people: Sequence[Person]) -> Iterator[None]:
    """Adds what each of the pages shows to a failure, so that a wait without an end tells why."""
    try:
        yield
    except (AssertionError, Error) as failure:
        pages = [f"{person.page.viewport_size}: {person.page.evaluate(SHOWN, LIT)}" for person in people]
        raise AssertionError("\n".join([str(failure), *pages])) from failure


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("title", TITLES)
def test_a_whole_game_without_scrolling(meet: Meet, serve: Serve, title: str, hand: str) -> None:
    options, end = TITLES[title]
    game, tokens = started(serve, title, **options)
    anna, bert, anna_elsewhere = people = [
        meet("Anna", habits=USUAL, viewport=WIDE),
        meet("Bert", habits=USUAL, viewport=PHONE, has_touch=True),
        meet("Anna", habits=USUAL, viewport=TABLET),
    ]
    for seat, person in zip((0, 1, 0), people, strict=True):
        person.take_seat(game, title, seat, tokens[seat])
        person.page.locator(".board-area .board").wait_for()
        person.page.locator(".event-log li").first.wait_for(state="attached")
        person.see()
        person.page.evaluate(WATCH)

    choose, clicks, keys = random.Random(5), [0], [0]
    with telling(people):
        for _ in range(POINTED):
            person = next_asked([anna_elsewhere if hand == "keys" else anna, bert])
            assert person or FULL, "the game is over too soon"
            if person is None:
                break
            if person is bert or (hand != "keys" and (FULL or len(clicks) <= len(keys))):
                clicks.append(decide(person, choose))
            else:
                keys.append(decide_by_keys(anna_elsewhere))
            fits(people)
            assert [] == bert.page.evaluate(SMALL)
    for _ in replies(serve, game, tokens, partial(move, serve, choose)):
        pass

    clicked, typed = mean(clicks[1:]), mean(keys[1:] or [0])
    print(
        f"{title}: {clicked:.1f} clicks ({len(clicks) - 1}) and {typed:.1f} keys ({len(keys) - 1}) a decision"
    )
    assert MOST_KEYS >= typed
    for person in people:
        expect(person.page.locator(".result .facts").first).to_have_text(end)
        expect(person.page.locator(".prompt")).to_contain_text(re.compile("wins|share the victory"))
        expect(person.page.locator(".result h2")).to_be_in_viewport()
    fits(people)
    stays(people)
    assert 1 == len({person.page.locator(".result table").inner_text() for person in people})
    wait_until(lambda: anna.log() == anna_elsewhere.log())


def decide(person: Person, choose: random.Random) -> int:
    """Points at what is lit until the decision is made; how many clicks it took.

    No clicks if the page made the decision by itself: a space that was clicked early answers the next one.
    """
    asking = person.page.locator(".asking")
    decision = asking.get_attribute("data-decision")
    confirm = person.page.get_by_role("button", name="Confirm")
    lit = person.page.locator(LIT)

    def state() -> str:
        """Returns what can be done now; empty while the page shows a move or sends one."""
        person.see()
        if decision is None or asking.get_attribute("data-decision") != decision:
            return "decided"
        return "ready" if confirm.is_visible() else "asked" if lit.count() else ""

    for clicks in range(MOST_CLICKS):
        match wait_until(state):
            case "decided":
                return clicks
            case "ready":
                press(person, confirm)
                expect(confirm).to_be_hidden()
            case _:
                point_at(person, choose)
    raise AssertionError(f"not decided: {asking.inner_text()}")


def keys_now(person: Person, last: list[Any] | None) -> list[Any]:
    """Returns what keys can do now. Waits a while for a change, because the move may be on its way."""
    for _ in range(MOST_PAUSES):
        now: list[Any] = wait_until(lambda: person.page.evaluate(KEYS_NOW))
        if now != last:
            break
        person.page.evaluate(FOCUSED)
    return now


def decide_by_keys(person: Person) -> int:
    """Presses digits and Enter until the decision is made; how many keys it took.

    If Enter changes nothing, such as on the place where the chosen leader stands, it goes back and tries the
    next piece.
    """
    asking, keyboard = person.page.locator(".asking"), person.page.keyboard
    decision, digit, last, keys = asking.get_attribute("data-decision"), 1, None, 0
    while keys < MOST_CLICKS * 2:
        now = keys_now(person, last)
        if not now[0] or now[0] != decision:
            return keys
        typed = [str(digit)] if now[2] else list(now[3])
        if now == last:
            typed, digit = ["Escape"], digit + 1
        elif now[1]:
            typed = ["Enter"]
        for key in typed:
            keyboard.press(key)
        keys, last = keys + len(typed), now
        person.page.evaluate(FOCUSED)
    raise AssertionError(f"not decided: {asking.inner_text()}")


def stays(people: list[Person]) -> None:
    """Asserts that nothing moved so far, and that the page could never be scrolled."""
    moved = [
        f"{person.page.viewport_size}: {what}"
        for person in people
        for what in person.page.evaluate("() => window.moved")
    ]
    assert "" == "\n".join(moved)


def fits(people: list[Person]) -> None:
    """Asserts that nothing can be scrolled, and that the status is in view."""
    for person in people:
        assert person.page.evaluate(
            "() => [scrollX, scrollY, document.documentElement.scrollWidth - innerWidth,"
            " document.documentElement.scrollHeight - innerHeight]"
        ) == [0, 0, 0, 0]
        expect(person.page.locator(".asking")).to_be_in_viewport(ratio=1)


# Each key with what it leads to; an empty string is the end of the decision.
KEYS = {
    "stone_age": {"1": ".dock .lit", "2": ""},
    "tides": {"1": ".confirm button:focus", "Enter": ""},
    "tigris": {"1": ".cell:focus", "Enter": ""},
    "tigris_cards": {"1": ".cell:focus", "Enter": ""},
}


@pytest.mark.parametrize("title", TITLES)
def test_a_decision_takes_few_keys(meet: Meet, serve: Serve, title: str) -> None:
    game, tokens = started(serve, title)
    first = asked(serve, game, tokens[0])["seat"]
    anna = meet("Anna", habits=USUAL)
    anna.take_seat(game, title, first, tokens[first])
    anna.page.locator(".lit").first.wait_for()
    asking = anna.page.locator(".asking")
    decision = asking.get_attribute("data-decision") or ""

    for key, effect in KEYS[title].items():
        anna.page.keyboard.press(key)
        if effect:
            anna.page.locator(effect).first.wait_for()

    expect(asking).not_to_have_attribute("data-decision", decision)
