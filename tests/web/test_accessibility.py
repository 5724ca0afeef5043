"""Nothing serious is found by axe on any page, in light and in dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser import Person, play_on
from support.node import install
from support.process import Serve
from web.conftest import Meet

WEB = Path(__file__).resolve().parents[2] / "clients" / "web"
NARROW, WIDE = {"width": 360, "height": 740}, {"width": 1600, "height": 1000}
LOOKS = [("light", WIDE), ("dark", NARROW)]


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


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
@pytest.mark.parametrize("path", ["/", "/lobby", "/mine", "/create/tides", "/create/stone_age", "/nonsense"])
def test_pages(meet: Meet, axe: str, path: str, scheme: str, size: dict[str, int]) -> None:
    person = meet("Anna", color_scheme=scheme, viewport=size)

    person.page.goto(path)
    expect(person.page.locator(".loading")).to_have_count(0)
    expect(person.page.locator("main")).not_to_be_empty()

    assert [] == findings(person.page, axe)


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_a_game_from_the_table_to_the_result(meet: Meet, axe: str, scheme: str, size: dict[str, int]) -> None:
    anna = meet("Anna", color_scheme=scheme, viewport=size)
    bert = meet("Bert", color_scheme=scheme, viewport=size)
    address = anna.open_table("tides")
    found = findings(anna.page, axe)
    bert.sit_down(address)
    expect(anna.page.locator(".choice").first).to_be_visible()
    found += findings(anna.page, axe)
    anna.page.locator(".choice").first.click()
    found += findings(anna.page, axe)
    anna.confirm()

    play_on([anna, bert], until=".result")

    assert [] == found + findings(anna.page, axe) + replayed(anna, axe)


@pytest.mark.parametrize("title", ["stone_age", "tigris", "tigris_cards"])
def test_boards_in_the_middle_of_a_game(meet: Meet, serve: Serve, axe: str, title: str) -> None:
    game, tokens = begun(serve, title, moves=25)

    found = []
    for scheme, size in LOOKS:
        person = meet("Anna", color_scheme=scheme, viewport=size)
        person.take_seat(game, title, 0, tokens[0])
        expect(person.page.locator(".board")).to_be_visible()
        found += findings(person.page, axe)

    assert [] == found


def begun(serve: Serve, title: str, moves: int) -> tuple[str, list[str]]:
    game: str = serve.post("/v1/games", {"title": title, "seatCount": 3})["game"]["gameId"]
    tokens = [serve.post(f"/v1/games/{game}:join", {})["seatToken"] for _ in range(3)]
    for _ in range(moves):
        asked = serve.get(f"/v1/games/{game}/view", tokens[0])["view"]["decisions"][0].get("seat", 0)
        serve.move(game, tokens[asked])
    return game, tokens


def replayed(person: Person, axe: str) -> list[str]:
    person.page.get_by_role("link", name="Look back").click()
    expect(person.page.locator(".slider")).to_be_visible()
    return findings(person.page, axe)


def test_zoomed_text_and_narrow_screens_do_not_scroll_sideways(meet: Meet, serve: Serve) -> None:
    person = meet("Anna", viewport=NARROW)
    game_id, _ = serve.table()

    widths = {}
    for path in ("/", "/lobby", "/create/stone_age", f"/games/{game_id}"):
        person.page.goto(path)
        expect(person.page.locator(".loading")).to_have_count(0)
        widths[path] = person.page.evaluate("() => document.documentElement.scrollWidth")

    assert {} == {path: width for path, width in widths.items() if width > NARROW["width"]}
