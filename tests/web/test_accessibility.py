"""Tests that axe finds no serious problem on any page, in three themes, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import Person
from support.node import install
from support.process import Serve
from web.conftest import Meet
from web.playing import advance, join, started

WEB = Path(__file__).resolve().parents[2] / "clients" / "web"
NARROW, WIDE = {"width": 360, "height": 740}, {"width": 1600, "height": 1000}
LOOKS = [("light", WIDE), ("dark", NARROW), ("contrast", WIDE)]
# Colours change in transitions: until they end, axe would see a mixture of two themes.
CHANGE_THEME = """async (theme) => {
  document.documentElement.dataset.theme = theme;
  const changes = document.getAnimations().filter((change) => change instanceof CSSTransition);
  await Promise.allSettled(changes.map((change) => change.finished));
}"""
PAGES = ("/", "/lobby", "/mine", "/play/tides", "/leaderboard/tides", "/account", "/nonsense")


@pytest.fixture(scope="module")
def axe() -> str:
    install(WEB)
    return (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text()


def findings(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found: Any = page.evaluate("() => window.axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {node['html'][:120]} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def findings_in_all_looks(page: Page, axe: str) -> list[str]:
    """In light, dark and high contrast; the second on a narrow screen."""
    found = []
    for theme, size in LOOKS:
        page.set_viewport_size(size)
        page.evaluate(CHANGE_THEME, theme)
        found += [f"{theme}: {finding}" for finding in findings(page, axe)]
    return found


def test_pages(meet: Meet, axe: str) -> None:
    person = meet("Anna")

    found = {}
    for path in PAGES:
        person.page.goto(path)
        is_loaded(person.page)
        found[path] = findings_in_all_looks(person.page, axe)
    person.page.goto("/create/tigris")
    person.page.get_by_text("Advanced", exact=True).click()
    found["advanced"] = findings_in_all_looks(person.page, axe)
    person.page.get_by_role("button", name="Rules", exact=True).click()
    expect(person.page.locator(".drawer .legend li").first).to_be_visible()
    found["rules"] = findings_in_all_looks(person.page, axe)

    assert {path: [] for path in (*PAGES, "advanced", "rules")} == found


def test_a_theme_is_chosen_and_kept(meet: Meet) -> None:
    person = meet("Anna")
    person.page.goto("/lobby")
    person.page.get_by_text("Settings").click()
    person.page.get_by_label("Theme").select_option("High contrast")
    person.page.reload()

    expect(person.page.locator("html")).to_have_attribute("data-theme", "contrast")
    expect(person.page.locator("body")).to_have_css("color", "rgb(255, 255, 255)")


def is_loaded(page: Page) -> None:
    expect(page.locator("main")).not_to_be_empty()
    expect(page.locator(".loading")).to_have_count(0)


def test_a_game_from_the_table_to_the_result(meet: Meet, serve: Serve, axe: str) -> None:
    anna = meet("Anna")
    address = anna.open_table("tides")
    anna.page.locator(".gathering .chairs").wait_for()
    found = findings_in_all_looks(anna.page, axe)
    game, bert = join(serve, address)
    expect(anna.page.locator(".choice").first).to_be_visible()
    found += findings_in_all_looks(anna.page, axe)
    anna.page.locator(".choice").first.click()
    anna.page.locator(".confirm").wait_for()
    found += findings_in_all_looks(anna.page, axe)
    anna.confirm()
    expect(anna.page.locator(".asking")).to_be_focused()

    advance(serve, game, [anna.token(), bert])
    expect(anna.page.locator(".result")).to_be_visible()
    expect(anna.page.locator(".asking")).to_be_focused()

    assert [] == found + findings_in_all_looks(anna.page, axe) + replayed(anna, axe)


@pytest.mark.parametrize("title", ["stone_age", "tigris", "tigris_cards"])
def test_boards_in_the_middle_of_a_game(meet: Meet, serve: Serve, axe: str, title: str) -> None:
    game, tokens = started(serve, title, ("Anna", "Bert", "Carl"))
    advance(serve, game, tokens, moves=25)
    person = meet("Anna")
    person.take_seat(game, title, 0, tokens[0])
    expect(person.page.locator(".board")).to_be_visible()

    assert [] == findings_in_all_looks(person.page, axe)


def replayed(person: Person, axe: str) -> list[str]:
    person.page.get_by_role("link", name="Replay").click()
    expect(person.page.locator(".slider")).to_be_visible()
    return findings(person.page, axe)


def test_zoomed_text_and_narrow_screens_do_not_scroll_sideways(meet: Meet, serve: Serve) -> None:
    person = meet("Anna", viewport=NARROW)
    game_id, _ = serve.table()

    widths = {}
    for path in ("/", "/lobby", "/create/stone_age", f"/games/{game_id}"):
        person.page.goto(path)
        is_loaded(person.page)
        widths[path] = person.page.evaluate("() => document.documentElement.scrollWidth")

    assert {} == {path: width for path, width in widths.items() if width > NARROW["width"]}
