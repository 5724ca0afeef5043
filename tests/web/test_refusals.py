"""Tests that the board explains illegal actions with the text of the rule."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from support.browser import Person
from support.process import Serve
from web.conftest import Meet
from web.playing import advance, asked, play, started

TAKEN = {"en-GB": "That space is not empty. (rule TE-10)", "pt-BR": "O espaço não está vazio. (regra TE-10)"}


def sent_a_leader(serve: Serve) -> tuple[str, int, str]:
    """Creates a game in which a seat decides where to place its leader; returns id, seat and token."""
    game, tokens = started(serve, "tigris")
    decision = asked(serve, game, tokens[0])
    seat = decision["seat"]
    play(serve, game, tokens[seat], decision, {"tigris": {"placeLeader": {"leader": "COLOUR_RED"}}})
    return game, seat, tokens[seat]


def space(person: Person, contents: str) -> Locator:
    return person.page.locator(f".river-map .cell[aria-label*='{contents}']").first


def seated(person: Person, game: str, seat: int, token: str) -> Person:
    person.take_seat(game, "tigris", seat, token)
    expect(person.page.locator(".river-map .is-lit").first).to_be_visible()
    return person


@pytest.mark.parametrize("locale", TAKEN)
def test_pressing_what_is_not_possible_tells_the_rule(meet: Meet, serve: Serve, locale: str) -> None:
    game, seat, token = sent_a_leader(serve)
    before = serve.get(f"/v1/games/{game}/view", token)["view"]["version"]
    anna = seated(meet("Anna", locale=locale), game, seat, token)

    space(anna, "templ").click(force=True)

    expect(anna.page.locator(".refused")).to_contain_text(TAKEN[locale])
    assert before == serve.get(f"/v1/games/{game}/view", token)["view"]["version"]


def test_resting_on_what_is_not_possible_tells_the_rule_while_it_lasts(meet: Meet, serve: Serve) -> None:
    anna = seated(meet("Anna"), *sent_a_leader(serve))

    space(anna, "temple").hover()
    expect(anna.page.locator(".refused")).to_contain_text(TAKEN["en-GB"])
    space(anna, "river").hover()
    expect(anna.page.locator(".refused")).to_contain_text("Farms go on the river")
    anna.page.locator(".table-head h1").hover()

    expect(anna.page.locator(".refused")).to_be_hidden()


FINGER = 44  # pixels


def test_what_is_refused_is_seen_on_a_telephone(meet: Meet, serve: Serve) -> None:
    settings = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
    anna = seated(meet("Anna", **settings), *sent_a_leader(serve))

    target = space(anna, "temple")
    narrow = (target.bounding_box() or {})["width"]
    target.tap(force=True)  # among several spaces: magnified
    expect(anna.page.locator(".zoomed")).to_be_visible()
    wide = (target.bounding_box() or {})["width"]
    target.tap(force=True)

    assert narrow < 30
    assert wide >= FINGER
    expect(anna.page.locator(".zoomed")).to_be_hidden()
    expect(anna.page.locator(".refused")).to_be_in_viewport()
    expect(anna.page.locator(".refused")).to_contain_text(TAKEN["en-GB"])


def test_a_place_that_is_full_says_so(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve, "stone_age")
    decision = asked(serve, game, tokens[0])
    first = decision["seat"]
    field = {"stoneAge": {"placePeople": {"place": "PLACE_FIELD", "people": 1}}}
    play(serve, game, tokens[first], decision, field)
    anna = meet("Anna")
    anna.take_seat(game, "stone_age", 1 - first, tokens[1 - first])
    expect(anna.page.locator(".stone-age .stage .spot.lit").first).to_be_visible()

    anna.page.locator(".stone-age .stage .spot[data-tip^='field']").hover()

    expect(anna.page.locator(".refused")).to_contain_text("The place is full.")


def test_a_link_between_columns_that_are_too_short_says_so(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve, "tigris_cards")
    first = asked(serve, game, tokens[0])["seat"]
    anna = meet("Anna")
    anna.take_seat(game, "tigris_cards", first, tokens[first])
    anna.page.locator(".tray .spot.lit").first.click()
    gap = anna.page.locator(".cell[data-key='gap:0']")

    gap.hover()
    expect(anna.page.locator(".refused")).to_contain_text(re.compile(r"three cards.*\(rule EC-\d+\)"))
    anna.page.locator(".table-head h1").hover()
    expect(anna.page.locator(".refused")).to_be_hidden()
    gap.click(force=True)

    expect(anna.page.locator(".refused")).to_contain_text(re.compile(r"three cards.*\(rule EC-\d+\)"))


def test_a_card_cannot_be_kept_and_removed(meet: Meet, serve: Serve) -> None:
    game, tokens = serve.table()
    advance(serve, game, tokens, moves=2 * 4)
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])
    relic = anna.page.locator(".spot.lit[data-tip^='Keep ']").first
    name = (relic.get_attribute("data-tip") or "").removeprefix("Keep ").removesuffix(" as a relic")

    relic.click()
    anna.page.locator(f'.spot[data-tip="Remove {name} from the game"]').hover()

    expect(anna.page.locator(".refused")).to_contain_text("(rule TT-")


def test_who_has_chosen_a_card_is_told_that_nothing_is_asked(meet: Meet, serve: Serve) -> None:
    game, tokens = serve.table()
    serve.move(game, tokens[0])
    anna = meet("Anna", has_touch=True)
    anna.take_seat(game, "tides", 0, tokens[0])

    anna.page.locator(".tide-hand .spot").first.tap(force=True)

    expect(anna.page.locator(".refused")).to_contain_text("It is not your turn.")
