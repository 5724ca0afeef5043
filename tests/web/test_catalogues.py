"""Every sentence that can be said is in every catalogue, with the same placeholders."""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from gamehost.rules import chance
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, Text, led_to, replay
from shedu.v1.error_reason_pb2 import ErrorReason
from support.process import Serve
from web.conftest import Meet
from web.playing import join

WEB = Path(__file__).resolve().parents[2] / "clients" / "web"
TRANSLATIONS = ("pt", "es")
PLACEHOLDER = re.compile(r"\{\w+\}")
MOVES = 150


def module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, WEB / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


texts = module("texts")
REQUIRED: dict[str, str] = texts.required()


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_no_sentence_is_missing_or_left_over(language: str) -> None:
    found = texts.catalogue(language)["texts"]

    assert len(REQUIRED) > 600
    assert [] == sorted(REQUIRED.keys() - found.keys())
    assert [] == sorted(found.keys() - REQUIRED.keys())


def test_the_english_catalogue_says_what_the_page_says() -> None:
    found = texts.catalogue("en")["texts"]
    said = texts.of_the_page()

    assert {} == {id: english for id, english in said.items() if found[id] != english}


def test_every_reason_of_the_service_is_explained() -> None:
    """But for those that name fields: they are told with them."""
    source = (WEB / "src" / "troubles.ts").read_text("utf-8")
    explained = set(re.findall(r"^  ([A-Z_]+): ", source, re.MULTILINE))

    reasons = {name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items()}

    assert {"UNSPECIFIED", "INVALID_REQUEST"} == reasons - explained


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_placeholders_are_kept(language: str) -> None:
    english, found = texts.catalogue("en")["texts"], texts.catalogue(language)["texts"]

    differing = {id for id in REQUIRED if placeholders(english[id]) != placeholders(found[id])}

    assert set() == differing


def placeholders(sentence: str) -> set[str]:
    return set(PLACEHOLDER.findall(sentence))


@pytest.mark.parametrize("title", sorted(CATALOG))
def test_what_games_say_can_be_translated(title: str) -> None:
    english = texts.catalogue("en")["texts"]
    words = [texts.catalogue(language)["words"] for language in TRANSLATIONS]

    said = {text for seed in range(2) for text in overheard(CATALOG[title], seed)}

    assert {text.id for text in said} <= english.keys()
    assert set() == {text.english for text in said} - {filled(english[text.id], text) for text in said}
    values = {value for text in said for _, value in text.arguments}
    assert set() == {
        part for value in values for part in parts(value) if any(part not in one for one in words)
    }


def filled(sentence: str, text: Text) -> str:
    return sentence.format_map(dict(text.arguments))


def parts(value: str) -> Iterator[str]:
    """What is looked up of a value: numbers and spaces of a board are the same everywhere."""
    if re.fullmatch(r"\d+|[A-P]\d+", value):
        return
    for part in [value] if "," not in value else value.split(", "):
        marked = re.sub(r"\d+", "#", part)
        yield from [marked] if "#" in marked or " and " not in marked else marked.split(" and ")


def overheard(rules: AnyRules, seed: int) -> Iterator[Text]:
    """Every question and every answer of the first moves of a game played at random."""
    choose, luck = random.Random(seed), chance.SeededChance(bytes([seed]) * 32, 0)
    state = replay(rules, rules.setup(rules.options(), rules.seats[seed % len(rules.seats)], luck))
    for position in range(1, MOVES):
        decisions = list(rules.decisions(state))
        if not decisions:
            return
        decision = choose.choice(decisions)
        actions = list(rules.legal_actions(state, decision.seat))
        yield decision.prompt
        yield from map(rules.describe, actions)
        luck = chance.SeededChance(bytes([seed]) * 32, position)
        state = led_to(rules, rules.decide(state, decision.seat, choose.choice(actions), luck), state)


@pytest.mark.parametrize(
    ("language", "question", "choice"),
    [("pt-BR", "O que vamos jogar?", "Jogar "), ("es-ES", "¿A qué jugamos?", "Jugar ")],
)
def test_the_page_speaks_the_language_of_the_browser(
    meet: Meet, serve: Serve, language: str, question: str, choice: str
) -> None:
    person = meet("Anna", locale=language)

    person.page.goto("/")
    expect(person.page.locator("h1")).to_have_text(question)
    person.page.locator("a[href='/create/tides']").click()
    person.page.locator("form button[type=submit]").click()
    person.page.wait_for_url("**/games/*")
    join(serve, person.page.url)

    expect(person.page.locator(".choice").first).to_contain_text(choice)


def test_the_language_can_be_switched(meet: Meet) -> None:
    person = meet("Anna")
    person.page.goto("/")
    person.page.get_by_text("Settings").click()

    person.page.get_by_label("Language").select_option("es")

    expect(person.page.locator("h1")).to_have_text("¿A qué jugamos?")
    person.page.reload()
    expect(person.page.locator("h1")).to_have_text("¿A qué jugamos?")
    assert "es" == person.page.locator("html").get_attribute("lang")


def test_options_are_offered_in_words(meet: Meet) -> None:
    person = meet("Anna")

    for title in CATALOG:
        person.page.goto(f"/create/{title}")
        person.page.get_by_text("Options of the rules").click()
        words = person.page.locator(".options").inner_text()

        assert words
        assert [] == re.findall(r"[A-Z]+_[A-Z_]+", words), title
