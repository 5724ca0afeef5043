"""Tests of finished games of every title: result, proof of the luck, replay."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from shedu.v1.game_service_pb2 import ListEventsResponse
from support.browser import Person
from support.process import ROOT, Serve
from web.playing import move, replies, started

# The titles whose draws the page recomputes; `tests/titles/<title>/web.py` says which events are draws.
TITLES = sorted(path.parent.name for path in (ROOT / "clients/web/src/titles").glob("*/luck.ts"))
FACTS = {title: import_module(f"titles.{title}.web") for title in TITLES}


@pytest.fixture(params=TITLES)
def title(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def visitor(browser: Browser, serve: Serve) -> Iterator[Person]:
    """A person who opens finished games."""
    person = Person(browser, serve.url, "Carl")
    yield person
    person.leave()


@pytest.fixture
def carl(visitor: Person) -> Iterator[Person]:
    yield visitor
    assert [] == visitor.errors
    visitor.page.unroute_all()


@pytest.fixture(scope="module")
def finished(serve: Serve) -> dict[str, str]:
    return {title: play_out(serve, title) for title in TITLES}


def play_out(serve: Serve, title: str) -> str:
    """Plays a short game to its end; returns its id."""
    game, tokens = started(serve, title, **FACTS[title].SHORT)
    for _ in replies(serve, game, tokens, partial(move, serve, random.Random(5))):
        pass
    return game


def test_a_finished_game_shows_its_scores_and_its_proof(
    carl: Person, serve: Serve, finished: dict[str, str], title: str
) -> None:
    game = finished[title]
    outcome = serve.get(f"/v1/games/{game}")["game"]["outcome"]

    carl.page.goto(f"/games/{game}")
    table = carl.page.locator(".result tbody")
    expect(table).to_be_visible()

    assert [str(rank) for rank in outcome["ranks"]] == table.locator(".place td").all_inner_texts()
    columns = [table.locator(f"td:nth-of-type({seat + 1})").all_inner_texts() for seat in range(2)]
    assert all(str(points) in column for points, column in zip(outcome["scores"], columns, strict=True))
    expect(carl.page.locator(".fairness summary")).to_contain_text("✓ verified")
    expect(carl.page.locator(".fairness .draws")).to_contain_text(f"all {lucky(serve, title, game)} draws")
    chart = carl.page.locator(".score-chart")
    chart.locator("summary").click()
    expect(chart.locator("polyline")).to_have_count(2)
    if title != "tigris_cards":  # its chart shows the cards on the piles, which are public
        assert [str(points) for points in outcome["scores"]] == chart.locator("li b").all_inner_texts()


def lucky(serve: Serve, title: str, game: str) -> int:
    """Returns the number of draws in the events of a game."""
    events = serve.get(f"/v1/games/{game}/events", pageSize=1000)["events"]
    told = [kind for event in events for own in event.values() if isinstance(own, dict) for kind in own]
    return sum(kind in FACTS[title].LUCKY for kind in told) + FACTS[title].FIRST_SEAT_IS_DRAWN


def test_a_draw_that_was_changed_is_named(carl: Person, finished: dict[str, str], title: str) -> None:
    changed: list[int] = []
    carl.page.route("**/ListEvents", lambda route: changed.append(tamper(route, title)))

    carl.page.goto(f"/games/{finished[title]}")

    expect(carl.page.locator(".fairness summary")).to_contain_text("✗ check failed")
    expect(carl.page.locator(".fairness .draws")).to_contain_text(
        f"The draw in event {changed[0]} does not follow"
    )


def tamper(route: Route, title: str) -> int:
    """Changes a card, tile or face of the last draw; returns its version."""
    answer = route.fetch()
    told = ListEventsResponse.FromString(answer.body())
    for event in reversed(told.events):
        own = getattr(event, title)
        for kind, field in (("cards_drawn", "cards"), ("tiles_drawn", "tiles"), ("dice_rolled", "faces")):
            if kind in own.DESCRIPTOR.fields_by_name and own.HasField(kind):
                items = getattr(getattr(own, kind), field)
                items[0] = items[0] % 4 + 1
                route.fulfill(response=answer, body=told.SerializeToString())
                return int(event.version)
    raise AssertionError("nothing was drawn")


def test_draws_that_were_undone_are_checked_too(carl: Person, serve: Serve) -> None:
    game, tokens = serve.table(title="stone_age")
    back = serve.get(f"/v1/games/{game}/view", tokens[0])["view"]["version"]
    play_until(serve, game, tokens, "diceRolled")
    agree(serve, game, tokens, "proposeUndo", {"toVersion": back})
    play_until(serve, game, tokens, "diceRolled")
    agree(serve, game, tokens, "proposeAbandon", {})

    carl.page.goto(f"/games/{game}")

    expect(carl.page.locator(".fairness summary")).to_contain_text("✓ verified")
    expect(carl.page.locator(".fairness .draws")).to_contain_text(
        f"all {lucky(serve, 'stone_age', game)} draws"
    )


def play_until(serve: Serve, game: str, tokens: list[str], kind: str) -> None:
    for reply in replies(serve, game, tokens):
        if any(kind in event.get("stoneAge", {}) for event in reply["events"]):
            return
    raise AssertionError(f"{kind} did not come")


def agree(serve: Serve, game: str, tokens: list[str], call: str, wish: dict[str, Any]) -> None:
    proposal = serve.post(f"/v1/games/{game}:{call}", wish, tokens[0])["view"]["proposal"]["proposalId"]
    accept = {"proposalId": proposal, "accept": True}
    serve.post(f"/v1/games/{game}:answerProposal", accept, tokens[1])


def test_a_game_is_looked_back_at_step_by_step(carl: Person, finished: dict[str, str], title: str) -> None:
    carl.page.goto(f"/games/{finished[title]}/replay")
    slider = carl.page.get_by_role("slider")
    expect(slider).to_be_visible()
    steps = int(slider.get_attribute("max") or "0")

    slider.fill(str(steps // 2))
    expect(carl.page.locator(".slider label")).to_contain_text(f"Step {steps // 2 + 1} of {steps + 1}")
    middle = carl.page.locator(".event-log li").count()
    carl.page.get_by_label("View as").select_option("0")
    expect(carl.page.locator(".board-area .board")).to_be_visible()
    address = carl.page.url
    carl.page.get_by_role("button", name="Last step").click()
    expect(carl.page.locator(".slider label")).to_contain_text(f"Step {steps + 1} of {steps + 1}")

    assert 0 < middle < carl.page.locator(".event-log li").count()
    carl.page.goto(address)
    carl.page.reload()
    expect(carl.page.locator(".slider label")).to_contain_text(f"Step {steps // 2 + 1} of {steps + 1}")
