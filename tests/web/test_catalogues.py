"""Tests that every catalogue has every text, with the same placeholders."""

from __future__ import annotations

import importlib.util
import json
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
# (title, language) of every catalogue that a title has; a title without one is shown in English.
OWN = [
    (title, language)
    for title in sorted(CATALOG)
    for language in texts.LANGUAGES
    if texts.title_catalogue(title, language) is not None
]
# These four titles must have every language. A new title need not be listed: it may have no translations.
TRANSLATED = {"stone_age", "tides", "tigris", "tigris_cards"}


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_no_sentence_of_the_pages_is_missing_or_left_over(language: str) -> None:
    found, required = texts.catalogue(language)["texts"], texts.required()

    assert len(required) > 250
    assert [] == sorted(required.keys() - found.keys())
    assert [] == sorted(found.keys() - required.keys())


@pytest.mark.parametrize(("title", "language"), OWN)
def test_no_sentence_of_a_title_is_missing_or_left_over(title: str, language: str) -> None:
    found, required = texts.title_catalogue(title, language)["texts"], texts.required_of(title)

    assert [] == sorted(required.keys() - found.keys())
    assert [] == sorted(found.keys() - required.keys())


def test_no_translation_of_a_title_is_lost() -> None:
    assert set() == {(title, one) for title in TRANSLATED for one in texts.LANGUAGES} - set(OWN)


def test_every_folder_of_the_web_client_belongs_to_a_title() -> None:
    folders = {path.name for path in texts.TITLES.iterdir() if path.is_dir()}

    assert set() == folders - CATALOG.keys()


def test_no_module_outside_its_folder_names_a_title() -> None:
    sources = [path for path in (WEB / "src").rglob("*.*") if texts.TITLES not in path.parents]
    camel_case = [re.sub("_(.)", lambda found: found[1].upper(), title) for title in CATALOG]
    names = re.compile(rf"\b({'|'.join([*CATALOG, *camel_case])})\b")

    assert [] == [f"{path}: {word}" for path in sources for word in names.findall(path.read_text("utf-8"))]
    assert len(sources) > 50


def test_the_english_catalogues_say_what_the_page_says() -> None:
    found, said = texts.catalogue("en")["texts"], texts.page_texts()
    for title, language in OWN:
        if language == "en":
            found |= texts.title_catalogue(title, "en")["texts"]
            said |= texts.board_texts(title)

    assert {} == {id: english for id, english in said.items() if found[id] != english}
    assert len(said) > 500


def test_every_reason_of_the_service_is_explained() -> None:
    """Except those that name fields, which are shown with them."""
    source = (WEB / "src" / "error_messages.ts").read_text("utf-8")
    explained = set(re.findall(r"^  ([A-Z_]+): ", source, re.MULTILINE))

    reasons = {name.removeprefix("ERROR_REASON_") for name, _ in ErrorReason.items()}

    assert {"UNSPECIFIED", "INVALID_REQUEST"} == reasons - explained


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_placeholders_are_kept(language: str) -> None:
    pairs = [(texts.catalogue("en"), texts.catalogue(language))]
    pairs += [
        (texts.title_catalogue(title, "en"), texts.title_catalogue(title, language))
        for title, one in OWN
        if one == language
    ]

    differing = {
        id
        for english, found in pairs
        for id, sentence in english["texts"].items()
        if placeholders(sentence) != placeholders(found["texts"][id])
    }

    assert set() == differing


def placeholders(sentence: str) -> set[str]:
    return set(PLACEHOLDER.findall(sentence))


@pytest.mark.parametrize("title", sorted({title for title, language in OWN if language == "en"}))
def test_what_games_say_can_be_translated(title: str) -> None:
    english = texts.title_catalogue(title, "en")["texts"]
    words = [
        texts.catalogue(language)["words"] | own["words"]
        for language in TRANSLATIONS
        if (own := texts.title_catalogue(title, language)) is not None
    ]

    said = {text for seed in range(2) for text in texts_of_random_game(CATALOG[title], seed)}

    assert {text.id for text in said} <= english.keys()
    assert set() == {text.english for text in said} - {filled(english[text.id], text) for text in said}
    values = {value for text in said for _, value in text.arguments}
    assert set() == {
        part for value in values for part in parts(value) if any(part not in one for one in words)
    }


def filled(sentence: str, text: Text) -> str:
    return sentence.format_map(dict(text.arguments))


def parts(value: str) -> Iterator[str]:
    """Yields the parts of a value that are translated; numbers and spaces of a board are not."""
    if re.fullmatch(r"\d+|[A-P]\d+", value):
        return
    for part in [value] if "," not in value else value.split(", "):
        marked = re.sub(r"\d+", "#", part)
        yield from [marked] if "#" in marked or " and " not in marked else marked.split(" and ")


def texts_of_random_game(rules: AnyRules, seed: int) -> Iterator[Text]:
    """Yields the texts of all decisions and actions of the first moves of a random game."""
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
    [("pt-BR", "Escolha um jogo", "Jogar "), ("es-ES", "Elige un juego", "Jugar ")],
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

    expect(person.page.locator("h1")).to_have_text("Elige un juego")
    person.page.reload()
    expect(person.page.locator("h1")).to_have_text("Elige un juego")
    assert "es" == person.page.locator("html").get_attribute("lang")


def test_options_are_offered_in_words(meet: Meet) -> None:
    person = meet("Anna")

    for title in CATALOG:
        person.page.goto(f"/create/{title}")
        person.page.get_by_text("Advanced", exact=True).click()
        words = person.page.locator(".options").inner_text()

        assert words
        assert [] == re.findall(r"[A-Z]+_[A-Z_]+", words), title


# Words of the rules, which stand in the list of choices, and the texts of the same places on the board.
PLACES = {
    "stone_age": {
        **{place: place.replace(" ", "_") for place in ("hunting", "forest", "clay pit", "quarry", "river")},
        **{place: place.replace(" ", "_") for place in ("tool maker", "hut", "field")},
        "card #": "card_place",
        "tile #": "tile_place",
    },
    "tigris": {name: name for name in ("temple", "farm", "market", "settlement", "priest", "king")},
    "tigris_cards": {
        "card # of column #": "place",
        "the head of column #": "head",
        "the link between columns # and #": "gap",
    },
}
ARTICLE = re.compile("^(the|el|la|a|o) ")  # only sentences need one


@pytest.mark.parametrize(("title", "language"), [own for own in OWN if PLACES.get(own[0])])
def test_a_place_has_one_name_on_the_board_and_in_the_list(title: str, language: str) -> None:
    found = texts.title_catalogue(title, language)
    words = {word: ARTICLE.sub("", found["words"].get(word, word)) for word in PLACES[title]}

    named = {word: found["texts"][f"board.{title}.{place}"] for word, place in PLACES[title].items()}

    assert words == {word: re.sub(r"{\w+}", "#", name) for word, name in named.items()}


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_sentence_about_a_place_begins_with_its_name(language: str) -> None:
    found = texts.title_catalogue("stone_age", language)
    path = WEB / "src" / "titles" / "stone_age" / f"teaching_{language}.json"
    legend = json.loads(path.read_text("utf-8"))["legend"]
    places = set(PLACES["stone_age"].values()) & legend.keys()
    names = {place: found["texts"][f"board.stone_age.{place}"] for place in places}
    names["buildings"] = found["texts"]["board.stone_age.tile_place"].removesuffix(" {stack}")

    assert {} == {
        place: name
        for place, name in names.items()
        if not legend[place].casefold().startswith(f"{name.casefold()}:")
    }
