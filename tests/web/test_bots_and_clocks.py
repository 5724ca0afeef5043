"""Tests of games with bots and clocks in the web client."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.browser import Person, play_on
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet
from web.playing import hurry, join, started


def test_a_whole_game_against_a_bot(meet: Meet) -> None:
    anna = meet("Anna")
    hurry(anna)

    anna.open_table("tides", Seat_2="greedy")
    answers = play_on([anna], until=".result")

    assert 3 * 4 + 2 == answers
    expect(anna.page.locator(".fairness summary")).to_contain_text("verified")


def test_a_bot_takes_the_seat_that_nobody_wants(meet: Meet) -> None:
    anna = meet("Anna")
    anna.open_table("tides")

    anna.page.get_by_role("button", name="Add bot").click()

    expect(anna.page.locator(".choice").first).to_be_visible()


def test_bots_of_the_same_name_are_numbered(meet: Meet) -> None:
    anna = meet("Anna")

    anna.open_table("tigris", Number_of_players="3", Seat_2="greedy", Seat_3="greedy")

    for name in ("Greedy bot", "Greedy bot 2"):
        expect(anna.page.locator(".players").get_by_text(name, exact=True)).to_have_count(1)
        expect(anna.page.locator(".event-log")).to_contain_text(f"{name} joined.")


@pytest.mark.parametrize(("language", "name"), [("pt-BR", "Robô ao acaso"), ("es-ES", "Robot al azar")])
def test_bots_are_called_in_the_language_of_the_page(
    meet: Meet, serve: Serve, language: str, name: str
) -> None:
    game, [token] = started(serve, names=["Random bot"], seatCount=2, seats=[{}, {"botLevel": "random"}])
    anna = meet("Anna", locale=language)

    anna.take_seat(game, "tides", 0, token)

    for called in ("Random bot", name):
        expect(anna.page.locator(".players li", has_text=called)).to_have_count(1)
    expect(anna.page.locator(".event-log")).to_contain_text(name)


def test_a_clock_counts_down(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna")
    anna.page.clock.install()
    game, _ = join(serve, anna.open_table("tides", Clock="bank"))
    before = seconds_left(anna)
    [clock, _] = serve.get(f"/v1/games/{game}/view", anna.token())["view"]["clocks"]

    anna.page.clock.fast_forward(60_000)

    assert float(clock["remaining"].rstrip("s")) <= before <= 600
    wait_until(lambda: seconds_left(anna) <= before - 60)


def seconds_left(person: Person) -> int:
    """Returns the seconds that the running clock of a person shows."""
    clock = person.page.locator(".players li", has_text=person.name).get_by_role("timer")
    expect(clock).to_contain_text(re.compile(r"^● \d+:\d\d$"))
    minutes, seconds = re.findall(r"\d+", clock.inner_text())
    return 60 * int(minutes) + int(seconds)
