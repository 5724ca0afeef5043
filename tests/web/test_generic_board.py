"""Tests that a title without a folder in the web client is played on the generic board."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from support.node import ROOT, install, npm
from support.process import Serve
from web.conftest import Meet
from web.playing import ENOUGH, asked_again, hurry, point

WEB = ROOT / "clients" / "web"
PAGE = re.compile(r"^/(lobby|mine|create/.*|games/.*)?$")
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@pytest.fixture(scope="module")
def without_tides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds a bundle without the folder of Tides."""
    clients = tmp_path_factory.mktemp("clients")
    install(WEB)
    shutil.copytree(
        WEB, clients / "web", ignore=shutil.ignore_patterns("node_modules", "pictures", "screenshots")
    )
    shutil.rmtree(clients / "web" / "src" / "titles" / "tides")
    (clients / "web" / "node_modules").symlink_to(WEB / "node_modules")
    (clients / "typescript").symlink_to(ROOT / "clients" / "typescript")
    npm(clients / "web", "run", "--silent", "build", "--", str(clients / "bundle"))
    return clients / "bundle"


def serve_bundle(page: Page, bundle: Path) -> None:
    """Serves page and assets from this bundle, with the security headers of the server."""

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/assets/"):
            asset = bundle / "assets" / path.rpartition("/")[2]
            route.fulfill(body=asset.read_bytes(), content_type=TYPES[asset.suffix])
        elif PAGE.match(path):
            policy = route.fetch().headers["content-security-policy"]
            headers = {"content-security-policy": policy, "content-type": "text/html"}
            route.fulfill(body=(bundle / "index.html").read_bytes(), headers=headers)
        else:
            route.continue_()

    page.route("**/*", answer)


def test_a_title_without_a_folder_is_offered_in_english(meet: Meet, without_tides: Path) -> None:
    person = meet("Anna", locale="es-ES")
    serve_bundle(person.page, without_tides)

    person.page.goto("/")

    card = person.page.locator(".title-card", has_text="Tides of Time")
    expect(person.page.locator("h1")).to_have_text("Elige un juego")
    expect(card).to_contain_text("Two players draft five cards")
    expect(card.locator(".motif path")).not_to_have_count(0)
    card.locator("a[href^='/create/']").click()
    expect(person.page.locator(".create h1")).to_have_text("Tides of Time")


def test_a_whole_game_is_played_by_pointing(meet: Meet, serve: Serve, without_tides: Path) -> None:
    anna, choose = meet("Anna"), random.Random(5)
    serve_bundle(anna.page, without_tides)
    hurry(anna)
    anna.open_table("tides", Seat_2="greedy")

    pointed = [point(anna, choose) for _ in asked_again(anna, ENOUGH)]

    assert 14 == len(pointed)
    assert all(pointed), "the board offered nothing to click"
    expect(anna.page.locator(".table-head h1")).to_have_text("Tides of Time")
    expect(anna.page.locator(".result h2")).to_contain_text(re.compile("wins|share the victory"))
    expect(anna.page.locator(".generic-board dl").first).to_contain_text("Round")
    expect(anna.page.locator(".board-text")).to_contain_text("Round:")
    assert any(re.match(r"Anna: card chosen \(card .*\)\.", line) for line in anna.log())
    expect(anna.page.locator(".fairness summary")).to_contain_text("verified")
    expect(anna.page.locator(".fairness .draws")).to_contain_text("cannot recompute the draws")
