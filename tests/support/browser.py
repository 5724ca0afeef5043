"""A real Chromium, and persons that use the web client in it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect, sync_playwright

from support.waiting import PATIENCE, wait_until

# Chromium must load nothing but the pages under test.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HEADLESS = ("chromium-headless-shell", "chromium")
MILLISECONDS = PATIENCE * 1000
LOOK_AGAIN = 0.05  # seconds between two checks of several pages
MANY_CLICKS = 200
ADVANCED = ("Visibility", "Clock", "Spectators")  # fields of the form that are folded

expect.set_options(timeout=MILLISECONDS)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs the headless shell of Chromium, or Chromium itself where there is no shell.

    Both have the same engine. The shell takes half the CPU time (30 instead of 55 seconds for 13 tests),
    because it draws no window. It has no notifications.
    """
    with sync_playwright() as playwright, launched(playwright.chromium, *HEADLESS) as browser:
        yield browser


@contextmanager
def launched(kind: BrowserType, *programs: str) -> Iterator[Browser]:
    """Runs the first of these programs that is installed."""
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        pytest.skip(f"NOT CHECKED: there is no {programs[-1]}")
    browser = kind.launch(executable_path=program, args=QUIET, timeout=MILLISECONDS)
    yield browser
    browser.close()


class Person:
    """A person with a browser context, which records every error of the page."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str,
        *,
        habits: Mapping[str, object] = MappingProxyType({}),
        **settings: object,
    ) -> None:
        # A service worker would hide requests from tests that intercept them.
        quiet = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
        settings = {**quiet, **settings}
        # Tests choose in words and confirm, unless they are about another way.
        self.habits = {"words": True, "confirming": "always", **habits}
        self.url, self.name = url, name
        self.context: BrowserContext = browser.new_context(base_url=url, **settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(MILLISECONDS)
        self.context.add_init_script(
            f"localStorage['shedu:preferences'] ??= {json.dumps(json.dumps(self.habits))}"
        )
        self.errors: list[str] = []
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        return page

    def _note(self, message: object) -> None:
        text = f"{getattr(message, 'type', '')}: {getattr(message, 'text', '')}"
        if re.search("Content Security Policy|Uncaught", text):
            self.errors.append(text)

    def open_table(self, title: str, rules: tuple[tuple[str, str], ...] = (), **choices: str) -> str:
        """Creates a game by clicks with these options, takes a seat, and returns the URL."""
        self.page.goto("/")
        self.page.locator(f"a[href='/create/{title}']").click()
        self.page.get_by_label("Your name").fill(self.name)
        if rules or not choices.keys().isdisjoint(ADVANCED):
            self.page.get_by_text("Advanced", exact=True).click()
        for label, choice in choices.items():
            self.page.get_by_label(label.replace("_", " ")).select_option(choice)
        for meaning, number in rules:
            self.page.get_by_label(meaning).fill(number)
        self.page.get_by_role("button", name="Create game").click()
        self.page.wait_for_url(re.compile(r"/games/[a-z0-9]{20}$"))
        return self.page.url

    def sit_down(self, address: str) -> None:
        self.page.goto(address)
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Join").click()
        expect(self.page.locator(".asking, .gathering .chairs")).to_be_visible()

    def take_seat(self, game_id: str, title: str, seat: int, token: str) -> None:
        """Opens a game as if this browser had taken the seat, with moves shown without a pause."""
        kept = {
            "gameId": game_id,
            "title": title,
            "seat": seat,
            "seatToken": token,
            "commitment": "",
            "at": 1,
        }
        self.page.goto("/healthz")  # a small page of the same origin
        self.keep("preferences", {**self.habits, "atOnce": True})
        self.keep(f"seat:{game_id}", kept)
        self.page.goto(f"/games/{game_id}")

    def keep(self, name: str, value: object) -> None:
        """Stores a value in the local storage of the page, as the page itself does."""
        self.page.evaluate(
            "([name, value]) => localStorage.setItem(name, value)", [f"shedu:{name}", json.dumps(value)]
        )

    def token(self) -> str:
        """Returns the seat token of the open game."""
        found = self.page.evaluate(
            "(name) => JSON.parse(localStorage.getItem(name)).seatToken",
            f"shedu:seat:{self.page.url.rpartition('/')[2]}",
        )
        return str(found)

    def is_asked(self) -> bool:
        return self.page.locator(".prompt.mine").is_visible()

    def offered(self) -> list[str]:
        """Returns the texts of the choices; waits while a move of another player hides them."""
        choices = self.page.locator(".choice")
        while True:
            choices.first.wait_for(state="attached")
            if words := choices.all_text_contents():
                return words

    def answer(self, number: int = 0) -> None:
        """Clicks one of the choices in words, and confirms it."""
        self.show_words()
        self.page.locator(".choice").nth(number % len(self.offered())).click()
        self.confirm()

    def show_words(self) -> None:
        """Opens the sheet with the choices in words, which a narrow screen hides."""
        opener = self.page.get_by_role("button", name="Log and more")
        if opener.is_visible() and not self.page.locator(".sheet").is_visible():
            opener.click()

    def confirm(self) -> None:
        self.page.get_by_role("button", name="Confirm").click()
        self.page.locator(".confirm").wait_for(state="hidden")

    def see(self) -> None:
        """Waits until the page has rendered earlier clicks: a task after the next frame."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def log(self) -> list[str]:
        """Returns the lines of the event log, oldest first."""
        return self.page.locator(".event-log li").all_text_contents()

    def leave(self) -> None:
        self.context.close()
        assert [] == self.errors


def play_on(people: Sequence[Person], until: str) -> int:
    """Answers for all persons until all see `until`; returns the number of answers."""
    for answers in range(MANY_CLICKS):
        if (asked := next_asked(people, until)) is None:
            return answers
        asked.answer(answers)
    raise AssertionError(f"{until} did not come")


def next_asked(people: Sequence[Person], until: str = ".result") -> Person | None:
    """Waits until a person has a decision, and returns that person; None once all see `until`."""

    def look() -> list[Person | None]:
        if all(person.page.locator(until).is_visible() for person in people):
            return [None]
        return [person for person in people if person.is_asked()]

    return wait_until(look, pause=LOOK_AGAIN)[0]
