"""Tests of the rules of every title in three languages, and of the guided first game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from gamehost.rules.catalog import CATALOG
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet
from web.playing import LIT, asked_or_over

TITLES = Path(__file__).resolve().parents[2] / "clients" / "web" / "src" / "titles"
TAUGHT = sorted(path.parent.name for path in TITLES.glob("*/teaching.tsx"))
LANGUAGES = {"en": "Rules", "es": "Reglas", "pt": "Regras"}
DECISIONS = 10
# The decisions for which the script of the guided game proposes an action, whatever is drawn.
PROPOSED = {"stone_age": [1, 2, 3], "tides": [], "tigris": [1, 2, 3], "tigris_cards": [1, 2]}


def teaching(title: str, language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TITLES / title / f"teaching_{language}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("title", TAUGHT)
def test_every_rule_is_in_one_chapter_and_translated(title: str) -> None:
    rules = CATALOG[title].texts
    chapters = re.findall(r'"([A-Z]{2}-\d+)"', (TITLES / title / "teaching.tsx").read_text("utf-8"))

    assert sorted(rules) == sorted(chapters)
    for language in ("es", "pt"):
        assert rules.keys() == teaching(title, language)["rules"].keys(), language
        assert all(teaching(title, language)["rules"].values())


@pytest.mark.parametrize("title", TAUGHT)
def test_legend_and_hints_have_the_same_keys_in_every_language(title: str) -> None:
    english, *others = (teaching(title, language) for language in LANGUAGES)
    questions = json.loads((TITLES / title / "text" / "en.json").read_text("utf-8"))["texts"]

    assert english["guide"].keys() <= questions.keys()
    for other in others:
        for part in ("legend", "chapters"):
            assert english[part].keys() == other[part].keys()
        counts = [{id: len(hints) for id, hints in texts["guide"].items()} for texts in (english, other)]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("title", TAUGHT)
def test_the_drawer_shows_legend_and_rules_in_three_languages(meet: Meet, title: str) -> None:
    anna = meet("Anna")
    anna.page.goto("/healthz")
    for language, word in LANGUAGES.items():
        anna.keep("language", language)
        anna.page.goto(f"/create/{title}")

        anna.page.get_by_role("button", name=word, exact=True).click()

        drawer = anna.page.get_by_role("dialog")
        texts = teaching(title, language)
        expect(drawer.locator(".rules li")).to_have_count(len(CATALOG[title].texts))
        expect(drawer.locator(".legend svg").first).to_be_visible()
        for sentence in (*texts["legend"].values(), *(texts["rules"] or CATALOG[title].texts).values()):
            expect(drawer).to_contain_text(sentence)
        anna.page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()


@pytest.mark.parametrize("title", TAUGHT)
def test_a_first_game_is_guided_for_ten_decisions(meet: Meet, serve: Serve, title: str) -> None:
    anna = meet("Anna")
    anna.page.goto("/healthz")
    anna.keep("preferences", {"atOnce": True, "confirming": "instant"})
    anna.page.goto("/")
    card = anna.page.locator(".title-card", has=anna.page.locator(f"a[href='/create/{title}']"))
    card.get_by_role("button", name="Learn to play").click()
    guide = anna.page.locator(".guide")
    expect(guide).to_be_visible()
    wait_until(lambda: "/games/" in anna.page.url)
    game, token = anna.page.url.rpartition("/")[2], anna.token()
    assert serve.get(f"/v1/games/{game}", token)["game"]["forkOf"]
    proposals: list[int] = []
    hints = [hint for sentences in teaching(title, "en")["guide"].values() for hint in sentences]

    for decision in range(1, DECISIONS + 1):
        expect(guide.locator("summary")).to_have_text(f"Guided game: decision {decision} of {DECISIONS}")
        assert guide.locator("p").inner_text() in hints
        anna.page.locator(LIT).first.wait_for(state="attached")
        proposal = guide.locator(".proposal-of-guide")
        if proposal.count():
            expect(anna.page.locator(".spot.proposed, .cell.proposed").first).to_be_attached()
            proposal.click()
            proposals.append(decision)
        else:
            serve.move(game, token)

    expect(guide).to_contain_text("That was the tour.")
    assert {*PROPOSED[title]} <= {*proposals}
    assert asked_or_over(serve, game, token)
    guide.get_by_role("button", name="Close").click()
    expect(guide).to_be_hidden()
